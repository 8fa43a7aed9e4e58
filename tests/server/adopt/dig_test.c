/* The folders of other programs with all that may lie in them: what is found, what is said of the rest, and that
 * nothing of it was touched. */
#include "tests/check.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "server/adopt/dig.h"
#include "server/io/db.h"
#include "shared/base/buf.h"
#include "shared/base/mem.h"
#include "tests/server/tempdir.h"
#include "shared/base/ban.h"

#define ID(n) "11111111-2222-4333-8444-0000000000" n
#define WORD  "{\"type\":\"user\",\"cwd\":\"/w\",\"message\":{\"content\":\"hello\"}}\n"

struct ground {
	struct tempdir dir;
	char claude[900], codex[900], gemini[900], opencode[900], own[900];
	struct dig *dig;
};

static void path_in(const struct ground *g, const char *name, char out[900])
{
	snprintf(out, 900, "%s/%s", g->dir.path, name);
}

static void make_dirs(const struct ground *g, const char *name)
{
	char path[900];

	path_in(g, name, path);
	for (char *p = path + strlen(g->dir.path) + 1; (p = strchr(p, '/')); p++) {
		*p = '\0';
		mkdir(path, 0700);
		*p = '/';
	}
}

static void put(const struct ground *g, const char *name, struct vy_str text, int at)
{
	const struct timespec times[2] = { { .tv_sec = at }, { .tv_sec = at } };
	char path[900];
	int fd;

	make_dirs(g, name);
	path_in(g, name, path);
	fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
	assert_true(fd >= 0 && write(fd, text.p, text.n) == (ssize_t)text.n);
	assert_int_equal(futimens(fd, times), 0);
	close(fd);
}

static void dig_again(struct ground *g)
{
	dig_free(g->dig);
	g->dig = dig_new(&(struct dig_conf){ .own_dir = g->own,
		.claude = g->claude,
		.codex = g->codex,
		.gemini = g->gemini,
		.opencode = g->opencode,
		.uid = geteuid() });
}

static void ground_new(struct ground *g)
{
	memset(g, 0, sizeof(*g));
	g->dir = tempdir_make();
	path_in(g, "claude", g->claude);
	path_in(g, "codex", g->codex);
	path_in(g, "gemini", g->gemini);
	path_in(g, "opencode", g->opencode);
	path_in(g, "own", g->own);
	dig_again(g);
}

static void ground_free(struct ground *g)
{
	dig_free(g->dig);
	tempdir_remove(g->dir.path);
}

/* "kind id title" a line, newest first; then "! why" of what could not be read. */
static void found(struct ground *g, struct vy_buf *out)
{
	struct dig_finds f = { 0 };

	dig_walk(g->dig, NULL, &f);
	for (size_t i = 0; i < f.n; i++) {
		dig_glance(g->dig, &f.v[i]);
		if (f.v[i].why) {
			vy_buf_adds(out, "? unreadable\n");
		} else if (!f.v[i].is_none) {
			vy_buf_addf(out, "%s %.2s %s%s\n", f.v[i].kind->kind,
				f.v[i].id + strlen(f.v[i].id) - 2,
				f.v[i].title ? f.v[i].title : "-",
				f.v[i].is_archived ? " (archived)" : "");
		}
	}
	for (size_t i = 0; i < f.n_notes; i++) {
		vy_buf_addf(out, "! %s: %s\n", f.notes[i].kind, f.notes[i].why);
	}
	dig_keep(g->dig);
	dig_finds_fini(&f);
}

static void check_found(const char *name, struct ground *g, const char *want)
{
	VY_AUTO_BUF out = VY_BUF_INIT(1024 * 1024);

	found(g, &out);
	check_vstr(name, vy_buf_str(&out), vy_str_c(want));
}

/* What the whole tree is, as a sum: names, inodes, times, sizes, bytes. */
static void sum(const struct ground *g, struct vy_buf *out)
{
	char command[3000], line[200];

	snprintf(command, sizeof(command),
		"cd '%s' && { find claude codex gemini opencode -printf '%%p %%i %%T@ %%s %%m\\n' "
		"2>/dev/null"
		" | sort; find claude codex gemini opencode -type f -size -100k 2>/dev/null | sort "
		"| xargs cat; } | sha256sum",
		g->dir.path);
	FILE *p = popen(command, "r");

	assert_non_null(p);
	assert_non_null(fgets(line, sizeof(line), p));
	pclose(p);
	vy_buf_adds(out, line);
}

/* ---- what may lie there ---- */

static void oddities(void **state)
{
	struct ground g;
	char path[900], other[900];
	VY_AUTO_BUF before = VY_BUF_INIT(4096), after = VY_BUF_INIT(4096);
	VY_AUTO_BUF big = VY_BUF_INIT(64 << 20);

	(void)state;
	ground_new(&g);
	put(&g, "claude/projects/-w/" ID("01") ".jsonl", VY_STR_LIT(WORD), 1000);
	put(&g, "claude/projects/-w/" ID("02") ".jsonl", VY_STR_LIT(""), 2000); /* empty */
	put(&g, "claude/projects/-w/" ID("03") ".jsonl", VY_STR_LIT(WORD "{\"type\":\"us"), 3000);
	put(&g, "claude/projects/-w/" ID("04") ".jsonl", VY_STR_LIT("\0\1\2\n\xFF\xFE\n"), 4000);
	put(&g, "claude/projects/-w/notes.txt", VY_STR_LIT(WORD), 5000);
	put(&g, "claude/projects/-w/" ID("01") "/subagents/agent-x.jsonl", VY_STR_LIT(WORD), 5000);
	put(&g, "claude/projects/" ID("05") ".jsonl", VY_STR_LIT(WORD), 5000); /* too high up */
	path_in(&g, "claude/projects/-w/" ID("06") ".jsonl", path);
	assert_int_equal(mkfifo(path, 0600), 0);
	path_in(&g, "claude/projects/-w/" ID("01") ".jsonl", other);
	path_in(&g, "claude/projects/-w/" ID("07") ".jsonl", path);
	assert_int_equal(symlink(other, path), 0);
	path_in(&g, "claude/projects/round", path);
	path_in(&g, "claude/projects", other);
	assert_int_equal(symlink(other, path), 0);
	vy_buf_adds(&big, "{\"type\":\"user\",\"cwd\":\"/w\",\"message\":{\"content\":\"");
	for (int i = 0; i < 30 << 20; i++) {
		vy_buf_addc(&big, 'x');
	}
	put(&g, "claude/projects/-w/" ID("08") ".jsonl", vy_buf_str(&big), 800);
	put(&g, "codex/archived_sessions/rollout-2026-01-02T03-04-05-" ID("09") ".jsonl",
		VY_STR_LIT("{\"type\":\"session_meta\",\"payload\":{\"cwd\":\"/"
			   "w\"}}\n{\"type\":\"event_msg\","
			   "\"payload\":{\"type\":\"user_message\",\"message\":\"old\"}}\n"),
		900);
	sum(&g, &before);
	check_found("of all that lies there", &g,
		"claude 03 hello\nclaude 01 hello\ncodex 09 old (archived)\nclaude 08 -\n");
	check_found("the same from what was kept", &g,
		"claude 03 hello\nclaude 01 hello\ncodex 09 old (archived)\nclaude 08 -\n");
	sum(&g, &after);
	check_vstr("nothing was touched", vy_buf_str(&after), vy_buf_str(&before));
	ground_free(&g);
}

static void others(void **state)
{
	struct ground g;
	char path[900];

	(void)state;
	ground_new(&g);
	put(&g, "claude/projects/-w/" ID("01") ".jsonl", VY_STR_LIT(WORD), 1000);
	put(&g, "claude/projects/-x/" ID("02") ".jsonl", VY_STR_LIT(WORD), 2000);
	path_in(&g, "claude/projects/-x/" ID("02") ".jsonl", path);
	if (geteuid() == 0) {
		assert_int_equal(chown(path, 12345, 12345), 0);
		check_found("another user's file", &g,
			"claude 01 hello\n! claude: it belongs to another user\n");
	} else {
		assert_int_equal(chmod(path, 0), 0);
		check_found("a file that may not be read", &g, "? unreadable\nclaude 01 hello\n");
		path_in(&g, "claude/projects/-x", path);
		assert_int_equal(chmod(path, 0), 0);
		check_found("a folder that may not be read", &g,
			"claude 01 hello\n! claude: Permission denied\n");
		assert_int_equal(chmod(path, 0700), 0);
	}
	ground_free(&g);
}

static void nothing(void **state)
{
	struct ground g;

	(void)state;
	ground_new(&g);
	check_found("none of the folders is there", &g, "");
	put(&g, "claude/projects", VY_STR_LIT("a file where a folder should be"), 1);
	check_found("a file in the place of a folder", &g, "");
	ground_free(&g);
}

static void many(void **state)
{
	struct ground g;
	VY_AUTO_BUF out = VY_BUF_INIT(8 << 20);
	size_t lines = 0;

	(void)state;
	ground_new(&g);
	for (int i = 0; i < 5000; i++) {
		char name[200];

		snprintf(name, sizeof(name),
			"claude/projects/-p%d/11111111-2222-4333-8444-%012d.jsonl", i % 50, i);
		put(&g, name, VY_STR_LIT(WORD), i);
	}
	found(&g, &out);
	for (size_t i = 0; i < out.len; i++) {
		lines += out.data[i] == '\n';
	}
	assert_int_equal(lines, 5000);
	ground_free(&g);
}

/* ---- the cache ---- */

static void kept(void **state)
{
	struct ground g;

	(void)state;
	ground_new(&g);
	put(&g, "claude/projects/-w/" ID("01") ".jsonl", VY_STR_LIT(WORD), 1000);
	check_found("first", &g, "claude 01 hello\n");
	dig_again(&g);
	/* of the same time and size it is not looked at: so what was kept is what is said */
	put(&g, "claude/projects/-w/" ID("01") ".jsonl",
		VY_STR_LIT(
			"{\"type\":\"user\",\"cwd\":\"/w\",\"message\":{\"content\":\"other\"}}\n"),
		1000);
	check_found("by another one, from its file", &g, "claude 01 hello\n");
	put(&g, "claude/projects/-w/" ID("01") ".jsonl",
		VY_STR_LIT(
			"{\"type\":\"user\",\"cwd\":\"/w\",\"message\":{\"content\":\"other\"}}\n"),
		1001);
	check_found("it has another time", &g, "claude 01 other\n");
	dig_again(&g);
	put(&g, "own/glances.jsonl",
		VY_STR_LIT("{\"v\":1,\"path\":7}\nnonsense\n{\"v\":9,\"path\":\"x\"}\n"), 1);
	check_found("a cache that is nonsense", &g, "claude 01 other\n");
	ground_free(&g);
}

/* ---- the database ---- */

static struct db *make_db(struct ground *g)
{
	char path[900];
	struct vy_err e = { 0 };

	make_dirs(g, "opencode/opencode.db");
	path_in(g, "opencode/opencode.db", path);
	put(g, "opencode/opencode.db", VY_STR_LIT(""), 1000);
	struct db *db = db_open_side(path, &e);

	assert_non_null(db);
	assert_int_equal(
		db_exec(db,
			"PRAGMA journal_mode = WAL;"
			"CREATE TABLE session(id TEXT PRIMARY KEY, parent_id TEXT, directory TEXT, "
			"title TEXT,"
			" time_updated INTEGER, time_archived INTEGER);"
			"CREATE TABLE message(id TEXT PRIMARY KEY, session_id TEXT, data TEXT);"
			"CREATE TABLE part(id TEXT PRIMARY KEY, message_id TEXT, data TEXT);"
			"INSERT INTO session VALUES ('ses_01', NULL, '/w', 'fruit', 5000, NULL),"
			" ('ses_02', 'ses_01', '/w', 'a part of it', 6000, NULL),"
			" ('ses_03', NULL, '/w', 'older', 4000, 4500);"
			"INSERT INTO message VALUES ('m1', 'ses_01', '{\"role\":\"user\"}');"
			"INSERT INTO part VALUES ('p1', 'm1', "
			"'{\"type\":\"text\",\"text\":\"hi\"}')",
			&e),
		0);
	return db;
}

static void database(void **state)
{
	struct ground g;
	struct dig_finds f = { 0 };
	struct vy_err e = { 0 };
	VY_AUTO_BUF before = VY_BUF_INIT(4096), after = VY_BUF_INIT(4096);
	size_t n = 0;
	int64_t begin, upto;

	(void)state;
	ground_new(&g);
	struct db *db = make_db(&g);

	assert_int_equal(db_exec(db, "BEGIN EXCLUSIVE", &e), 0); /* its owner holds it */
	sum(&g, &before);
	check_found("a database that its owner holds", &g,
		"opencode 01 fruit\nopencode 03 older (archived)\n");
	dig_walk(g.dig, &adopt_opencode, &f);
	char *text = dig_read(g.dig, &f.v[0], 0, &n, &begin, &upto, &e);

	check_vstr("one of it", vy_str_n(text, n),
		VY_STR_LIT("{\"id\":\"m1\",\"data\":\"{\\\"role\\\":\\\"user\\\"}\",\"parts\":[{"
			   "\"id\":"
			   "\"p1\",\"data\":\"{\\\"type\\\":\\\"text\\\",\\\"text\\\":\\\"hi\\\"}"
			   "\"}]}\n"));
	free(text);
	dig_finds_fini(&f);
	sum(&g, &after);
	check_vstr("nothing was touched", vy_buf_str(&after), vy_buf_str(&before));
	assert_int_equal(
		db_exec(db, "COMMIT; UPDATE session SET title = 'pear' WHERE id = 'ses_01'", &e),
		0);
	check_found("it was written to", &g, "opencode 01 pear\nopencode 03 older (archived)\n");
	db_close(db);
	ground_free(&g);
}

static void bad_database(void **state)
{
	struct ground g;
	VY_AUTO_BUF out = VY_BUF_INIT(65536);

	(void)state;
	ground_new(&g);
	put(&g, "opencode/opencode.db", VY_STR_LIT("this is no database at all, by no means"),
		1000);
	put(&g, "claude/projects/-w/" ID("01") ".jsonl", VY_STR_LIT(WORD), 1000);
	found(&g, &out);
	assert_non_null(strstr(vy_buf_c(&out), "claude 01 hello\n! opencode: "));
	ground_free(&g);
}

/* Between the walk and the glance a file may lose its end, or all of it. */
static void shrinks(void **state)
{
	static const char *const name = "claude/projects/-w/" ID("01") ".jsonl";
	static const struct {
		const char *name, *left;
	} rows[] = {
		{ "nothing is left", "" },
		{ "words without a title are left", "{\"type\":\"assistant\",\"cwd\":\"/w\"}\n" },
		{ "half a line is left", "{\"type\":\"us" },
	};
	VY_AUTO_BUF text = VY_BUF_INIT(512 * 1024);
	struct ground g;

	(void)state;
	vy_buf_adds(&text, "{\"type\":\"assistant\",\"message\":\"");
	for (int i = 0; i < 300000; i++) {
		vy_buf_addc(&text, 'x');
	}
	for (size_t i = 0; i < VY_COUNT(rows); i++) {
		struct dig_finds f = { 0 };

		ground_new(&g);
		put(&g, name, vy_buf_str(&text), 1000);
		dig_walk(g.dig, NULL, &f);
		assert_int_equal(f.n, 1);
		put(&g, name, vy_str_c(rows[i].left), 1000);
		alarm(60); /* it looked for the rest for ever */
		dig_glance(g.dig, &f.v[0]);
		alarm(0);
		if (f.v[0].title) {
			fail_msg("%s: a title: %s", rows[i].name, f.v[0].title);
		}
		dig_finds_fini(&f);
		ground_free(&g);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(oddities),
		cmocka_unit_test(others),
		cmocka_unit_test(nothing),
		cmocka_unit_test(many),
		cmocka_unit_test(kept),
		cmocka_unit_test(shrinks),
		cmocka_unit_test(database),
		cmocka_unit_test(bad_database),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
