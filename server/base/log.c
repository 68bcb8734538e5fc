/* log.c - see log.h. */
#include "base/log.h"

#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/clock.h"
#include "base/json_write.h"

static _Atomic int least_level = LOG_INFO;
static _Atomic int chosen_format = LOG_FORMAT_JSON;

void log_setup(enum log_level level, enum log_format format)
{
	least_level = (int)level;
	chosen_format = (int)format;
}

static const char *level_name(enum log_level level)
{
	switch (level) {
	case LOG_DEBUG:
		return "debug";
	case LOG_INFO:
		return "info";
	case LOG_WARN:
		return "warn";
	case LOG_ERROR:
		return "error";
	}
	return "error";
}

static void stamp(char text[static 25])
{
	int64_t now_us = clock_now_us();
	char seconds[21];

	moment_format(now_us / 1000000, seconds);
	snprintf(text, 25, "%.19s.%03uZ", seconds, (unsigned)(now_us / 1000 % 1000));
}

void log_event(enum log_level level, const char *message,
               void (*add)(struct json_write *out, const void *context), const void *context)
{
	struct buf line = {0};
	char time[25];

	if ((int)level < least_level)
		return;
	stamp(time);
	if (chosen_format == LOG_FORMAT_TEXT)
		buf_printf(&line, "%s %-5s %s ", time, level_name(level), message);
	if (chosen_format == LOG_FORMAT_JSON || add != NULL) {
		struct json_write out = json_write_to(&line);

		out_object(&out, NULL);
		if (chosen_format == LOG_FORMAT_JSON) {
			out_string(&out, "time", time);
			out_string(&out, "level", level_name(level));
			out_string(&out, "message", message);
		}
		if (add != NULL)
			add(&out, context);
		out_end(&out);
	}
	buf_putc(&line, '\n');
	/* A log that cannot be written must not stop the service. */
	ssize_t written = write(STDERR_FILENO, line.bytes, line.size);

	(void)written;
	buf_finish(&line);
}

void log_line(enum log_level level, const char *format, ...)
{
	struct buf message = {0};
	va_list args;

	if ((int)level < least_level)
		return;
	va_start(args, format);
	buf_vprintf(&message, format, args);
	va_end(args);
	log_event(level, buf_text(&message), NULL, NULL);
	buf_finish(&message);
}
