/* files.c -- which of its words a program reads, and which it writes. What no row knows is taken to
 * read all of them. */
#include "server/guard/judge.h"

#include <string.h>

#include "shared/base/ban.h"

enum uses {
	USES_NOTHING,  /* its words are no files, or it looks at their names alone */
	USES_PATTERN,  /* the first word is a pattern, the others are read */
	USES_WRITE,    /* all words are written */
	USES_MARK,     /* their mode, owner or time is */
	USES_REPLACE,  /* they are gone, moved or linked, with what is in them */
	USES_LAST,     /* the last is written, the others are read */
	USES_IN_PLACE, /* a pattern and what is read; with -i it is written */
	USES_OF,       /* if=, of= */
	USES_ARCHIVE,  /* reads folders whole, unpacks into -C or -d */
	USES_GIT,
};

static const struct {
	const char *programs;
	enum uses uses;
} users[] = {
	{ "echo printf : true false ls stat test [ [[ du tree basename dirname realpath readlink "
	  "which "
	  "type file man ssh ssh-add ssh-keygen ssh-copy-id sftp mosh cd pushd popd export unset "
	  "mkdir "
	  "case return exit break continue shift wait sleep pgrep pkill killall kill ps lsof tmux "
	  "screen "
	  "claude codex gemini opencode docker podman kubectl gh npm npx pnpm yarn pip cargo make "
	  "man "
	  "apt apt-get brew systemctl journalctl ",
		USES_NOTHING },
	{ "grep egrep fgrep zgrep rg ag ack jq yq awk gawk mawk look", USES_PATTERN },
	{ "tee truncate shred ed ex sponge patch vi vim nvim nano emacs unix2dos dos2unix "
	  "gawk-inplace "
	  "mkfifo mknod setfattr crudini",
		USES_WRITE },
	{ "chmod chown chgrp chattr setfacl touch", USES_MARK },
	{ "rm rmdir unlink mv ln mount umount rename", USES_REPLACE },
	{ "cp install rsync scp gcp ditto", USES_LAST },
	{ "sed gsed perl ruby", USES_IN_PLACE },
	{ "dd", USES_OF },
	{ "tar bsdtar zip unzip 7z cpio pax", USES_ARCHIVE },
	{ "git", USES_GIT },
};

static bool is_deep_search(const struct call *c)
{
	return judge_is_one_of(c->program, "rg ag ack") ||
	       (judge_holds(c->program, "grep") &&
		       (judge_has_flag(c->v, c->n, 'r', "--recursive") ||
			       judge_has_flag(c->v, c->n, 'R', NULL)));
}

/* rm without -r, unlink and rmdir leave what is in a folder alone. */
static bool takes_folders(const struct call *c)
{
	bool is_deep = judge_has_flag(c->v, c->n, 'r', "--recursive") ||
		       judge_has_flag(c->v, c->n, 'R', NULL);

	return is_deep || !judge_is_one_of(c->program, "rm unlink rmdir");
}

static enum uses uses_of(struct vy_str program, bool *is_known)
{
	*is_known = true;
	for (size_t i = 0; i < VY_COUNT(users); i++) {
		if (judge_is_one_of(program, users[i].programs)) {
			return users[i].uses;
		}
	}
	*is_known = false;
	return USES_NOTHING;
}

/* ---- reading ---- */

/* The word, and the path in "--file=path", "@path", "name=@path". */
static void read_word(struct judge *j, struct vy_str w, enum guard_use use)
{
	if (w.n == 0 || w.n > 1024 || memchr(w.p, '\n', w.n)) {
		return; /* words for a person, or a program's text */
	}
	if (!is_flag(w)) {
		judge_path(j, w, use);
	}
	for (size_t i = 0, cuts = 0; i + 1 < w.n && cuts < 4; i++) {
		if (w.p[i] == '=' || w.p[i] == '@') {
			judge_path(j, vy_str_from(w, i + 1), use);
			cuts++;
		}
	}
}

static void read_from(struct judge *j, const struct call *c, size_t from, enum guard_use use)
{
	for (size_t i = from; i < c->n && !judge_is_done(j); i++) {
		read_word(j, c->v[i], use);
	}
}

static size_t first_operand(const struct call *c)
{
	size_t i = 0;

	while (i < c->n && is_flag(c->v[i])) {
		i += 1 + judge_is_one_of(c->v[i], "-e -f -A -B -C -m --include --exclude -g -t");
	}
	return i;
}

/* ---- writing ---- */

static void write_words(struct judge *j, const struct call *c, enum guard_use use)
{
	for (size_t i = 0; i < c->n && !judge_is_done(j); i++) {
		if (!is_flag(c->v[i])) {
			judge_path(j, c->v[i], use);
		}
	}
}

/* `cp x y`: y, and the name of x in y. */
static void copy_to(struct judge *j, const struct call *c, struct vy_str to, size_t sources)
{
	bool is_deep = judge_has_flag(c->v, c->n, 'r', "--recursive") ||
		       judge_has_flag(c->v, c->n, 'R', "--archive") ||
		       judge_has_flag(c->v, c->n, 'a', NULL);

	judge_path(j, to, is_deep ? GUARD_FILL : GUARD_WRITE);
	for (size_t i = 0; i < sources && !judge_is_done(j); i++) {
		if (is_flag(c->v[i])) {
			continue;
		}
		struct vy_str name = judge_base(c->v[i]);

		judge_path(j, c->v[i], is_deep ? GUARD_COPY : GUARD_READ);
		judge_path(j,
			vy_str_c(vy_arena_printf(
				j->scope.a, "%.*s/%.*s", VY_STR_ARG(to), VY_STR_ARG(name))),
			is_deep ? GUARD_FILL : GUARD_WRITE);
	}
}

static void copies(struct judge *j, const struct call *c)
{
	for (size_t i = 0; i < c->n; i++) {
		if (vy_str_is(c->v[i], "-t") && i + 1 < c->n) {
			copy_to(j, c, c->v[i + 1], c->n);
			return;
		}
		if (vy_str_starts(c->v[i], "--target-directory=")) {
			copy_to(j, c, vy_str_from(c->v[i], 19), c->n);
			return;
		}
	}
	if (c->n > 0) {
		copy_to(j, c, c->v[c->n - 1], c->n - 1);
	}
}

static bool has_in_place(const struct call *c)
{
	bool is_gawk = vy_str_starts(c->program, "ruby") || vy_str_starts(c->program, "perl");

	for (size_t i = 0; i < c->n; i++) {
		struct vy_str w = c->v[i];

		if (vy_str_starts(w, "--in-place") || vy_str_is(w, "--inplace")) {
			return true;
		}
		for (size_t k = 1; is_flag(w) && w.p[1] != '-' && k < w.n; k++) {
			if (w.p[k] == 'i') {
				return true;
			}
			if (w.p[k] == 'e' || (is_gawk && w.p[k] == 'I')) {
				break; /* what is behind it is a program, or a folder */
			}
		}
	}
	return false;
}

static void archive(struct judge *j, const struct call *c)
{
	bool is_tar = judge_is_one_of(c->program, "tar bsdtar");
	bool is_bundle =
		c->n > 0 && c->v[0].n < 8 && !memchr(c->v[0].p ? c->v[0].p : "", '.', c->v[0].n);
	bool unpacks =
		vy_str_is(c->program, "unzip") ||
		(vy_str_is(c->program, "7z") && c->n > 0 && judge_is_one_of(c->v[0], "x e")) ||
		(is_tar && is_bundle && memchr(c->v[0].p ? c->v[0].p : "", 'x', c->v[0].n)) ||
		(is_tar && judge_has_flag(c->v, c->n, 'x', "--extract"));

	for (size_t i = 0; i < c->n; i++) {
		if (i > 0 && judge_is_one_of(c->v[i - 1], "-C -d --directory")) {
			judge_path(j, c->v[i], unpacks ? GUARD_FILL : GUARD_COPY);
		} else if (!unpacks) {
			judge_path(j, c->v[i], is_flag(c->v[i]) ? GUARD_READ : GUARD_COPY);
		}
	}
}

static void disk_copy(struct judge *j, const struct call *c)
{
	for (size_t i = 0; i < c->n; i++) {
		bool is_out = vy_str_starts(c->v[i], "of=");

		if (is_out || vy_str_starts(c->v[i], "if=")) {
			judge_path(j, vy_str_from(c->v[i], 3), is_out ? GUARD_WRITE : GUARD_READ);
		}
	}
}

static void git_files(struct judge *j, const struct call *c)
{
	size_t verb = 0;

	while (verb < c->n && is_flag(c->v[verb])) {
		verb += 1 + judge_is_one_of(c->v[verb], "-c -C");
	}
	if (verb == c->n) {
		return;
	}
	struct call rest = *c;

	rest.v += verb + 1;
	rest.n -= verb + 1;
	if (judge_is_one_of(c->v[verb], "checkout restore rm mv")) {
		write_words(j, &rest, GUARD_WRITE);
	} else if (judge_is_one_of(c->v[verb], "clone worktree init")) {
		write_words(j, &rest, GUARD_FILL);
	} else if (vy_str_is(c->v[verb], "hash-object") ||
		   judge_has_flag(rest.v, rest.n, '\0', "--no-index")) {
		read_from(j, &rest, 0, GUARD_READ);
	} else if (vy_str_is(c->v[verb], "apply") || vy_str_is(c->v[verb], "am")) {
		judge_patch(j, c->here.n ? c->here : c->piped);
	} else if (vy_str_is(c->v[verb], "config")) {
		for (size_t i = 0; i + 1 < rest.n; i++) {
			if (judge_is_one_of(rest.v[i], "-f --file")) {
				judge_path(j, rest.v[i + 1], GUARD_WRITE);
			}
		}
	}
}

/* Where any program puts what it makes: -o X, --output=X. */
static void outputs(struct judge *j, const struct call *c)
{
	bool is_in_place = judge_has_flag(c->v, c->n, '\0', "--in-place") ||
			   judge_has_flag(c->v, c->n, '\0', "--inplace") ||
			   judge_has_flag(c->v, c->n, '\0', "--write");

	for (size_t i = 0; i < c->n && !judge_is_done(j); i++) {
		struct vy_str w = c->v[i];
		bool is_next = i > 0 && judge_is_one_of(c->v[i - 1],
						"-o -O -out --out --output --outfile "
						"--output-file --output-document --dest "
						"--destination --target -P");

		if (is_next || (is_in_place && !is_flag(w))) {
			judge_path(j, w, GUARD_WRITE);
		}
		for (size_t k = 0; k < w.n && is_flag(w); k++) {
			if (w.p[k] == '=' &&
				(vy_str_starts(w, "--out") || vy_str_starts(w, "--dest"))) {
				judge_path(j, vy_str_from(w, k + 1), GUARD_WRITE);
				break;
			}
		}
		if (judge_is_one_of(c->program, "curl wget") && is_flag(w) && w.p[1] != '-') {
			const char *o = memchr(w.p, vy_str_is(c->program, "curl") ? 'o' : 'O', w.n);

			if (o) {
				struct vy_str to = vy_str_from(w, (size_t)(o - w.p) + 1);

				judge_path(j,
					to.n           ? to
					: i + 1 < c->n ? c->v[i + 1]
						       : to,
					GUARD_WRITE);
			}
		}
		if ((vy_str_starts(w, "-o") || vy_str_starts(w, "-O")) && w.n > 3) {
			judge_path(j, vy_str_from(w, 2), GUARD_WRITE);
		}
	}
}

/* What leaves the machine and looks like a secret of the project itself. */
static void uploads(struct judge *j, const struct call *c)
{
	if (!judge_is_one_of(c->program, "curl wget http https nc ncat scp rsync ftp sftp")) {
		return;
	}
	for (size_t i = 0; i < c->n; i++) {
		struct vy_str w = c->v[i];
		struct vy_str name;

		for (size_t k = 0; k < w.n; k++) {
			if (w.p[k] == '@' && !judge_holds(w, "://")) {
				w = vy_str_from(w, k + 1);
				k = 0;
			}
		}
		name = judge_base(w);
		if (vy_str_is(name, ".env") || vy_str_starts(name, ".env.") ||
			(name.n > 4 && vy_str_is(vy_str_from(name, name.n - 4), ".pem") &&
				!is_flag(c->v[i]) &&
				!(i > 0 && is_flag(c->v[i - 1]) &&
					!judge_is_one_of(c->v[i - 1],
						"-d -F -T --data --form "
						"--data-binary --upload-file")))) {
			judge_say(j, GUARD_ASK, "credentials", c->v[i]);
		}
	}
}

void judge_files(struct judge *j, const struct call *c)
{
	bool is_known;
	enum uses uses = uses_of(c->program, &is_known);
	size_t operand = first_operand(c);
	bool is_pattern_given = judge_has_flag(c->v, operand, 'e', "--regexp");

	uploads(j, c);
	if (!is_known) {
		outputs(j, c);
		read_from(j, c, 0, GUARD_READ);
		return;
	}
	switch (uses) {
	case USES_NOTHING: break;
	case USES_PATTERN:
		if (vy_str_is(c->program, "yq") || vy_str_is(c->program, "gawk")) {
			outputs(j, c);
			if (has_in_place(c) || judge_has_flag(c->v, c->n, '\0', "inplace")) {
				write_words(j, c, GUARD_WRITE);
			}
		}
		read_from(j, c, operand + !is_pattern_given,
			is_deep_search(c) ? GUARD_COPY : GUARD_READ);
		break;
	case USES_WRITE:
		write_words(j, c, GUARD_WRITE);
		if (vy_str_is(c->program, "patch")) {
			judge_patch(j, c->here.n ? c->here : c->piped);
		}
		break;
	case USES_MARK: write_words(j, c, GUARD_MARK); break;
	case USES_REPLACE: write_words(j, c, takes_folders(c) ? GUARD_REPLACE : GUARD_WRITE); break;
	case USES_LAST: copies(j, c); break;
	case USES_IN_PLACE:
		if (has_in_place(c)) {
			write_words(j, c, GUARD_WRITE);
		}
		read_from(j, c, vy_str_is(c->program, "sed") ? operand + !is_pattern_given : 0,
			GUARD_READ);
		break;
	case USES_OF: disk_copy(j, c); break;
	case USES_ARCHIVE: archive(j, c); break;
	case USES_GIT: git_files(j, c); break;
	}
}
