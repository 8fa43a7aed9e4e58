/* floor_vyre_test.c -- group 2: Vyre's state, sockets, configuration and secrets. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "tests/server/guard/floor.h"
#include "shared/base/str.h"
#include "shared/base/ban.h"

static const struct floor_row rows[] = {
	{ NULL, "cat ~/.local/state/vyre/vyre.db", "vyre-state" },
	{ NULL, "sqlite3 ~/.local/state/vyre/vyre.db 'select 1'", "vyre-state" },
	{ NULL, "sqlite3 'file:/home/u/.local/state/vyre/vyre.db?mode=ro' .dump", "vyre-state" },
	{ NULL, "sqlite3 app.db .dump", "" },
	{ NULL, "cp -r ~/.local/state/vyre /tmp/x", "vyre-state" },
	{ NULL, "tar czf x.tgz ~/.local/state/vyre", "vyre-state" },
	{ NULL, "rm -rf ~/.local/state/vyre", "vyre-state" },
	{ NULL, "rm -rf ~/.local", "vyre-state" },
	{ NULL, "rm -rf ~/.local/state/other", "" },
	{ NULL, "cat $XDG_STATE_HOME/vyre/lock", "vyre-state" },
	{ NULL, "cat ~/.local/state/vy*/vyre.db", "vyre-state" },
	{ NULL, "cd ~/.local/state && cat vyre/lock", "vyre-state" },
	{ NULL, "grep -r token ~/.local/state/vyre", "vyre-state" },
	{ NULL, "python3 -c \"open('/home/u/.local/state/vyre/secrets').read()\"", "vyre-state" },
	{ NULL, "python3 -c \"import sqlite3; sqlite3.connect('app.db')\"", "" },
	{ NULL, "socat - UNIX-CONNECT:/home/u/.local/state/vyre/vyred.sock", "vyre-state" },
	{ NULL, "nc -U ~/.local/state/vyre/rpc.sock", "vyre-state" },
	{ NULL, "curl --unix-socket ~/.local/state/vyre/vyred.sock http://x/v1/rpc -d '{}'",
		"answers" },
	{ NULL, "curl --unix-socket /var/run/app.sock http://x/health", "" },
	{ NULL, "curl http://localhost:8080/v1/rpc -d @x.json", "answers" },
	{ NULL, "curl http://localhost:8080/v1/users", "" },
	{ NULL, "nc -U \"$VYRE_SOCKET\"", "" },
	{ NULL, "nc -zv localhost 5432", "" },
	{ NULL, "grep -rn vyred.sock src", "" },
	{ NULL, "grep -rn vyre.db .", "" },
	{ NULL, "echo vyred.sock", "" },
	{ NULL, "echo x > ~/.config/vyre/vyred.conf", "vyre-configuration" },
	{ NULL, "sed -i s/a/b/ ~/.config/vyre/own.conf", "vyre-configuration" },
	{ NULL, "cat ~/.config/vyre/vyred.conf", "" },
	{ NULL, "rm -rf ~/.config/vyre", "vyre-configuration" },
	{ NULL, "rm -rf ~/.config", "vyre-configuration" },
	{ NULL, "cp x.conf $XDG_CONFIG_HOME/vyre/vyred.conf", "vyre-configuration" },
	{ NULL, "vyred secret set x", "vyre-control" },
	{ NULL, "vyred stop --all", "vyre-control" },
	{ NULL, "/usr/bin/vyred restore b", "vyre-control" },
	{ NULL, "vyred doctor", "" },
	{ NULL, "systemctl --user restart vyred", "vyre-control" },
	{ NULL, "systemctl --user stop vyred.service", "vyre-control" },
	{ NULL, "sudo systemctl restart nginx", "" },
	{ NULL, "systemctl status vyredis", "vyre-control" },
	{ NULL, "vyre-tui stop s1", "vyre-control" },
	{ NULL, "vyre-tui status", "" },
	{ "Read", "{\"file_path\":\"/home/u/.local/state/vyre/vyre.db\"}", "vyre-state" },
	{ "Grep", "{\"pattern\":\"x\",\"path\":\"/home/u/.local/state/vyre\"}", "vyre-state" },
	{ "Grep", "{\"pattern\":\"vyre.db\",\"path\":\"/home/u/app\"}", "" },
	{ "Write", "{\"file_path\":\"/home/u/.config/vyre/own.conf\"}", "vyre-configuration" },
	{ "mcp__sql__open", "{\"path\":\"/home/u/.local/state/vyre/vyre.db\"}", "vyre-state" },
};

static void test_rows(void **state)
{
	(void)state;
	floor_check(rows, VY_COUNT(rows));
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_rows) };

	return cmocka_run_group_tests_name("floor: vyre", tests, NULL, NULL);
}
