/*
 * buf.h - bytes that grow at the end: answers, log lines, exports.
 *
 * A zeroed struct buf is an empty buffer. The content is always followed by a NUL that is not
 * counted, so buf_text() may be printed.
 */
#ifndef BASE_BUF_H
#define BASE_BUF_H

#include <stdarg.h>
#include <stddef.h>
#include <string.h>

struct buf {
	char *bytes; /* NULL while empty */
	size_t size; /* bytes used, without the NUL */
	size_t capacity;
};

/* Frees the content; BUF is empty again and can be used. */
void buf_finish(struct buf *buf);

/* Empties BUF but keeps its memory. */
void buf_clear(struct buf *buf);

/* Makes sure that EXTRA more bytes fit without another allocation. */
void buf_grow(struct buf *buf, size_t extra);
static inline void buf_reserve(struct buf *buf, size_t extra)
{
	if (extra >= buf->capacity - buf->size)
		buf_grow(buf, extra);
}

/* Each appends: bytes, a string, one byte, printf-like text. */
static inline void buf_put(struct buf *buf, const void *bytes, size_t size)
{
	buf_reserve(buf, size);
	if (size > 0)
		memcpy(buf->bytes + buf->size, bytes, size);
	buf->size += size;
	buf->bytes[buf->size] = '\0';
}
static inline void buf_puts(struct buf *buf, const char *text)
{
	buf_put(buf, text, strlen(text));
}
static inline void buf_putc(struct buf *buf, char byte)
{
	buf_reserve(buf, 1);
	buf->bytes[buf->size++] = byte;
	buf->bytes[buf->size] = '\0';
}
void buf_printf(struct buf *buf, const char *format, ...) __attribute__((format(printf, 2, 3)));
void buf_vprintf(struct buf *buf, const char *format, va_list args)
    __attribute__((format(printf, 2, 0)));

/* The content as a string, borrowed until the next change; "" while empty. */
const char *buf_text(const struct buf *buf);

/* The content as new memory (free it); BUF is empty afterwards. Never NULL. */
char *buf_steal(struct buf *buf, size_t *size);

#endif
