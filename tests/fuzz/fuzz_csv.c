/* fuzz_csv.c - any bytes as an upload: charsets, separators, tables, JSON, containers. */
#include "tests/fuzz/fuzz_sheet.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	fuzz_sheet(data, size);
	return 0;
}
