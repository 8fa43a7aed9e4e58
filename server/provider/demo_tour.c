/* demo_tour.c -- what a person sees on the first day: everything Vyre can show, once, at a walk.
 *
 * A table of steps. Where the person is asked, either answer is fine; the words behind it fit both.
 * All of it happens in a scratch folder, so the project stays as it was. */
#include <string.h>
#include <sys/stat.h>

#include "server/provider/demo_agent.h"
#include "shared/base/ban.h"

#define WALK_MS 22 /* between two words: a calm reader's pace */

enum tour_kind { TOUR_SAY, TOUR_THINK, TOUR_CALL, TOUR_CALL_IF, TOUR_REACT };

/* %s in a call's input is the scratch folder. `otherwise` is said by TOUR_REACT when the call
 * before it was refused; TOUR_CALL_IF is made only when it was not. */
struct tour_step {
	enum tour_kind kind;
	const char *name, *text, *otherwise;
};

static const char welcome[] =
	"# Welcome to Vyre\n\nThis is the **demo**: an agent that is built in. It needs no network "
	"and "
	"no key, and it does everything a real one does, so you can try every key before it "
	"matters.\n\n"
	"- While I talk you can\n  - **type**: your words reach me at my next step (that is "
	"*steering*)\n"
	"  - press **esc**: I stop at once, and what you had queued is held\n"
	"  - close the terminal: I go on, and `vyre-tui` brings you back to this very line\n"
	"- Whatever I want to *do*, I ask first\n\n"
	"| What | How | 漢字 · emoji |\n|------|-----|-------------|\n| steer | just type | "
	"舵を取る 🧭 |\n"
	"| queue | `&` and your words | 並ぶ ⏳ |\n| interrupt | esc | 止める ✋ |\n| modes | "
	"shift-tab | 許可 👩🏽‍💻 |\n\n"
	"Code in several languages, while we are here:\n\n"
	"```c\n/* C: this is what Vyre is made of */\nstatic size_t longest(const char *const *v, "
	"size_t n)\n{\n"
	"\tsize_t best = 0;\n\n\tfor (size_t i = 0; i < n; i++)\n\t\tif (strlen(v[i]) > best)\n"
	"\t\t\tbest = strlen(v[i]);\n\treturn best;\n}\n```\n\n"
	"```python\n# Python\ndef longest(words):\n    return max(map(len, words), "
	"default=0)\n```\n\n"
	"```sh\n# and a shell, which can do it too\nawk '{ if (length > n) n = length } END { "
	"print n }' words\n```\n\n"
	"> Nothing here is hidden: ctrl-o shows what I thought, enter opens a row.\n\nFirst, a "
	"list of what "
	"comes.\n";

static const char todos[][512] = {
	"{\"todos\":[{\"content\":\"Run a "
	"command\",\"status\":\"in_progress\",\"activeForm\":\"Running a command\"},"
	"{\"content\":\"Write a file and change "
	"it\",\"status\":\"pending\",\"activeForm\":\"Writing\"},"
	"{\"content\":\"Ask you something\",\"status\":\"pending\",\"activeForm\":\"Asking\"},"
	"{\"content\":\"Propose a plan\",\"status\":\"pending\",\"activeForm\":\"Planning\"}]}",
	"{\"todos\":[{\"content\":\"Run a "
	"command\",\"status\":\"completed\",\"activeForm\":\"Running a command\"},"
	"{\"content\":\"Write a file and change "
	"it\",\"status\":\"in_progress\",\"activeForm\":\"Writing\"},"
	"{\"content\":\"Ask you something\",\"status\":\"pending\",\"activeForm\":\"Asking\"},"
	"{\"content\":\"Propose a plan\",\"status\":\"pending\",\"activeForm\":\"Planning\"}]}",
	"{\"todos\":[{\"content\":\"Run a "
	"command\",\"status\":\"completed\",\"activeForm\":\"Running a command\"},"
	"{\"content\":\"Write a file and change "
	"it\",\"status\":\"completed\",\"activeForm\":\"Writing\"},"
	"{\"content\":\"Ask you something\",\"status\":\"completed\",\"activeForm\":\"Asking\"},"
	"{\"content\":\"Propose a plan\",\"status\":\"completed\",\"activeForm\":\"Planning\"}]}",
};

static const struct tour_step steps[] = {
	{ TOUR_THINK, NULL,
		"Somebody new. Show the screen first: headings, a list, a table with wide "
		"characters, "
		"code. Then do something real, and ask before it.",
		NULL },
	{ TOUR_SAY, NULL, welcome, NULL },
	{ TOUR_CALL, "TodoWrite", todos[0], NULL },
	{ TOUR_SAY, NULL, "Now a real command. The panel below shows exactly what would run.\n",
		NULL },
	{ TOUR_CALL, "Bash",
		"{\"command\":\"uname -sr && date && printf '\\\\033[32m%%s\\\\033[0m\\\\n' "
		"'colours stay colours'\","
		"\"description\":\"Say where we are\"}",
		NULL },
	{ TOUR_REACT, NULL, "That ran on this machine, just now, because you said yes.\n",
		"Good: a *no* is an answer like any other. I go on without it.\n" },
	{ TOUR_CALL, "TodoWrite", todos[1], NULL },
	{ TOUR_SAY, NULL,
		"Next a scratch file, far from your project, and then a change to it: watch the "
		"diff.\n",
		NULL },
	{ TOUR_CALL, "Write",
		"{\"file_path\":\"%s/haiku.txt\",\"content\":\"an old silent pond\\na frog jumps "
		"into the pond\\nthe sound of "
		"water\\n\"}",
		NULL },
	{ TOUR_CALL_IF, "Edit",
		"{\"file_path\":\"%s/haiku.txt\",\"old_string\":\"the sound of "
		"water\",\"new_string\":\"splash! silence "
		"again\",\"replace_all\":false}",
		NULL },
	{ TOUR_REACT, NULL, "Two lines stay, one changed: that is how every edit will look.\n",
		"Then the pond stays silent.\n" },
	{ TOUR_CALL, "AskUserQuestion",
		"{\"questions\":[{\"question\":\"What would you like to do with Vyre "
		"first?\",\"header\":\"First\","
		"\"multiSelect\":false,\"options\":[{\"label\":\"Fix "
		"something\",\"description\":\"A bug in a project of mine\"},"
		"{\"label\":\"Build something\",\"description\":\"A new thing\"},{\"label\":\"Look "
		"around\",\"description\":\"Just "
		"curious\"}]}]}",
		NULL },
	{ TOUR_REACT, NULL,
		"Noted. A question can be answered from any screen, or in your own words.\n",
		"No answer is fine too.\n" },
	{ TOUR_CALL, "TodoWrite", todos[2], NULL },
	{ TOUR_CALL, "ExitPlanMode",
		"{\"plan\":\"# A plan for today\\n\\n1. Install an agent: `npm install -g "
		"@anthropic-ai/claude-code`\\n2. Run "
		"`vyre-tui` in a project of yours\\n3. Ask it for something small, and watch it "
		"work\\n\"}",
		NULL },
	{ TOUR_REACT, NULL, "Then that is the plan.\n", "Then we keep planning.\n" },
	{ TOUR_SAY, NULL,
		"Last, some work behind the scenes. It goes on while we talk, and I will speak up "
		"when it is done.\n",
		NULL },
	{ TOUR_CALL, "Bash",
		"{\"command\":\"sleep 3; echo the background is done\",\"description\":\"Wait in "
		"the background\","
		"\"run_in_background\":true}",
		NULL },
	{ TOUR_SAY, NULL,
		"That was the tour. Some things to try now:\n\n1. Send `slow:20`, then type while "
		"it speaks: that steers\n"
		"2. Send `slow:20` again and press **esc**\n3. Send `bash:ls -la` and answer "
		"*Always*\n"
		"4. Send `agentfg:bash:date ,, say:5`: an agent inside the agent\n5. Open a second "
		"terminal and run `vyre-tui` there as well\n\n"
		"`tour` shows all this again.\n",
		NULL },
};

/* ---- the walk ---- */

static const char *scratch(struct demo *d)
{
	const char *tmp = getenv("TMPDIR");
	char *dir = vy_arena_printf(
		&d->arena, "%s/vyre-demo-%.8s", tmp && tmp[0] == '/' ? tmp : "/tmp", d->session);

	mkdir(dir, 0700);
	return dir;
}

/* The input with the scratch folder in the place of %s, and %% for a percent sign. */
static struct vy_json *input_of(struct demo *d, const char *text)
{
	VY_AUTO_BUF b = VY_BUF_INIT(65536);

	for (const char *p = text; *p; p++) {
		if (p[0] == '%' && p[1] == 's') {
			vy_buf_adds(&b, scratch(d));
			p++;
		} else if (p[0] == '%' && p[1] == '%') {
			vy_buf_addc(&b, *p++);
		} else {
			vy_buf_addc(&b, *p);
		}
	}
	return vy_json_parse(vy_buf_str(&b), NULL);
}

static bool think(struct demo *d, const char *text, int64_t delay)
{
	struct demo_message m;
	size_t n;
	struct vy_str *v = demo_pieces(d, vy_str_c(text), &n);

	demo_message_begin(d, &d->main, &m);
	bool goes_on = demo_message_words(d, &m, true, v, n, delay);

	demo_message_end(d, &m, "end_turn");
	return goes_on;
}

static bool call(struct demo *d, const struct tour_step *s, bool *was_refused)
{
	struct demo_message m;
	struct demo_done done;
	VY_AUTO_JSON *input = input_of(d, s->text);

	demo_message_begin(d, &d->main, &m);
	struct demo_call c = demo_message_call(d, &m, s->name, input);

	demo_message_end(d, &m, "tool_use");
	bool goes_on = demo_call(d, &d->main, &c, &done);

	if (!goes_on && !d->is_dying) {
		demo_out_interrupted(&d->main, true);
	}
	*was_refused = done.is_error;
	return goes_on;
}

bool demo_tour(struct demo *d)
{
	int64_t delay = d->is_fast ? 0 : WALK_MS;
	bool was_refused = false, goes_on = true;

	for (size_t i = 0; i < VY_COUNT(steps) && goes_on; i++) {
		const struct tour_step *s = &steps[i];

		switch (s->kind) {
		case TOUR_THINK: goes_on = think(d, s->text, delay); break;
		case TOUR_SAY: goes_on = demo_say(d, &d->main, vy_str_c(s->text), delay); break;
		case TOUR_REACT:
			goes_on = demo_say(
				d, &d->main, vy_str_c(was_refused ? s->otherwise : s->text), delay);
			break;
		case TOUR_CALL_IF:
			if (was_refused) {
				break;
			}
			/* fall through */
		case TOUR_CALL:
			goes_on = call(d, s, &was_refused) && !d->wants_now;
			if (goes_on && demo_boundary(d)) {
				return demo_play(d, &d->main, NULL);
			}
			break;
		}
	}
	return goes_on;
}
