/* spoken_test.c -- an ask as plain words, and what is typed as its answer. */
#include "tui/cmd/spoken.h"

#include <stdlib.h>
#include <string.h>

#include "shared/base/arena.h"
#include "shared/base/mem.h"
#include "tests/check.h"
#include "shared/base/ban.h"

#define OPTIONS                                                                                    \
	"'options':[{'id':'allow','label':'Yes','decision':'allow'},{'id':'always','label':'"      \
	"Always in this project','decision':'allow','rule':'Bash(make:*)','scope':'project',"      \
	"'scopes':['session','project','user']},{'id':'deny','label':'No','decision':'deny'}]"
#define PERMISSION                                                                                 \
	"{'ask':'a','kind':'permission','tool':'Bash','title':'Run a command','summary':'make "    \
	"test','detail':'make test'," OPTIONS "}"
#define PARTS                                                                                      \
	"{'ask':'a','kind':'permission','title':'Run a command','summary':'make && rm x','"        \
	"detail':'make && rm x','options':[{'id':'always','label':'x','decision':'allow',"         \
	"'rule':'Bash(make)','scope':'session','parts':[{'text':'make','rule':'Bash(make)'},{'"    \
	"text':'rm x'}]}]}"
#define EDIT                                                                                       \
	"{'ask':'a','kind':'permission','title':'Change a file','summary':'n.txt','detail':'--- "  \
	"a/n.txt\\n+++ b/n.txt\\n@@ -9,3 +9,3 @@\\n 9\\n-10\\n+ten\\n "                            \
	"11\\n'," OPTIONS "}"
#define NOWHERE                                                                                    \
	"{'ask':'a','kind':'permission','title':'Change a file','summary':'n.txt','detail':'--- "  \
	"a/n.txt\\n+++ b/n.txt\\n@@ -0 +0 @@\\n-10\\n+ten\\n','blocked_path':'/x/n.txt','"         \
	"options':[]}"
#define PLAN                                                                                       \
	"{'ask':'a','kind':'plan','title':'A plan','summary':'Look','detail':'# Look\\n\\n1. "     \
	"there\\n','options':[{'id':'accept-edits','label':'Yes, and accept edits','decision':'"   \
	"allow'},{'id':'deny','label':'No, keep planning','decision':'deny'}]}"
#define COLOUR                                                                                     \
	"{'question':'Which colour?','header':'Colour','multi':false,'free':true,'options':["      \
	"{'label':'Red','description':'warm'},{'label':'Blue'}]}"
#define WHICH                                                                                      \
	"{'question':'Which parts?','header':'Parts','multi':true,'free':true,'options':["         \
	"{'label':'One'},{'label':'Two'}]}"
#define SURE "{'question':'Sure?','free':false,'options':[{'label':'Yes'},{'label':'No'}]}"
#define FORM                                                                                       \
	"{'ask':'a','kind':'question','summary':'q','options':[],'questions':[" COLOUR "," WHICH   \
	"," SURE "]}"
#define ONE "{'ask':'a','kind':'question','summary':'q','options':[],'questions':[" COLOUR "]}"
#define OPEN                                                                                       \
	"{'ask':'a','kind':'question','summary':'q','options':[],'questions':[{'question':'Why?'"  \
	"}]}"
#define BAD                                                                                        \
	"{'ask':'a','kind':'permission','title':'Run\\u001b[2J','summary':'a\\u0007b','options'"   \
	":[]}"

static void take(struct spoken *s, const char *json, struct vy_arena *a)
{
	char *text = vy_arena_dup(a, json, strlen(json));
	struct vy_err e = { 0 };
	struct vy_ask ask;

	for (char *p = text; *p; p++) {
		*p = *p == '\'' ? '"' : *p;
	}
	VY_AUTO_JSON *v = vy_json_parse(vy_str_c(text), &e);

	if (!v || vy_ask_decode(v, a, &ask, &e) != 0) {
		fail_msg("%s: %s", text, e.text);
	}
	spoken_take(s, &ask);
}

/* ---- what is said ---- */

static const struct {
	const char *name, *ask, *want;
} prints[] = {
	{ "a command", PERMISSION,
		"Question: Run a command: make test\n  1  Yes\n  2  Always in this project: "
		"Bash(make:*)\n  3  No, and say\n(type a number and enter to answer; \"2 project\" "
		"or \"2 user\" says where the rule holds)\n" },
	{ "part by part", PARTS,
		"Question: Run a command: make && rm x\n  1  Always in this session: Bash(make)\n"
		"     make: Bash(make)\n     rm x: no rule: it will be asked again\n(type a number "
		"and enter to answer)\n" },
	{ "a change, by its lines", EDIT,
		"Question: Change a file: n.txt\n  line 10 removed: 10\n  line 10 added: ten\n  1  "
		"Yes\n  2  Always in this project: Bash(make:*)\n  3  No, and say\n(type a number "
		"and enter to answer; \"2 project\" or \"2 user\" says where the rule holds)\n" },
	{ "a change that stands nobody knows where", NOWHERE,
		"Question: Change a file: n.txt\n  removed: 10\n  added: ten\nthe path in "
		"question: /x/n.txt\n  1  Yes\n  2  No, and say\n(type a number and enter to "
		"answer)\n" },
	{ "a plan", PLAN,
		"Question: A plan: Look\n  # Look\n\n  1. there\n  1  Yes, and accept edits\n  2  "
		"No, keep planning\n(type a number and enter to answer)\n" },
	{ "the first of a form", FORM,
		"Question: Colour, 1 of 3: Which colour?\n  1  Red: warm\n  2  Blue\n  3  Other…\n"
		"(type a number and enter; /skip leaves it out)\n" },
	{ "one alone is not counted", ONE,
		"Question: Colour: Which colour?\n  1  Red: warm\n  2  Blue\n  3  Other…\n(type a "
		"number and enter; /skip leaves it out)\n" },
	{ "only words", OPEN,
		"Question: Why?\n  1  Other…\n(type a number and enter; /skip leaves it out)\n" },
	{ "nothing to obey", BAD,
		"Question: Run␛[2J: a␇b\n  1  Yes\n  2  No, and say\n(type a number and enter to "
		"answer)\n" },
};

static void test_print(void **state)
{
	(void)state;
	for (size_t i = 0; i < VY_COUNT(prints); i++) {
		VY_AUTO_BUF out = VY_BUF_INIT(65536);
		struct vy_arena a;
		struct spoken s;

		vy_arena_init(&a);
		spoken_init(&s);
		take(&s, prints[i].ask, &a);
		spoken_print(&s, &out);
		vy_buf_addc(&out, '(');
		spoken_hint(&s, &out);
		vy_buf_adds(&out, ")\n");
		check_str(prints[i].name, vy_buf_c(&out), prints[i].want);
		spoken_fini(&s);
		vy_arena_fini(&a);
	}
}

/* ---- what is typed: lines joined by "|" ---- */

#define NO_SUCH   "note there is no such answer; nothing was said\n"
#define INSTEAD   "note type what to do instead, and enter; an empty line says nothing\n"
#define OWN       "note type your own answer, and enter\n"
#define IS(words) "{\"ask\":\"a\",\"decision\":" words "}\n"

static const struct {
	const char *name, *ask, *lines, *want;
} rows[] = {
	{ "yes", PERMISSION, "1", IS("\"allow\"") },
	{ "always, where it says", PERMISSION, "2", IS("\"always\"") },
	{ "always, elsewhere", PERMISSION, "2 user",
		"{\"ask\":\"a\",\"decision\":\"always\",\"always\":{\"scope\":\"user\"}}\n" },
	{ "a yes has no place", PERMISSION, "1 user", NO_SUCH },
	{ "no, and nothing else", PERMISSION, "3|", INSTEAD IS("\"deny\"") },
	{ "no, and what instead", PERMISSION, "3|use make check",
		INSTEAD "{\"ask\":\"a\",\"decision\":\"deny\",\"message\":\"use make check\"}\n" },
	{ "no, and a number is words then", PERMISSION, "3|1",
		INSTEAD "{\"ask\":\"a\",\"decision\":\"deny\",\"message\":\"1\"}\n" },
	{ "no, what instead, and a line for the agent", PERMISSION, "3|leave it|ask|3",
		INSTEAD "{\"ask\":\"a\",\"decision\":\"deny\",\"message\":\"leave "
			"it\"}\nnothing\n" NO_SUCH },
	{ "out of range", PERMISSION, "4|0|99", NO_SUCH NO_SUCH NO_SUCH },
	{ "two of one", PERMISSION, "1 2", NO_SUCH },
	{ "a sentence is for the agent", PERMISSION, "use make|1 more thing|2users|12 days",
		"nothing\nnothing\nnothing\nnothing\n" },
	{ "skipped", PERMISSION, "/skip", IS("\"skip\"") },
	{ "a plan, and no", PLAN, "2|shorter",
		INSTEAD "{\"ask\":\"a\",\"decision\":\"deny\",\"message\":\"shorter\"}\n" },
	{ "no choices: yes", BAD, "1", IS("\"allow\"") },

	{ "a label", ONE, "2",
		"{\"ask\":\"a\",\"decision\":\"allow\",\"answers\":{\"Which "
		"colour?\":\"Blue\"}}\n" },
	{ "words of one's own", ONE, "3|light green",
		OWN "{\"ask\":\"a\",\"decision\":\"allow\",\"answers\":{\"Which colour?\":\"light "
		    "green\"}}\n" },
	{ "and none after all", ONE, "3||1",
		OWN "note nothing was answered; type a number\n{\"ask\":\"a\",\"decision\":"
		    "\"allow\",\"answers\":{\"Which colour?\":\"Red\"}}\n" },
	{ "one may be chosen", ONE, "1 2|4", NO_SUCH NO_SUCH },
	{ "all left out", ONE, "/skip", IS("\"skip\"") },
	{ "only words", OPEN, "1|because",
		OWN "{\"ask\":\"a\",\"decision\":\"allow\",\"answers\":{\"Why?\":\"because\"}}\n" },
	{ "a form, one after the other", FORM, "1|1, 2|2",
		"next\nnext\n{\"ask\":\"a\",\"decision\":\"allow\",\"answers\":{\"Which "
		"colour?\":\"Red\",\"Which parts?\":[\"One\",\"Two\"],\"Sure?\":\"No\"}}\n" },
	{ "numbers and words", FORM, "/skip|2 3 2|four|/skip",
		"next\n" OWN "next\n{\"ask\":\"a\",\"decision\":\"allow\",\"answers\":{\"Which "
		"parts?\":[\"Two\",\"four\"]}}\n" },
	{ "nothing of all", FORM, "/skip|/skip|/skip", "next\nnext\n" IS("\"skip\"") },
	{ "behind the last nothing is an answer", ONE, "1|2",
		"{\"ask\":\"a\",\"decision\":\"allow\",\"answers\":{\"Which "
		"colour?\":\"Red\"}}\n" NO_SUCH },
};

static void type(struct spoken *s, struct vy_str line, struct vy_buf *told)
{
	struct vy_json *params = NULL;
	const char *note = NULL;

	switch (spoken_line(s, line, &params, &note)) {
	case SPOKEN_NOTHING: vy_buf_adds(told, "nothing\n"); break;
	case SPOKEN_NOTE: vy_buf_addf(told, "note %s\n", note); break;
	case SPOKEN_NEXT: vy_buf_adds(told, "next\n"); break;
	case SPOKEN_ANSWER:
		vy_json_dump(params, told);
		vy_buf_addc(told, '\n');
		break;
	}
	vy_json_free(params);
}

static void test_lines(void **state)
{
	(void)state;
	for (size_t i = 0; i < VY_COUNT(rows); i++) {
		VY_AUTO_BUF told = VY_BUF_INIT(65536);
		struct vy_arena a;
		struct spoken s;
		const char *line = rows[i].lines;

		vy_arena_init(&a);
		spoken_init(&s);
		take(&s, rows[i].ask, &a);
		for (;;) {
			size_t n = strcspn(line, "|");

			type(&s, vy_str_n(line, n), &told);
			if (!line[n]) {
				break;
			}
			line += n + 1;
		}
		check_str(rows[i].name, vy_buf_c(&told), rows[i].want);
		spoken_fini(&s);
		vy_arena_fini(&a);
	}
}

CHECK_MAIN(CHECK_TEST(test_print), CHECK_TEST(test_lines))
