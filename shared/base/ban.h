/* ban.h -- functions nobody may call: they cut, overflow or hide an error. Include last in a .c.
 *
 * Instead: vy_buf (strcat, sprintf), memcpy with a length (strcpy), vy_parse_i64 (atoi). */
#ifndef VY_BAN_H
#define VY_BAN_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#undef strcpy
#undef strcat
#undef strncpy
#undef strncat
#undef sprintf
#undef vsprintf
#undef strtok
#undef gets
#undef atoi
#undef atol
#define strcpy(a, b)      vy_banned_strcpy
#define strcat(a, b)      vy_banned_strcat
#define strncpy(a, b, c)  vy_banned_strncpy
#define strncat(a, b, c)  vy_banned_strncat
#define sprintf(...)      vy_banned_sprintf
#define vsprintf(a, b, c) vy_banned_vsprintf
#define strtok(a, b)      vy_banned_strtok
#define gets(a)           vy_banned_gets
#define atoi(a)           vy_banned_atoi
#define atol(a)           vy_banned_atol

#endif
