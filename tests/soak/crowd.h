/* crowd.h -- the viewers, shared out among processes: what one waits for holds up few others.
 *
 * Each viewer has a seat in memory that all see. A crowd is a process that comes for its seats, comes
 * back whenever it is cut, and writes down how far each is. The first frame that is wrong is said in
 * `why`, and that crowd is over. */
#ifndef TESTS_SOAK_CROWD_H
#define TESTS_SOAK_CROWD_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "tests/play/conn.h"

enum { CROWD_SEATS = 1100, CROWD_SIZE = 60, CROWD_WHY = 600 };

struct seat {
	const char *session;
	int number; /* of the session */
	enum conn_form form;
	bool is_via;
	/* by its crowd */
	atomic_bool is_there, is_idle; /* its last frame says that the turn is over */
	_Atomic uint64_t last, digest, pieces;
	atomic_uint losses;
};

struct hall {
	struct seat seats[CROWD_SEATS];
	int n;
	const char *sock, *proxy;
	uint64_t seed;
	atomic_bool is_over, has_failed; /* all leave; somebody saw what is wrong */
	atomic_int gone;                 /* crowds that have left */
	char why[CROWD_WHY];
};

struct hall *hall_new(void);   /* in memory that children share */
int hall_open(struct hall *h); /* the crowds come; how many they are */

#endif
