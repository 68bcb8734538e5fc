/* fuzz_charset.c - bytes to UTF-8: what comes out is valid, or nothing does. */
#include "base/utf8.h"
#include "sheet/charset.h"
#include "sheet/norm.h"
#include "tests/fuzz/fuzz_sheet.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena *arena = arena_create();
	struct charset_text text;

	if (charset_decode(arena, (const char *)data, size, &text)) {
		hold(text.encoding != NULL);
		hold(utf8_valid(text.text, text.size, NULL));
		const char *copy = arena_strndup(arena, text.text, text.size);
		struct norm norm = norm_mapped(arena, copy);

		hold(utf8_valid(norm.text, norm.length, NULL));
		for (size_t i = 0; i < norm.length; i++)
			hold(norm.origin[i] <= norm.origin[i + 1]);
	}
	arena_destroy(arena);
	return 0;
}
