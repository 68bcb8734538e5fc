/*
 * log.h - one line per event on stderr: JSON for machines, or plain text for a person.
 *
 * Never a price, never a key. A line is written with one write(), so lines of threads do not mix.
 */
#ifndef BASE_LOG_H
#define BASE_LOG_H

struct json_write;

enum log_level { LOG_DEBUG, LOG_INFO, LOG_WARN, LOG_ERROR };
enum log_format { LOG_FORMAT_JSON, LOG_FORMAT_TEXT };

/* What is written: lines of at least LEVEL, in FORMAT. Default: LOG_INFO, JSON. */
void log_setup(enum log_level level, enum log_format format);

/* {"time":"…","level":"…","message":"…"} */
void log_line(enum log_level level, const char *format, ...) __attribute__((format(printf, 2, 3)));

/*
 * The same with members of the caller's own: ADD(out, context) is called inside the object, after
 * time, level and message.
 */
void log_event(enum log_level level, const char *message,
               void (*add)(struct json_write *out, const void *context), const void *context);

#endif
