/* key_seq.h -- for key.c: what a whole sequence says. Pure; no state. */
#ifndef INPUT_KEY_SEQ_H
#define INPUT_KEY_SEQ_H

#include <stdbool.h>

#include "tui/input/key.h"

enum key_seq_is {
	KEY_SEQ_NOTHING, /* well formed, of no use here */
	KEY_SEQ_EVENT,   /* *ev is filled, but for the text a key types */
	KEY_SEQ_PASTE,   /* a paste begins */
};

/* `body` is what stands between "ESC [" or "ESC O" and the final byte. */
enum key_seq_is key_seq_csi(struct vy_str body, char final, bool has_kitty, struct key_event *ev);
enum key_seq_is key_seq_ss3(struct vy_str body, char final, struct key_event *ev);
/* A string without its frame; kind is ] for OSC, P for DCS, _ for APC. Text is borrowed from it. */
enum key_seq_is key_seq_string(char kind, struct vy_str body, struct key_event *ev);
/* The button byte of a mouse report and its cell, from 1. */
enum key_seq_is key_seq_mouse(int button, int x, int y, bool release, struct key_event *ev);
/* The key of a byte below 0x20, or 0x7f. */
struct key key_seq_control(unsigned char byte);

#endif
