/* held.h -- who holds the lock of a state folder, as seen from outside. */
#ifndef OPS_HELD_H
#define OPS_HELD_H

/* The pid that holds the lock file behind `fd`; 0: nobody does; -1: it cannot be told. */
long held_by(int fd);

#endif
