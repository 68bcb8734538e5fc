/* fuzz_json.h - what the targets that are asked and answer in JSON share. */
#ifndef TESTS_FUZZ_FUZZ_JSON_H
#define TESTS_FUZZ_FUZZ_JSON_H

#include "api/json_read.h"
#include "base/buf.h"
#include "tests/fuzz/fuzz_sheet.h"

/* TEXT as the JSON that it must be; the caller's. */
static inline json_t *answer_of(struct buf *text)
{
	json_t *answer = json_loadb(buf_text(text), text->size, JSON_REJECT_DUPLICATES, NULL);

	hold(answer != NULL);
	return answer;
}

#endif
