/* providers.h -- what was told of the providers, and so what of them is news when the configuration is read
 * again: one that came or went, or whose settings, or whether it can be used, are not as they were.
 *
 * Looks for their programs as providers.list does. Loop thread. */
#ifndef PROVIDERS_H
#define PROVIDERS_H

struct config;
struct control;
struct providers;

struct providers *providers_new(const struct config *c, const char *path);
void providers_free(struct providers *p); /* NULL is fine */
/* Tells the control plane of each that is not as it was. */
void providers_read(
	struct providers *p, const struct config *c, const char *path, struct control *control);

#endif
