/* fuzz_zip.c - workbooks changed byte by byte: the container is what lies. */
#include "tests/fuzz/fuzz_sheet.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	/* Always a container by its first bytes, so that no input is spent on text. */
	uint8_t *copy = malloc(size + 4);

	memcpy(copy, "PK\x03\x04", 4);
	if (size > 4)
		memcpy(copy + 4, data + 4, size - 4);
	fuzz_sheet(copy, size > 4 ? size : 4);
	free(copy);
	return 0;
}
