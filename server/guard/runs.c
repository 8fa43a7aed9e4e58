/* runs.c -- group 4: ways to answer, to control Vyre, to start a session that asks less, to leave
 * the tree of processes, and signals; and what is put before a person. */
#include "server/guard/judge.h"

#include <string.h>

#include "shared/base/ban.h"

#define D GUARD_DENY
#define A GUARD_ASK

/* `word` is looked for among the program's arguments; NULL: the program alone. "=x" wants a word that
 * begins with x, "~x" one that holds it, "!x" forbids the program without that word, "x y" a word x
 * with y right behind it. Program "*" is any that does not merely speak of it. */
static const struct {
	enum guard_verdict verdict;
	const char *rule, *program, *word;
} forbidden[] = {
	{ D, "answers", "vyre-tui", "answer" },
	{ D, "answers", "vyre-tui", "mode" },
	{ D, "answers", "vyre-tui", "trust" },
	{ D, "answers", "vyre-tui", "distrust" },
	{ D, "answers", "vyre-tui", "release" },
	{ D, "answers", "curl", "~/v1/rpc" },
	{ D, "answers", "wget", "~/v1/rpc" },
	{ D, "answers", "http", "~/v1/rpc" },
	{ D, "answers", "websocat", "~/v1/stream" },
	{ D, "answers", "curl", "~threads.answer" },
	{ D, "vyre-control", "vyred", "stop" },
	{ D, "vyre-control", "vyred", "secret" },
	{ D, "vyre-control", "vyred", "hook" },
	{ D, "vyre-control", "vyred", "restore" },
	{ D, "vyre-control", "vyred", "bridge" },
	{ D, "vyre-control", "vyred", "people" },
	{ D, "vyre-control", "vyred", "devices" },
	{ D, "vyre-control", "vyre-tui", "stop" },
	{ D, "vyre-control", "systemctl", "=vyred" },
	{ D, "vyre-control", "service", "=vyred" },
	{ D, "vyre-control", "launchctl", "~vyre" },
	{ D, "vyre-state", "curl", "~vyred.sock" },
	{ D, "vyre-state", "socat", "~vyred.sock" },
	{ D, "vyre-state", "nc", "~vyred.sock" },
	{ D, "vyre-state", "ncat", "~vyred.sock" },
	{ D, "vyre-state", "curl", "~rpc.sock" },
	{ D, "vyre-state", "socat", "~rpc.sock" },
	{ D, "vyre-state", "nc", "~rpc.sock" },
	{ D, "vyre-state", "ncat", "~rpc.sock" },
	{ D, "lax-session", "*", "=--dangerously-skip-permissions" },
	{ D, "lax-session", "*", "=--allow-dangerously-skip-permissions" },
	{ D, "lax-session", "*", "=--dangerously-bypass-approvals-and-sandbox" },
	{ D, "lax-session", "*", "=--dangerously-allow-all" },
	{ D, "lax-session", "claude", "~bypassPermissions" },
	{ D, "lax-session", "claude", "=--permission-prompt-tool" },
	{ A, "lax-session", "claude", "=--allowedTools" },
	{ A, "lax-session", "claude", "=--allowed-tools" },
	{ A, "lax-session", "claude", "=--settings" },
	{ D, "lax-session", "codex", "=--yolo" },
	{ D, "lax-session", "codex", "~danger-full-access" },
	{ D, "lax-session", "codex", "-a never" },
	{ D, "lax-session", "codex", "--ask-for-approval never" },
	{ D, "lax-session", "codex", "--ask-for-approval=never" },
	{ D, "lax-session", "codex", "~approval_policy=" },
	{ D, "lax-session", "codex", "~sandbox_mode=" },
	{ A, "lax-session", "codex", "--full-auto" },
	{ D, "lax-session", "gemini", "=--yolo" },
	{ D, "lax-session", "gemini", "-y" },
	{ D, "lax-session", "gemini", "--approval-mode yolo" },
	{ D, "lax-session", "gemini", "--approval-mode=yolo" },
	{ D, "lax-session", "qwen", "=--yolo" },
	{ D, "lax-session", "qwen", "-y" },
	{ D, "lax-session", "copilot", "=--allow-all" },
	{ D, "lax-session", "copilot", "--yolo" },
	{ D, "lax-session", "cursor-agent", "--force" },
	{ D, "lax-session", "cursor-agent", "-f" },
	{ D, "lax-session", "aider", "--yes-always" },
	{ A, "agent-setup", "claude", "mcp add" },
	{ A, "agent-setup", "claude", "mcp add-json" },
	{ A, "agent-setup", "claude", "mcp remove" },
	{ A, "agent-setup", "claude", "config set" },
	{ A, "agent-setup", "claude", "plugin install" },
	{ A, "agent-setup", "codex", "mcp add" },
	{ A, "agent-setup", "gemini", "mcp add" },
	{ A, "agent-setup", "claude", "setup-token" },
	{ A, "agent-setup", "claude", "/login" },
	{ A, "agent-setup", "codex", "login" },
	{ A, "git-hooks", "git", "~core.hooksPath" },
	{ A, "git-hooks", "git", "~core.hookspath" },
	{ A, "git-hooks", "git", "~core.fsmonitor" },
	{ A, "credentials", "gh", "auth token" },
	{ A, "credentials", "gcloud", "~print-access-token" },
	{ A, "credentials", "gcloud", "~print-identity-token" },
	{ A, "credentials", "aws", "export-credentials" },
	{ A, "credentials", "aws", "get-session-token" },
	{ D, "credentials", "gpg", "=--export-secret" },
	{ D, "credentials", "gpg2", "=--export-secret" },
	{ A, "credentials", "security", "=find-" },
	{ A, "credentials", "secret-tool", "lookup" },
	{ A, "credentials", "pass", "show" },
	{ A, "credentials", "git", "credential fill" },
	{ A, "credentials", "kubectl", "--raw" },
	{ A, "credentials", "op", "read" },
	{ A, "credentials", "bw", "get" },
	{ A, "credentials", "vault", "read" },
	{ D, "way-out", "systemd-run", NULL },
	{ D, "way-out", "run0", NULL },
	{ D, "way-out", "at", NULL },
	{ D, "way-out", "batch", NULL },
	{ D, "way-out", "crontab", "!-l" },
	{ D, "way-out", "machinectl", "shell" },
	{ D, "way-out", "nsenter", NULL },
	{ D, "way-out", "launchctl", "load" },
	{ D, "way-out", "launchctl", "submit" },
	{ D, "way-out", "launchctl", "bootstrap" },
	{ D, "way-out", "osascript", "~Terminal" },
	{ D, "way-out", "dbus-send", "~systemd" },
	{ D, "way-out", "gdbus", "~systemd" },
	{ D, "way-out", "busctl", "~systemd" },
	{ D, "way-out", "emacsclient", "=-e" },
	{ D, "way-out", "emacsclient", "=--eval" },
	{ D, "way-out", "kitty", "@" },
	{ D, "way-out", "wezterm", "cli" },
	{ D, "way-out", "cgexec", NULL },
	{ D, "way-out", "cgclassify", NULL },
	/* what a person's tmux runs is no process of the agent's */
	{ D, "way-out", "tmux", "send-keys" },
	{ D, "way-out", "tmux", "send" },
	{ D, "way-out", "tmux", "paste-buffer" },
	{ D, "way-out", "tmux", "new-session" },
	{ D, "way-out", "tmux", "new" },
	{ D, "way-out", "tmux", "new-window" },
	{ D, "way-out", "tmux", "neww" },
	{ D, "way-out", "tmux", "split-window" },
	{ D, "way-out", "tmux", "splitw" },
	{ D, "way-out", "tmux", "respawn-pane" },
	{ D, "way-out", "tmux", "respawn-window" },
	{ D, "way-out", "tmux", "run-shell" },
	{ D, "way-out", "tmux", "run" },
	{ D, "way-out", "tmux", "if-shell" },
	{ D, "way-out", "tmux", "pipe-pane" },
	{ D, "way-out", "tmux", "source-file" },
	{ D, "way-out", "screen", "-X" },
	{ D, "way-out", "screen", "=-dm" },
	{ D, "way-out", "zellij", "action" },
	{ D, "way-out", "zellij", "run" },
	{ D, "way-out", "gdb", "=-p" },
	{ D, "way-out", "gdb", "=--pid" },
	{ D, "way-out", "gdb", "=attach " },
	{ D, "way-out", "gcore", NULL },
	{ D, "way-out", "lldb", "=-p" },
	{ D, "way-out", "lldb", "=--attach" },
	{ D, "way-out", "strace", "=-p" },
	{ D, "way-out", "strace", "=-fp" },
	{ D, "way-out", "strace", "=-ffp" },
	{ D, "way-out", "strace", "=--attach" },
	{ D, "way-out", "ltrace", "=-p" },
	{ D, "way-out", "reptyr", NULL },
	{ D, "way-out", "injcode", NULL },
	{ D, "way-out", "unset", "VYRE_HOLDER" },
	{ D, "way-out", "env", "-u VYRE_HOLDER" },
	{ D, "way-out", "env", "--unset=VYRE_HOLDER" },
	{ D, "way-out", "env", "-uVYRE_HOLDER" },
	{ D, "signals", "loginctl", "=terminate-" },
	{ D, "signals", "loginctl", "=kill-" },
	{ A, "machine", "shutdown", NULL },
	{ A, "machine", "reboot", NULL },
	{ A, "machine", "poweroff", NULL },
	{ A, "machine", "halt", NULL },
	{ A, "machine", "systemctl", "poweroff" },
	{ A, "machine", "systemctl", "reboot" },
	{ A, "machine", "systemctl", "suspend" },
	{ A, "machine", "swapoff", NULL },
	{ A, "machine", "iptables", "-F" },
	{ A, "machine", "ufw", "disable" },
};

/* Programs whose words are words: they print them, look for them, or keep them. */
static bool only_speaks(struct vy_str program)
{
	return judge_is_one_of(program,
		"echo printf grep egrep fgrep rg ag ack git sed awk man apropos "
		"whatis which type cat test [ [[ find fd ls gh jq vyre-tui");
}

static bool word_fits(struct vy_str word, const char *want)
{
	if (*want == '=') {
		return vy_str_starts(word, want + 1);
	}
	if (*want == '~') {
		return judge_holds(word, want + 1);
	}
	return vy_str_is(word, want);
}

static bool pair_fits(const struct vy_str *v, size_t n, const char *want)
{
	size_t first = strcspn(want, " ");

	for (size_t i = 0; i + 1 < n; i++) {
		if (v[i].n == first && memcmp(v[i].p, want, first) == 0 &&
			vy_str_is(v[i + 1], want + first + 1)) {
			return true;
		}
	}
	return false;
}

static bool is_forbidden(const char *want, const struct vy_str *v, size_t n)
{
	bool is_wanted = want && *want == '!';

	if (want && *want != '=' && strchr(want, ' ')) {
		return pair_fits(v, n, want);
	}
	for (size_t i = 0; want && i < n; i++) {
		if (word_fits(v[i], is_wanted ? want + 1 : want)) {
			return !is_wanted;
		}
	}
	return !want || is_wanted;
}

/* ---- hosts ---- */

static bool is_this_host(struct vy_str host)
{
	const char *at = host.n ? memrchr(host.p, '@', host.n) : NULL;

	if (vy_str_starts(host, "ssh://")) {
		host = vy_str_from(host, 6);
	}
	host = at ? vy_str_from(host, (size_t)(at - host.p) + 1) : host;
	return vy_str_starts(host, "localhost") || vy_str_starts(host, "127.") ||
	       vy_str_starts(host, "::1") || vy_str_starts(host, "[::1") ||
	       vy_str_starts(host, "ip6-localhost") || judge_is_one_of(host, "0 0.0.0.0 ::");
}

static void hosts(struct judge *j, const struct call *c)
{
	if (!judge_is_one_of(c->program, "ssh slogin mosh autossh sshpass rsh telnet")) {
		return;
	}
	for (size_t i = 0; i < c->n; i++) {
		bool is_forward = i > 0 && judge_is_one_of(c->v[i - 1], "-L -R -W -D -o -J");

		if (!is_flag(c->v[i]) && !is_forward && is_this_host(c->v[i])) {
			judge_say(j, D, "way-out", c->v[i]);
		}
		if (!is_flag(c->v[i]) && !is_forward) {
			break;
		}
		i += judge_is_one_of(c->v[i], "-p -l -i -F -o -b -c -E -L -R -D -W -J -m -S -e");
	}
}

/* ---- signals ---- */

static const char *const ours[] = { "vyred", "vyre-holder", "vyre-tui", "claude" };

/* A pattern of pkill: which processes could it be? */
static bool is_ours(struct vy_str pattern, bool is_exact)
{
	struct vy_str p = pattern;

	while (p.n && guard_is_any("^.*[(\\\"'", p.p[0])) {
		p = vy_str_from(p, 1);
	}
	while (p.n && guard_is_any("$.*])+?\"'", p.p[p.n - 1])) {
		p.n--;
	}
	for (size_t i = 0; i < VY_COUNT(ours); i++) {
		struct vy_str name = vy_str_c(ours[i]);

		if (is_exact ? vy_str_eq(p, name) || guard_glob(pattern, name)
			     : p.n == 0 || memmem(name.p, name.n, p.p, p.n)) {
			return true;
		}
	}
	return judge_holds(p, "vyre") || vy_str_starts(p, "claude ") || vy_str_starts(p, "(vyre") ||
	       judge_holds(p, "/claude");
}

static void pkill(struct judge *j, const struct call *c)
{
	bool is_exact = vy_str_is(c->program, "killall")
				? !judge_has_flag(c->v, c->n, 'r', "--regexp")
				: judge_has_flag(c->v, c->n, 'x', "--exact");
	bool has_operand = false, is_narrow = false;

	if (!judge_is_one_of(c->program, "pkill killall skill")) {
		return;
	}
	for (size_t i = 0; i < c->n; i++) {
		if (is_flag(c->v[i])) {
			is_narrow |= judge_is_one_of(c->v[i], "-P -g -s -t -F");
			i += judge_is_one_of(c->v[i], "-P -g -s -t -F -u -U -G --signal --parent");
			continue;
		}
		has_operand = true;
		if (is_ours(c->v[i], is_exact)) {
			judge_say(j, D, "signals", c->v[i]);
		}
	}
	if (!has_operand && !is_narrow && judge_has_flag(c->v, c->n, 'u', NULL)) {
		judge_say(j, D, "signals", c->program);
	}
}

/* pgrep vyred: who gets its numbers? */
static void looks_up(struct judge *j, const struct call *c)
{
	for (size_t i = 0; i < c->n && judge_is_one_of(c->program, "pgrep pidof grep"); i++) {
		if (c->is_piped || !vy_str_is(c->program, "grep")) {
			j->lists_ours |=
				judge_holds(c->v[i], "vyre") || judge_holds(c->v[i], "claude");
		}
	}
}

static void kill_words(struct judge *j, const struct call *c)
{
	if (!vy_str_is(c->program, "kill")) {
		return;
	}
	if (c->is_piped_from_ours) {
		judge_say(j, D, "signals", c->program);
	}
	for (size_t i = 0; i < c->n; i++) {
		bool is_all = vy_str_is(c->v[i], "-1") &&
			      (i > 1 || (i > 0 && !vy_str_is(c->v[i - 1], "-s")));

		if (is_all || judge_is_one_of(c->v[i], "$PPID ${PPID} 1") ||
			(j->lists_ours && judge_holds(c->v[i], GUARD_ANYTHING))) {
			judge_say(j, D, "signals", c->v[i]);
		}
	}
}

/* ---- containers ---- */

/* What a container gets of this machine: "/:/host", "src=/,dst=/host". */
static void mount(struct judge *j, struct vy_str spec)
{
	struct vy_str path = spec;

	for (size_t i = 0; i + 4 < spec.n; i++) {
		bool is_source = memcmp(spec.p + i, "src=", 4) == 0;

		if (is_source || memcmp(spec.p + i, "rce=", 4) == 0) { /* source= */
			path = vy_str_from(spec, i + 4);
		}
	}
	for (size_t i = 0; i < path.n; i++) {
		if (path.p[i] == ':' || path.p[i] == ',') {
			path.n = i;
		}
	}
	if (path.n == 0 || !guard_is_any("/~.", path.p[0])) {
		return; /* a volume by its name */
	}
	struct vy_str full = guard_path(path, j->scope.folder, j->scope.c, j->scope.a);
	const struct guard_context *c = j->scope.c;

	if (vy_str_is(full, "/") || guard_is_in(c->state_dir, full) || guard_is_in(c->home, full) ||
		judge_is_one_of(full, "/etc /proc /sys /home /root /run /var /var/run")) {
		judge_say(j, D, "way-out", path);
	}
	judge_path(j, path, GUARD_COPY);
	judge_path(j, path, GUARD_REPLACE);
}

static void containers(struct judge *j, const struct call *c)
{
	bool runs = c->n > 0 && judge_has_flag(c->v, c->n, '\0', "run");

	if (!judge_is_one_of(c->program, "docker podman nerdctl")) {
		return;
	}
	runs |= judge_has_flag(c->v, c->n, '\0', "create");
	for (size_t i = 0; i < c->n && runs; i++) {
		if (judge_is_one_of(c->v[i], "-v --volume --mount") && i + 1 < c->n) {
			mount(j, c->v[i + 1]);
		} else if (vy_str_starts(c->v[i], "--volume=")) {
			mount(j, vy_str_from(c->v[i], 9));
		} else if (vy_str_starts(c->v[i], "--mount=")) {
			mount(j, vy_str_from(c->v[i], 8));
		} else if (vy_str_starts(c->v[i], "-v") && c->v[i].n > 2) {
			mount(j, vy_str_from(c->v[i], 2));
		} else if (judge_is_one_of(c->v[i], "--privileged --pid=host --privileged=true") ||
			   (i > 0 && vy_str_is(c->v[i - 1], "--pid") &&
				   vy_str_is(c->v[i], "host"))) {
			judge_say(j, A, "way-out", c->v[i]);
		}
	}
}

/* gdb PROGRAM 4711 */
static void attach(struct judge *j, const struct call *c)
{
	size_t operands = 0;

	if (!vy_str_is(c->program, "gdb") || judge_has_flag(c->v, c->n, '\0', "--args")) {
		return;
	}
	for (size_t i = 0; i < c->n; i++) {
		operands += !is_flag(c->v[i]);
		if (operands == 2 && c->v[i].n && c->v[i].p[0] >= '0' && c->v[i].p[0] <= '9') {
			judge_say(j, D, "way-out", c->v[i]);
		}
	}
}

/* ---- git ---- */

static bool is_run_by_git(struct vy_str key)
{
	return vy_str_starts(key, "core.sshCommand") || vy_str_starts(key, "core.pager") ||
	       vy_str_starts(key, "core.editor") || vy_str_starts(key, "core.askPass") ||
	       vy_str_starts(key, "pager.") || vy_str_starts(key, "credential.helper") ||
	       vy_str_starts(key, "sequence.editor") || vy_str_starts(key, "gpg.program") ||
	       vy_str_starts(key, "diff.external");
}

/* -c alias.x='!…', core.sshCommand=…: git runs what it is configured to. */
static void git(struct judge *j, const struct call *c)
{
	if (!vy_str_is(c->program, "git")) {
		return;
	}
	for (size_t i = 0; i < c->n; i++) {
		const char *bang = c->v[i].n ? memchr(c->v[i].p, '!', c->v[i].n) : NULL;
		bool is_config = (i > 0 && vy_str_is(c->v[i - 1], "-c")) ||
				 (i > 1 && vy_str_starts(c->v[i - 1], "alias."));

		const char *is = c->v[i].n ? memchr(c->v[i].p, '=', c->v[i].n) : NULL;

		if (is_config && is && is_run_by_git(c->v[i])) {
			judge_line(j, vy_str_from(c->v[i], (size_t)(is - c->v[i].p) + 1));
		}
		if (i > 0 &&
			judge_is_one_of(c->v[i - 1], "-x --exec foreach run --tree-filter "
						     "--index-filter --msg-filter --env-filter")) {
			judge_joined(j, c->v + i, c->n - i);
		}
		if (i > 0 && is_run_by_git(c->v[i - 1])) {
			judge_line(j, c->v[i]);
		}
		if (is_config && bang) {
			judge_line(j, vy_str_from(c->v[i], (size_t)(bang - c->v[i].p) + 1));
		}
	}
}

/* --to-command=…, --checkpoint-action=exec=…, -o ProxyCommand=…: a command in an option. */
static void options(struct judge *j, const struct call *c)
{
	static const char *const names[] = {
		"exec=", "command=", "Command=", "program=", "--rsh="
	};

	for (size_t i = 0; i < c->n && !only_speaks(c->program); i++) {
		struct vy_str w = c->v[i];

		if (i > 0 && vy_str_is(c->v[i - 1], "-e") && vy_str_is(c->program, "rsync")) {
			judge_line(j, w);
		}

		for (size_t k = 0; k < VY_COUNT(names) && w.n > 6; k++) {
			const char *at = memmem(w.p, w.n, names[k], strlen(names[k]));

			if (at && (is_flag(w) || (i > 0 && vy_str_is(c->v[i - 1], "-o")))) {
				judge_line(
					j, vy_str_from(w, (size_t)(at - w.p) + strlen(names[k])));
				break;
			}
		}
	}
}

/* ---- the call ---- */

void judge_runs(struct judge *j, const struct call *c)
{
	for (size_t i = 0; i < VY_COUNT(forbidden); i++) {
		bool is_any = *forbidden[i].program == '*' && !only_speaks(c->program);

		if ((is_any || vy_str_is(c->program, forbidden[i].program)) &&
			is_forbidden(forbidden[i].word, c->v, c->n)) {
			judge_say(j, forbidden[i].verdict, forbidden[i].rule, c->program);
		}
	}
	hosts(j, c);
	pkill(j, c);
	looks_up(j, c);
	kill_words(j, c);
	containers(j, c);
	attach(j, c);
	git(j, c);
	options(j, c);
}

void judge_loose(struct judge *j, const struct vy_str *words, size_t n)
{
	struct call c = { .v = words, .n = n };

	for (size_t i = 0; i < VY_COUNT(forbidden) && !judge_is_done(j); i++) {
		bool has_program = *forbidden[i].program == '*';

		for (size_t k = 0; k < n && !has_program; k++) {
			has_program = vy_str_is(judge_base(words[k]), forbidden[i].program);
		}
		if (has_program && is_forbidden(forbidden[i].word, words, n)) {
			judge_say(j, forbidden[i].verdict, forbidden[i].rule,
				vy_str_c(forbidden[i].program));
		}
	}
	for (size_t k = 0; k < n && !judge_is_done(j); k++) {
		c.program = judge_base(words[k]);
		if (judge_is_one_of(c.program, "rm chmod chown pkill killall kill ssh find") ||
			vy_str_starts(c.program, "mkfs")) {
			judge_destroy(j, &c);
			pkill(j, &c);
			hosts(j, &c);
			return;
		}
	}
}
