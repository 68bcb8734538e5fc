/* buf.c - see buf.h. */
#include "base/buf.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

void buf_finish(struct buf *buf)
{
	free(buf->bytes);
	*buf = (struct buf){0};
}

void buf_clear(struct buf *buf)
{
	buf->size = 0;
	if (buf->bytes != NULL)
		buf->bytes[0] = '\0';
}

void buf_grow(struct buf *buf, size_t extra)
{
	size_t wanted;

	if (__builtin_add_overflow(buf->size, extra, &wanted) || wanted >= SIZE_MAX / 2)
		alloc_fail(extra);
	size_t capacity = buf->capacity < 256 ? 256 : buf->capacity;

	while (capacity < wanted + 1)
		capacity *= 2;
	buf->bytes = alloc_resize(buf->bytes, capacity);
	buf->capacity = capacity;
}

void buf_vprintf(struct buf *buf, const char *format, va_list args)
{
	size_t room = buf->capacity - buf->size;
	va_list again;

	va_copy(again, args);
	int length = vsnprintf(room == 0 ? NULL : buf->bytes + buf->size, room, format, again);
	va_end(again);
	if (length < 0)
		alloc_fail(0);
	if ((size_t)length >= room) {
		buf_reserve(buf, (size_t)length);
		vsnprintf(buf->bytes + buf->size, (size_t)length + 1, format, args);
	}
	buf->size += (size_t)length;
}

void buf_printf(struct buf *buf, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	buf_vprintf(buf, format, args);
	va_end(args);
}

const char *buf_text(const struct buf *buf)
{
	return buf->bytes == NULL ? "" : buf->bytes;
}

char *buf_steal(struct buf *buf, size_t *size)
{
	char *bytes = buf->bytes == NULL ? alloc_zeroed(1, 1) : buf->bytes;

	*size = buf->size;
	*buf = (struct buf){0};
	return bytes;
}
