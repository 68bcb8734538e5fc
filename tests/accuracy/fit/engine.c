/*
 * engine.c - the training engine with its constants open: what fit.mjs turns to fit them. Compiled
 * with const defined away, so that the table is a variable.
 *
 *   usage: fit_engine REQUESTS    lines of POST /size; commands on standard input:
 *   NAME VALUE     sets a constant: "tuned.overlap", "nic", "h20-96:bf16", "Hopper:attention"
 *   get NAME       prints it
 *   run FROM TO    prints of each request in that range "speed allocated reserved card fits;"
 */
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/size.h"
#include "base/arena.h"
#include "offer/reference.h"
#include "server/engine/training_constants.c"
#include "server/engine/training_run.h"

#define MOST_REQUESTS 8192

struct field {
	const char *name;
	size_t at;
};

#define STACK(field)                                                                               \
	{                                                                                          \
#field, offsetof(struct stack_constants, field)                                    \
	}
#define ALL(field)                                                                                 \
	{                                                                                          \
#field, offsetof(struct training_constants, field)                                 \
	}
#define CARD(field)                                                                                \
	{                                                                                          \
#field, offsetof(struct card_constants, field)                                     \
	}
static const struct field stack_fields[] = {
    STACK(attention),      STACK(elementwise), STACK(launch_ms),    STACK(exposed),
    STACK(gradient_bytes), STACK(overlap),     STACK(norm),         STACK(step_ms),
    STACK(loss_bytes),     STACK(live),        STACK(logits_bytes), STACK(logits_held_bytes),
    STACK(reserved_share), STACK(buffers_gib)};
static const struct field fields[] = {ALL(gemm_traffic),
                                      ALL(half_wave),
                                      ALL(attention_backward),
                                      ALL(elementwise_backward),
                                      ALL(preflash_score_bytes),
                                      ALL(ffn_traffic),
                                      ALL(handing_ms),
                                      ALL(attention_ramp),
                                      ALL(shipped_attention),
                                      ALL(unaligned_heads),
                                      ALL(quantised_launch),
                                      ALL(sharded_launch),
                                      ALL(dequant_bytes),
                                      ALL(grouped_gemm),
                                      ALL(expert_exposed),
                                      ALL(moe_launch_ms),
                                      ALL(permute_traffic),
                                      ALL(fp8_cast_bytes),
                                      ALL(nvlink),
                                      ALL(nic),
                                      ALL(loss_bytes_fused),
                                      ALL(elementwise_fused),
                                      ALL(dequant_bytes_fused),
                                      ALL(unaligned_products),
                                      ALL(selective_recompute),
                                      ALL(module_recompute),
                                      ALL(optimizer_bytes),
                                      ALL(scaling_loss),
                                      ALL(context_gib),
                                      ALL(nccl_gib),
                                      ALL(checkpoint_live)};
static const struct field card_fields[] = {CARD(bf16), CARD(fp8), CARD(fp4), CARD(attention)};

static struct size_request requests[MOST_REQUESTS];
static size_t count;

static double *member(void *of, const struct field *table, size_t rows, const char *name)
{
	for (size_t i = 0; i < rows; i++)
		if (strcmp(table[i].name, name) == 0)
			return (double *)((char *)of + table[i].at);
	fprintf(stderr, "fit_engine: no constant \"%s\"\n", name);
	exit(2);
}

#define MEMBER(of, table, name) member(of, table, sizeof table / sizeof table[0], name)

static double *constant(char *name)
{
	char *part = strpbrk(name, ".:");

	if (part == NULL)
		return MEMBER(&training_constants, fields, name);
	bool card = *part == ':';

	*part++ = '\0';
	for (int i = 0; !card && i < STACK_COUNT; i++)
		if (stack_names[i] != NULL && strcmp(stack_names[i], name) == 0)
			return MEMBER(&training_constants.stack[i], stack_fields, part);
	for (size_t i = 0; card && i < sizeof cards / sizeof cards[0]; i++)
		if (strcmp(cards[i].id != NULL ? cards[i].id : cards[i].family, name) == 0)
			return MEMBER(&cards[i], card_fields, part);
	fprintf(stderr, "fit_engine: no row \"%s\"\n", name);
	exit(2);
}

/* Tokens/s also of what is said not to fit: it ran. */
static double speed_of(const struct size_request *request, const struct training_size *size)
{
	struct training_base base;
	struct training_run run;
	struct training_speed speed;
	struct notes notes = {0};

	if (size->speed.tokens_per_s_per_card > 0)
		return size->speed.tokens_per_s_per_card;
	training_base_of(&request->workload.training, &request->on, &base, &notes);
	if (!training_run_of(&base, &request->layout, &run))
		return 0;
	training_speed_of(&run, &speed);
	return speed.tokens_per_s_per_card;
}

static void run(size_t from, size_t to)
{
	for (size_t i = from; i < to && i < count; i++) {
		struct size_result result;
		const struct training_size *size = &result.training;

		size_compute(&requests[i], &result);
		printf("%.7g %.6g %.6g %.6g %d;", speed_of(&requests[i], size),
		       size->memory.allocated_gib, size->memory.reserved_gib,
		       size->memory.per_card_gib, size->fits);
	}
	printf("\n");
	fflush(stdout);
}

/* Requests stay as long as the program: so do the arena and their JSON. */
static void load(const char *path)
{
	static struct reference reference;
	struct arena *arena = arena_create();
	struct problems problems;
	FILE *file = fopen(path, "r");
	char *line = NULL;
	size_t room = 0;
	ssize_t length;

	problems_init(&problems, arena);
	if (file == NULL || !reference_baked(arena, &problems, &reference)) {
		perror(path);
		exit(2);
	}
	struct workload_reader reader = {.json = {.arena = arena, .problems = &problems},
	                                 .cards = &reference.cards,
	                                 .models = &reference.models};

	while ((length = getline(&line, &room, file)) > 0 && count < MOST_REQUESTS) {
		json_t *json = json_parse(&reader.json, line, (size_t)length);

		if (json == NULL || !size_read(&reader, json, &requests[count++])) {
			fprintf(stderr, "fit_engine: cannot read %s", line);
			exit(2);
		}
	}
	free(line);
	fclose(file);
}

int main(int argc, char **argv)
{
	char line[256];
	char name[128];
	double value;
	size_t from;
	size_t to;

	if (argc != 2)
		return 2;
	load(argv[1]);
	while (fgets(line, sizeof line, stdin) != NULL) {
		if (sscanf(line, "run %zu %zu", &from, &to) == 2) {
			run(from, to);
		} else if (sscanf(line, "get %127s", name) == 1) {
			printf("%.9g\n", *constant(name));
			fflush(stdout);
		} else if (sscanf(line, "%127s %lf", name, &value) == 2) {
			*constant(name) = value;
		}
	}
	return 0;
}
