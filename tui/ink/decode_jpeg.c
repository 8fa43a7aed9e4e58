/* decode_jpeg.c -- JPEG, by libjpeg-turbo (decode.h). A large one is decoded at a half, a quarter or
 * an eighth of its size, which costs as much less. */
#include "tui/ink/decode.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jpeglib.h>
#include <jerror.h>

#include "tui/ink/orient.h"
#include "shared/base/ban.h"

#define MEMORY_MAX (160L * 1000 * 1000) /* of the coefficients of a progressive one */

struct reader {
	struct jpeg_decompress_struct jpeg;
	struct jpeg_error_mgr errors;
	bool is_cut;
	jmp_buf out;
};

static void leave(j_common_ptr jpeg)
{
	longjmp(((struct reader *)(void *)jpeg)->out, 1);
}

static void say_nothing(j_common_ptr jpeg)
{
	(void)jpeg;
}

/* It makes up what is missing and only warns: a piece would pass for the whole. */
static void note(j_common_ptr jpeg, int level)
{
	if (level < 0 && jpeg->err->msg_code == JWRN_JPEG_EOF) {
		((struct reader *)(void *)jpeg)->is_cut = true;
	}
}

/* The smallest of the four scales that is not below what is wanted. */
static unsigned scale_of(const struct jpeg_decompress_struct *j, int want_w, int want_h)
{
	unsigned by = 8;

	while (by > 1 && (j->image_width / by < (unsigned)want_w ||
				 j->image_height / by < (unsigned)want_h)) {
		by /= 2;
	}
	return by;
}

/* Three bytes a pixel are spread to four from the line's end on. */
static void spread(uint8_t *line, size_t w)
{
	for (size_t x = w; x-- > 0;) {
		memmove(line + x * 4, line + x * 3, 3);
		line[x * 4 + 3] = 255;
	}
}

/* Of printers; programs write it the wrong way round, all of them as the first one did. */
static void from_cmyk(uint8_t *line, size_t w)
{
	for (uint8_t *px = line; px < line + w * 4; px += 4) {
		for (int i = 0; i < 3; i++) {
			px[i] = (uint8_t)(px[i] * px[3] / 255);
		}
		px[3] = 255;
	}
}

static void read_lines(struct jpeg_decompress_struct *j, const struct decode_pixels *out)
{
	while (j->output_scanline < j->output_height) {
		uint8_t *line = out->rgba + (size_t)j->output_scanline * (size_t)out->w * 4;
		JSAMPROW rows[1] = { line };

		if (jpeg_read_scanlines(j, rows, 1) != 1) {
			return;
		}
		(j->out_color_space == JCS_CMYK ? from_cmyk : spread)(line, (size_t)out->w);
	}
}

static int way_up(const struct jpeg_decompress_struct *j)
{
	int way = 1;

	for (jpeg_saved_marker_ptr m = j->marker_list; m && way == 1; m = m->next) {
		way = orient_of(vy_str_n((const char *)m->data, m->data_length));
	}
	return way;
}

enum decode_end decode_jpeg(struct vy_str bytes, int want_w, int want_h, struct decode_pixels *out)
{
	struct reader r = { 0 };
	volatile enum decode_end end = DECODE_BROKEN;

	r.jpeg.err = jpeg_std_error(&r.errors);
	r.errors.error_exit = leave;
	r.errors.output_message = say_nothing;
	r.errors.emit_message = note;
	if (setjmp(r.out)) {
		jpeg_destroy_decompress(&r.jpeg);
		return end == DECODE_OK ? DECODE_BROKEN : end;
	}
	jpeg_create_decompress(&r.jpeg);
	r.jpeg.mem->max_memory_to_use = MEMORY_MAX;
	jpeg_mem_src(&r.jpeg, (const unsigned char *)bytes.p, bytes.n);
	jpeg_save_markers(&r.jpeg, JPEG_APP0 + 1, 0xffff);
	jpeg_read_header(&r.jpeg, TRUE);
	int way = way_up(&r.jpeg);

	out->own_w = r.jpeg.image_width;
	out->own_h = r.jpeg.image_height;
	r.jpeg.out_color_space = r.jpeg.num_components == 4 ? JCS_CMYK : JCS_RGB;
	r.jpeg.scale_num = 1;
	r.jpeg.scale_denom = scale_of(&r.jpeg, want_w, want_h);
	jpeg_calc_output_dimensions(&r.jpeg);
	end = decode_room(out, r.jpeg.output_width, r.jpeg.output_height);
	if (end == DECODE_OK) {
		jpeg_start_decompress(&r.jpeg);
		read_lines(&r.jpeg, out);
		jpeg_finish_decompress(&r.jpeg);
		end = r.is_cut                ? DECODE_BROKEN
		      : orient_turn(out, way) ? DECODE_OK
					      : DECODE_TOO_LARGE;
	}
	jpeg_destroy_decompress(&r.jpeg);
	return end;
}
