/* develop.h -- a picture's bytes to what a screen shows, made by a process that can do nothing else.
 *
 * The bytes come from agents, tools and people, the libraries that read them are large: so they run
 * in a program of their own, vyre-picture, which lives for one picture. It knows nothing of the
 * session, has no descriptor but the pipe it answers on and may open none, has bounded memory and
 * time, and (where the kernel's filter is known for this processor) may ask the system for nothing
 * but memory, writing and its end. What it answers is checked here like any input: a decoder that
 * is taken over can draw a wrong picture.
 *
 * develop_start() does not wait for it. The caller reads the descriptor to its end, closes it,
 * reaps the process, and gives what was read to develop_read(). After DEVELOP_MS he ends it. */
#ifndef INK_DEVELOP_H
#define INK_DEVELOP_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "shared/base/str.h"
#include "tui/ink/decode.h"
#include "tui/ink/fit.h"
#include "tui/ink/picture.h"

#define DEVELOP_MS 10000
/* Bytes of an answer; more is none. */
#define DEVELOP_MAX (4 * 1024 * 1024)
/* Pixels that are handed to a terminal: 2 MB. */
#define DEVELOP_PIXELS_MAX (512 * 1024)

enum develop_kind { DEVELOP_CELLS_RGB, DEVELOP_CELLS_256, DEVELOP_PIXELS };

struct develop_want {
	enum develop_kind kind;
	struct fit_size size; /* cells that it fills: fit.h; at most DEVELOP_SIDE_MAX each */
	int cell_w, cell_h;   /* pixels of a cell; 0: not known */
	uint32_t ground;      /* 0xRRGGBB, behind the picture */
};

#define DEVELOP_SIDE_MAX 1000

struct developed {
	enum decode_end end;        /* not DECODE_OK: the rest but own_w, own_h is empty */
	int64_t own_w, own_h;       /* of the picture; 0: not known */
	struct picture_cell *cells; /* owned: as many as were wanted; NULL of DEVELOP_PIXELS */
	uint8_t *rgba;              /* owned: w * h * 4; of DEVELOP_PIXELS */
	int w, h;
};

/* Is the program there? It is not where the libraries were not, when this was built. */
bool develop_find(char *path, size_t room);

/* The descriptor to read (it does not block), or -1 with errno. `bytes` is not needed any more. */
int develop_start(
	const char *path, struct vy_str bytes, const struct develop_want *want, pid_t *pid);

/* Never fails: an answer that is none is a picture that is broken. */
void develop_read(struct vy_str answer, const struct develop_want *want, struct developed *out);
void developed_fini(struct developed *d);

/* ---- what the two programs say to each other: they are of one build, so a struct is a format ---- */

/* On standard input a struct develop_want, and the bytes to the end; on standard output this, and
 * cells or pixels. */
struct develop_head {
	int64_t end, own_w, own_h;
	int64_t w, h; /* of pixels */
};

#endif
