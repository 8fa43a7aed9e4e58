/* agent_demo.c -- the demo's program by itself, as `vyred agent-demo` runs it: for tests that need
 * no server. */
#include <string.h>

#include "server/provider/demo.h"
#include "shared/base/ban.h"

int main(int argc, char **argv)
{
	if (argc < 2 || strcmp(argv[1], "agent-demo") != 0) {
		return 2;
	}
	return demo_main(argc - 1, argv + 1);
}
