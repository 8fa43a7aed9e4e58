/* replay_main.c -- runs a fuzz target over its saved inputs, without libFuzzer: make check's half of it.
 *
 * The program X_fuzz reads every file of tests/corpus/X (below $top_srcdir), or those named as
 * arguments; each is given whole and then cut at a few places, since a cut is what a parser sees
 * most. Memory is exactly as long as the input, so AddressSanitizer sees one byte too many. */
#include <dirent.h>
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CUTS = 16 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

static void try_input(const uint8_t *data, size_t n)
{
	uint8_t *exact = malloc(n);

	if (n > 0) {
		if (exact == NULL) {
			abort();
		}
		memcpy(exact, data, n);
	}
	LLVMFuzzerTestOneInput(exact, n);
	free(exact);
}

static int replay(const char *path)
{
	static uint8_t data[4 << 20];
	FILE *f = fopen(path, "rb");

	if (f == NULL) {
		fprintf(stderr, "%s: %s\n", path, strerror(errno));
		return -1;
	}
	size_t n = fread(data, 1, sizeof(data), f);

	fclose(f);
	try_input(data, n);
	for (size_t i = 0; i < CUTS && i < n; i++) {
		try_input(data, n * i / CUTS);
	}
	return 0;
}

static int replay_folder(const char *folder)
{
	DIR *dir = opendir(folder);
	struct dirent *entry;
	char path[4096];
	int count = 0;

	if (dir == NULL) {
		fprintf(stderr, "%s: %s\n", folder, strerror(errno));
		return -1;
	}
	while ((entry = readdir(dir)) != NULL) {
		if (entry->d_name[0] == '.') {
			continue;
		}
		snprintf(path, sizeof(path), "%s/%s", folder, entry->d_name);
		if (replay(path) != 0) {
			count = -1;
			break;
		}
		count++;
	}
	closedir(dir);
	return count;
}

int main(int argc, char **argv)
{
	const char *top = getenv("top_srcdir");
	const char *name = strrchr(argv[0], '/');
	char folder[2048];
	int count = argc - 1;

	for (int i = 1; i < argc; i++) {
		if (replay(argv[i]) != 0) {
			return 1;
		}
	}
	if (argc == 1) {
		name = name != NULL ? name + 1 : argv[0];
		snprintf(folder, sizeof(folder), "%s/tests/corpus/%.*s", top != NULL ? top : ".",
			(int)(strlen(name) - strlen("_fuzz")), name);
		count = replay_folder(folder);
	}
	printf("%s: %d inputs\n", argv[0], count);
	return count > 0 ? 0 : 1;
}
