/* picture.c -- draws a view of tests/screen/views as an SVG. Not installed; doc/screens/make runs it.
 *
 * usage: picture FILE.json CASE COLSxROWS dark|light|contrast > OUT.svg */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "shared/base/limits.h"
#include "tests/screen/shot.h"
#include "tests/screen/stage.h"
#include "tests/tui/spelled.h"
#include "shared/base/ban.h"

static const uint32_t grounds[][2] = { { 0xd4d6d4, 0x16181a }, { 0x1f2328, 0xffffff },
	{ 0xffffff, 0x000000 } };

static struct vy_json *find(const char *path, const char *name)
{
	VY_AUTO_BUF text = VY_BUF_INIT(16 * VY_MIB);
	struct vy_err e = { 0 };
	FILE *f = fopen(path, "re");
	char piece[65536];
	size_t n;

	while (f && (n = fread(piece, 1, sizeof(piece), f)) > 0) {
		vy_buf_add(&text, piece, n);
	}
	if (f) {
		fclose(f);
	}
	VY_AUTO_JSON *file = vy_json_parse(vy_buf_str(&text), &e);
	const struct vy_json *cases = vy_json_get(file, "cases");

	for (size_t i = 0; i < vy_json_len(cases); i++) {
		if (vy_str_is(vy_json_str(vy_json_at(cases, i), "name"), name)) {
			return spelled(vy_json_at(cases, i));
		}
	}
	return NULL;
}

int main(int argc, char **argv)
{
	VY_AUTO_BUF out = VY_BUF_INIT(64 * VY_MIB);
	enum theme_look look;
	struct stage st;
	int cols, rows;

	if (argc != 5 || sscanf(argv[3], "%dx%d", &cols, &rows) != 2 ||
		!theme_look_parse(vy_str_c(argv[4]), &look)) {
		fputs("usage: picture FILE.json CASE COLSxROWS dark|light|contrast\n", stderr);
		return 2;
	}
	VY_AUTO_JSON *c = find(argv[1], argv[2]);

	if (!c) {
		fprintf(stderr, "picture: %s has no case %s\n", argv[1], argv[2]);
		return 1;
	}
	stage_open(&st, cols, rows, (struct theme){ look, THEME_DEPTH_RGB }, false);
	stage_play(&st, c);
	shot_svg(st.vt, grounds[look][0], grounds[look][1], &out);
	fwrite(out.data, 1, out.len, stdout);
	stage_close(&st);
	return fflush(stdout) == 0 ? 0 : 1;
}
