/* version.c - see version.h; the Makefile names the build. */
#include "api/version.h"

#ifndef SUANJIA_VERSION
#define SUANJIA_VERSION "unknown"
#endif

const char *const suanjia_version = SUANJIA_VERSION;
