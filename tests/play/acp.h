/* acp.h -- a small agent of the Agent Client Protocol: `play acp-agent FILE`.
 *
 * What a person says to it are words of a script, `;;` between: say:TEXT, think:TEXT, words:N (so many,
 * slowly), run:COMMAND (it asks, and says that it ran), sneak:COMMAND (it does not ask), write:PATH (with a
 * diff), plan, form, hang (until it is cancelled), exit:N. FILE is where it keeps its sessions' ids: it
 * loads what it knows, and tells the history again; another one it refuses. */
#ifndef PLAY_ACP_H
#define PLAY_ACP_H

int acp_agent(int argc, char **argv);

#endif
