/* list.c -- what there is: sessions, open asks, the server in one line. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "shared/base/clock.h"
#include "tui/cmd/inside.h"
#include "tui/words/words.h"
#include "shared/base/ban.h"

/* ---- ls ---- */

static void print_age(int64_t then_ms)
{
	int64_t s = (vy_wall_ms(&vy_clock_real) - then_ms) / 1000;

	s = s < 0 ? 0 : s;
	if (s < 60) {
		printf("%4llds", (long long)s);
	} else if (s < 3600) {
		printf("%4lldm", (long long)s / 60);
	} else if (s < 86400) {
		printf("%4lldh", (long long)s / 3600);
	} else {
		printf("%4lldd", (long long)s / 86400);
	}
}

static void print_session(const struct vy_json *r)
{
	struct vy_str id = vy_json_str(r, "session"), state = vy_json_str(r, "state");
	struct vy_str provider = vy_json_str(r, "provider");
	int64_t asks = vy_json_int(r, "asks", 0);

	printf("%.8s  %-8.*s  %-8.*s ", id.n >= 8 ? id.p : "?", VY_STR_ARG(state),
		VY_STR_ARG(provider));
	print_age(vy_json_int(r, "updated", 0));
	printf("  ");
	cmd_print_line(vy_json_str(r, "title"));
	if (asks > 0) {
		printf("  %s", _("needs you"));
	}
	printf("  ");
	cmd_print_line(vy_json_str(r, "cwd"));
	putchar('\n');
}

static int newer(const void *a, const void *b)
{
	int64_t ta = vy_json_int(*(struct vy_json *const *)a, "updated", 0);
	int64_t tb = vy_json_int(*(struct vy_json *const *)b, "updated", 0);

	return ta < tb ? 1 : ta > tb ? -1 : 0;
}

int cmd_ls(struct cmd *c, struct vy_err *e)
{
	VY_AUTO_JSON *list = cmd_call(c, "threads.list", NULL, NULL, e);
	const struct vy_json *threads = vy_json_get(list, "threads");
	size_t n = vy_json_len(threads);
	struct vy_json **sorted;

	if (!list) {
		return cmd_exit_of(e);
	}
	sorted = calloc(n + 1, sizeof(struct vy_json *));
	for (size_t i = 0; sorted && i < n; i++) {
		sorted[i] = vy_json_at(threads, i);
	}
	qsort(sorted, n, sizeof(struct vy_json *), newer);
	for (size_t i = 0; i < n; i++) {
		if (c->o->is_json) {
			cmd_print_json(sorted[i]);
		} else {
			print_session(sorted[i]);
		}
	}
	free(sorted);
	return CMD_OK;
}

/* ---- asks ---- */

static void print_ask(const struct vy_json *a)
{
	const struct vy_json *options = vy_json_get(a, "options"), *one;

	cmd_print_line(vy_json_str(a, "ask"));
	printf("  ");
	cmd_print_line(vy_json_str(a, "kind"));
	if (vy_json_str(a, "tool").n) {
		printf("  ");
		cmd_print_line(vy_json_str(a, "tool"));
	}
	printf("  ");
	cmd_print_line(vy_json_str(a, "summary"));
	putchar('\n');
	for (size_t i = 0; i < vy_json_len(options); i++) {
		one = vy_json_at(options, i);
		printf("    ");
		cmd_print_line(vy_json_str(one, "id"));
		printf("  ");
		cmd_print_line(vy_json_str(one, "label"));
		putchar('\n');
	}
}

int cmd_asks(struct cmd *c, struct vy_err *e)
{
	const char *name = c->o->n_args > 0 ? c->o->args[0] : NULL;
	VY_AUTO_JSON *record = cmd_session(c, name, e);
	struct vy_json *params;
	const struct vy_json *asks;

	if (!record) {
		return cmd_exit_of(e);
	}
	params = vy_json_new_obj();
	vy_json_set_c(params, "session", c->session);
	VY_AUTO_JSON *list = cmd_call(c, "threads.asks", params, NULL, e);

	if (!list) {
		return cmd_exit_of(e);
	}
	asks = vy_json_get(list, "asks");
	for (size_t i = 0; i < vy_json_len(asks); i++) {
		if (c->o->is_json) {
			cmd_print_json(vy_json_at(asks, i));
		} else {
			print_ask(vy_json_at(asks, i));
		}
	}
	return CMD_OK;
}

/* ---- status ---- */

static void count(const struct vy_json *threads, int64_t *working, int64_t *waiting)
{
	for (size_t i = 0; i < vy_json_len(threads); i++) {
		const struct vy_json *r = vy_json_at(threads, i);
		struct vy_str state = vy_json_str(r, "state");

		if (vy_json_int(r, "asks", 0) > 0 || vy_str_is(state, "waiting")) {
			++*waiting;
		} else if (vy_str_is(state, "running") || vy_str_is(state, "starting")) {
			++*working;
		}
	}
}

static void print_status(int64_t working, int64_t waiting)
{
	if (waiting > 0) {
		printf(words_count("%lld needs you", "%lld need you", (unsigned long)waiting),
			(long long)waiting);
	}
	if (waiting > 0 && working > 0) {
		printf(", ");
	}
	if (working > 0) {
		printf(words_count("%lld working", "%lld working", (unsigned long)working),
			(long long)working);
	}
	if (waiting == 0 && working == 0) {
		printf("%s", _("quiet"));
	}
	putchar('\n');
}

int cmd_status(struct cmd *c, struct vy_err *e)
{
	VY_AUTO_JSON *info = cmd_call(c, "server.info", NULL, NULL, e);
	VY_AUTO_JSON *list = info ? cmd_call(c, "threads.list", NULL, NULL, e) : NULL;
	const struct vy_json *threads = vy_json_get(list, "threads");
	int64_t working = 0, waiting = 0;

	if (!list) {
		return cmd_exit_of(e);
	}
	count(threads, &working, &waiting);
	if (!c->o->is_json) {
		print_status(working, waiting);
		return CMD_OK;
	}
	VY_AUTO_JSON *o = vy_json_new_obj();

	vy_json_set(o, "server", info);
	vy_json_set_int(o, "sessions", (int64_t)vy_json_len(threads));
	vy_json_set_int(o, "working", working);
	vy_json_set_int(o, "needs_you", waiting);
	cmd_print_json(o);
	return CMD_OK;
}
