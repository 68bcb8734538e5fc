/*
 * fuzz.h - what the fuzz targets share. Each target is one file with LLVMFuzzerTestOneInput();
 * tests/fuzz/run builds and runs them.
 */
#ifndef TESTS_FUZZ_FUZZ_H
#define TESTS_FUZZ_FUZZ_H

#include <stddef.h>
#include <stdint.h>

/* Called by libFuzzer for every input; returns 0. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#endif
