/* version.h - which build this is: part of every plan's basis. */
#ifndef API_VERSION_H
#define API_VERSION_H

extern const char *const suanjia_version; /* "v0.1-12-gabcdef" */

#endif
