/* bad.h -- an agent that keeps no rule: `play bad-agent [WORDS…] OPTIONS`.
 *
 * A driver of claude's starts it. What a person says to it are words of a script, blanks between, and it
 * does just that: begin block tool ask ask:N answer tooled result are a turn; exit:N and signal:N end it there;
 * hang waits for ever, but hears; stubborn hears nothing more; rude:N and late:N exit when it is interrupted, or told to leave;
 * closed and dumb close stdout and stdin; deltas:MIB, strange:, noise:, stderr: and long: pour so much (-1: without end);
 * and a word for each line that is none of the protocol (bad.c has them all). WORDS in front of the options are done
 * before it hears anything. Whatever is unknown is nothing. */
#ifndef PLAY_BAD_H
#define PLAY_BAD_H

int bad_agent(int argc, char **argv);

#endif
