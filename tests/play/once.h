/* once.h -- one thing said to a socket, from wherever the program is run: a script's agent.
 *
 *   call SOCKET METHOD [PARAMS]   one RPC; PARAMS may be the name of a file
 *   post SOCKET FILE              each line of the file as one request; an answer a line
 *   line SOCKET FILE              each line of the file to a line socket; an answer a line
 *   talks SOCKET FILE             each line of the file to one control WebSocket; an answer a line
 *   get SOCKET PATH [ACCEPT]      one GET, of JSON without ACCEPT
 *   stream SOCKET PATH            one GET of server-sent events, printed as they come, with the head
 *   socket|talk SOCKET REQUEST…   requests on one connection, the line socket beside SOCKET or the control
 *                                 WebSocket; each message is a line, then `ended`; SOCKET is the main one
 *   raw SOCKET HEX                those bytes; what comes back until it hangs up, as text
 */
#ifndef TESTS_PLAY_ONCE_H
#define TESTS_PLAY_ONCE_H

#include <stdbool.h>

bool once_has(const char *word);
int once_run(const char *word, char **argv, int n, int patience_ms); /* the exit status */

#endif
