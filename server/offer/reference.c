/*
 * reference.c - see reference.h.
 *
 * A file is read by a list of columns, each with the place in the struct where its value goes; what
 * does not fit that scheme (lists, month masks) is read by hand after it.
 */
#include "offer/reference.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/baked.h"
#include "base/csv.h"

#define MAX_FIELDS ((size_t)1000000)

enum column_kind { COLUMN_TEXT, COLUMN_INT, COLUMN_DOUBLE, COLUMN_BOOL };

struct column {
	const char *name;
	enum column_kind kind;
	size_t offset;
};

struct file {
	struct arena *arena;
	struct problems *problems;
	const char *name;
	struct csv csv;
};

#define FIELD(type, member, column, kind)                                                          \
	{                                                                                          \
		(column), (kind), offsetof(type, member)                                           \
	}

static bool open_file(struct file *file, const char *text, size_t size)
{
	if (csv_read(file->arena, text, size, ',', MAX_FIELDS, &file->csv) && file->csv.count > 0)
		return true;
	problem_add(file->problems, PROBLEM_ERROR, "damaged",
	            (struct place){.sheet = file->name, .row = (int)file->csv.error_row}, NULL,
	            "not a readable CSV file: %s", "不是可读的 CSV 文件：%s",
	            file->csv.error == NULL ? "empty" : file->csv.error);
	return false;
}

static void bad_field(struct file *file, size_t row, int column, const char *value)
{
	problem_add(file->problems, PROBLEM_ERROR, "bad_value",
	            (struct place){.sheet = file->name, .row = (int)row + 1, .column = column + 1},
	            value, "this value cannot be read here", "此处的值无法识别");
}

/* An empty field leaves the member as it is (zero, NULL, false). */
static bool read_value(struct file *file, const char *value, enum column_kind kind, void *member)
{
	char *end;

	switch (kind) {
	case COLUMN_TEXT:
		*(const char **)member = arena_strdup(file->arena, value);
		return true;
	case COLUMN_INT: {
		long number = strtol(value, &end, 10);

		*(int *)member = (int)number;
		return *end == '\0' && number >= 0 && number <= INT_MAX;
	}
	case COLUMN_DOUBLE:
		*(double *)member = strtod(value, &end);
		return *end == '\0' && isfinite(*(double *)member) && *(double *)member >= 0;
	case COLUMN_BOOL:
		/* "yes (off by default)" is a yes; ECC that a GeForce driver may toggle is a no. */
		*(bool *)member = strncmp(value, "yes", 3) == 0;
		return *(bool *)member || strcmp(value, "no") == 0 ||
		       strncmp(value, "toggle", 6) == 0;
	}
	return false;
}

static void read_row(struct file *file, size_t row, const struct column *columns, size_t count,
                     void *item)
{
	for (size_t i = 0; i < count; i++) {
		int column = csv_column(&file->csv, columns[i].name);
		const char *value = csv_field(&file->csv, row, column);
		void *member = (char *)item + columns[i].offset;

		if (*value != '\0' && !read_value(file, value, columns[i].kind, member))
			bad_field(file, row, column, value);
	}
}

static int compare_ids(const void *a, const void *b)
{
	/* Every item of a reference file starts with its id. */
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Reads all rows into ITEMS (SIZE bytes each, id first), sorts them, and reports double ids. */
static void read_rows(struct file *file, const struct column *columns, size_t column_count,
                      void *items, size_t size)
{
	size_t count = file->csv.count - 1;

	for (size_t i = 0; i < count; i++) {
		char *item = (char *)items + i * size;

		read_row(file, i + 1, columns, column_count, item);
		if (*(const char **)(void *)item == NULL) {
			bad_field(file, i + 1, 0, "");
			*(const char **)(void *)item = "";
		}
	}
}

static void sort_rows(struct file *file, void *items, size_t size)
{
	size_t count = file->csv.count - 1;

	qsort(items, count, size, compare_ids);
	for (size_t i = 1; i < count; i++) {
		const char *id = *(const char **)(void *)((char *)items + i * size);

		if (compare_ids((char *)items + (i - 1) * size, (char *)items + i * size) == 0)
			problem_add(file->problems, PROBLEM_ERROR, "duplicate",
			            (struct place){.sheet = file->name}, id,
			            "two rows have the id \"%s\"", "有两行的 id 都是“%s”", id);
	}
}

/* ---- cards ---- */

static enum card_link link_kind(const char *name)
{
	if (name == NULL || strstr(name, "to CPU") != NULL)
		return CARD_LINK_PCIE;
	if (strstr(name, "bridge") != NULL)
		return CARD_LINK_BRIDGE;
	if (strncmp(name, "NVLink", 6) == 0)
		return CARD_LINK_NVLINK;
	if (strstr(name, "HCCS") != NULL)
		return CARD_LINK_HCCS;
	if (strstr(name, "Infinity") != NULL || strstr(name, "XGMI") != NULL)
		return CARD_LINK_XGMI;
	return CARD_LINK_PCIE;
}

static void split_aliases(struct arena *arena, const char *text, struct card *card)
{
	size_t capacity = 0;
	const char **aliases = NULL;

	while (text != NULL && *text != '\0') {
		size_t length = strcspn(text, "|");

		if (length > 0) {
			aliases = arena_grow(arena, aliases, (size_t)card->alias_count, &capacity,
			                     sizeof *aliases);
			aliases[card->alias_count++] = arena_strndup(arena, text, length);
		}
		text += length;
		text += *text == '|';
	}
	card->aliases = aliases;
}

static const struct column card_columns[] = {
    FIELD(struct card, id, "id", COLUMN_TEXT),
    FIELD(struct card, name, "name", COLUMN_TEXT),
    FIELD(struct card, vendor, "vendor", COLUMN_TEXT),
    FIELD(struct card, architecture, "architecture", COLUMN_TEXT),
    FIELD(struct card, launch_year, "launch_year", COLUMN_INT),
    FIELD(struct card, form_factor, "form_factor", COLUMN_TEXT),
    FIELD(struct card, memory_gb, "memory_gb", COLUMN_DOUBLE),
    FIELD(struct card, smi_memory_mib, "smi_memory_mib", COLUMN_DOUBLE),
    FIELD(struct card, bandwidth_gbs, "memory_bandwidth_gbs", COLUMN_DOUBLE),
    FIELD(struct card, fp32_tflops, "fp32_tflops", COLUMN_DOUBLE),
    FIELD(struct card, tf32_tflops, "tf32_tflops_dense", COLUMN_DOUBLE),
    FIELD(struct card, fp16_tflops, "fp16_tflops_dense", COLUMN_DOUBLE),
    FIELD(struct card, bf16_native, "bf16_native", COLUMN_BOOL),
    FIELD(struct card, fp8_tflops, "fp8_tflops_dense", COLUMN_DOUBLE),
    FIELD(struct card, fp4_tflops, "fp4_tflops_dense", COLUMN_DOUBLE),
    FIELD(struct card, int8_tops, "int8_tops_dense", COLUMN_DOUBLE),
    FIELD(struct card, link_name, "link_type", COLUMN_TEXT),
    FIELD(struct card, link_gbs_bidir, "link_gbs_total_bidir", COLUMN_DOUBLE),
    FIELD(struct card, pcie_gen, "pcie_gen", COLUMN_INT),
    FIELD(struct card, pcie_lanes, "pcie_lanes", COLUMN_INT),
    FIELD(struct card, tdp_w, "tdp_w", COLUMN_DOUBLE),
    FIELD(struct card, ecc, "ecc", COLUMN_BOOL),
    FIELD(struct card, host_form, "host_form", COLUMN_TEXT),
    FIELD(struct card, host_cards, "host_gpus", COLUMN_INT),
    FIELD(struct card, host_power_kw, "host_power_kw", COLUMN_DOUBLE),
    FIELD(struct card, host_power_kind, "host_power_kind", COLUMN_TEXT),
    FIELD(struct card, seed_figures, "seed_figures", COLUMN_TEXT),
    FIELD(struct card, note, "note", COLUMN_TEXT),
    FIELD(struct card, sources, "sources", COLUMN_TEXT),
    FIELD(struct card, unverified_fields, "unverified_fields", COLUMN_TEXT),
};

bool cards_read(struct arena *arena, const char *text, size_t size, struct problems *problems,
                struct cards *cards)
{
	struct file file = {.arena = arena, .problems = problems, .name = "cards.csv"};
	size_t before = problems->errors;

	if (!open_file(&file, text, size))
		return false;
	size_t count = file.csv.count - 1;
	struct card *items = arena_array(arena, struct card, count);
	int aliases = csv_column(&file.csv, "aliases");

	read_rows(&file, card_columns, sizeof card_columns / sizeof *card_columns, items,
	          sizeof *items);
	for (size_t i = 0; i < count; i++) {
		split_aliases(arena, csv_field(&file.csv, i + 1, aliases), &items[i]);
		items[i].link_kind = link_kind(items[i].link_name);
		if (items[i].architecture == NULL)
			items[i].architecture = "";
	}
	sort_rows(&file, items, sizeof *items);
	*cards = (struct cards){.items = items, .count = count};
	return problems->errors == before;
}

/* ---- models ---- */

static const struct column model_columns[] = {
    FIELD(struct model, id, "id", COLUMN_TEXT),
    FIELD(struct model, params_b, "params_total_b", COLUMN_DOUBLE),
    FIELD(struct model, active_params_b, "params_active_b", COLUMN_DOUBLE),
    FIELD(struct model, layers, "layers", COLUMN_INT),
    FIELD(struct model, hidden, "hidden", COLUMN_INT),
    FIELD(struct model, heads, "heads", COLUMN_INT),
    FIELD(struct model, kv_heads, "kv_heads", COLUMN_INT),
    FIELD(struct model, head_dim, "head_dim", COLUMN_INT),
    FIELD(struct model, ffn_hidden, "ffn_hidden", COLUMN_INT),
    FIELD(struct model, gated_ffn, "gated_ffn", COLUMN_BOOL),
    FIELD(struct model, experts, "experts", COLUMN_INT),
    FIELD(struct model, experts_active, "experts_active", COLUMN_INT),
    FIELD(struct model, shared_experts, "shared_experts", COLUMN_INT),
    FIELD(struct model, moe_ffn_hidden, "moe_ffn_hidden", COLUMN_INT),
    FIELD(struct model, dense_layers, "dense_layers", COLUMN_INT),
    FIELD(struct model, moe_every, "moe_every", COLUMN_INT),
    FIELD(struct model, vocab, "vocab", COLUMN_INT),
    FIELD(struct model, tied_embeddings, "tied_embeddings", COLUMN_BOOL),
    FIELD(struct model, max_positions, "max_positions", COLUMN_INT),
    FIELD(struct model, mla_q_lora, "mla_q_lora", COLUMN_INT),
    FIELD(struct model, mla_kv_lora, "mla_kv_lora", COLUMN_INT),
    FIELD(struct model, mla_nope, "mla_nope", COLUMN_INT),
    FIELD(struct model, mla_rope, "mla_rope", COLUMN_INT),
    FIELD(struct model, mla_v, "mla_v", COLUMN_INT),
    FIELD(struct model, sliding_window, "sliding_window", COLUMN_INT),
    FIELD(struct model, window_layers, "window_layers", COLUMN_INT),
    FIELD(struct model, full_layers, "full_layers", COLUMN_INT),
    FIELD(struct model, linear_layers, "linear_layers", COLUMN_INT),
    FIELD(struct model, linear_key_heads, "linear_key_heads", COLUMN_INT),
    FIELD(struct model, linear_key_dim, "linear_key_dim", COLUMN_INT),
    FIELD(struct model, linear_value_heads, "linear_value_heads", COLUMN_INT),
    FIELD(struct model, linear_value_dim, "linear_value_dim", COLUMN_INT),
    FIELD(struct model, sparse_topk, "sparse_topk", COLUMN_INT),
    FIELD(struct model, source, "source", COLUMN_TEXT),
};

static void report_model_faults(struct file *file, size_t row, const struct model *model)
{
	struct model_fault faults[MODEL_FAULTS_MAX];
	int count = model_faults(model, faults);

	for (int i = 0; i < count; i++)
		problem_add_text(file->problems, PROBLEM_ERROR, "contradiction",
		                 (struct place){.sheet = file->name, .row = (int)row + 1},
		                 faults[i].member, faults[i].text);
}

bool models_read(struct arena *arena, const char *text, size_t size, struct problems *problems,
                 struct models *models)
{
	struct file file = {.arena = arena, .problems = problems, .name = "models.csv"};
	size_t before = problems->errors;

	if (!open_file(&file, text, size))
		return false;
	size_t count = file.csv.count - 1;
	struct model *items = arena_array(arena, struct model, count);
	int attention = csv_column(&file.csv, "attention");

	read_rows(&file, model_columns, sizeof model_columns / sizeof *model_columns, items,
	          sizeof *items);
	for (size_t i = 0; i < count; i++) {
		const char *word = csv_field(&file.csv, i + 1, attention);
		int kind = name_index(word, attention_names, ATTENTION_COUNT);

		if (kind < 0)
			bad_field(&file, i + 1, attention, word);
		else
			items[i].attention = (enum attention)kind;
		report_model_faults(&file, i + 1, &items[i]);
	}
	sort_rows(&file, items, sizeof *items);
	*models = (struct models){.items = items, .count = count};
	return problems->errors == before;
}

struct models models_merge(struct arena *arena, struct models a, struct models b)
{
	struct model *items = arena_array(arena, struct model, a.count + b.count);
	size_t count = 0;
	size_t i = 0;

	for (size_t j = 0; i < a.count || j < b.count;) {
		int order = i == a.count   ? 1
		            : j == b.count ? -1
		                           : strcmp(a.items[i].id, b.items[j].id);

		items[count++] = order < 0 ? a.items[i] : b.items[j];
		i += order <= 0;
		j += order >= 0;
	}
	return (struct models){.items = items, .count = count};
}

/* ---- tariffs ---- */

static const struct column tariff_hours_columns[] = {
    FIELD(struct tariff_hours, id, "id", COLUMN_TEXT),
    FIELD(struct tariff_hours, source, "source", COLUMN_TEXT),
};

/* "vvvvvvvvffppffpppppfffff", one letter an hour: valley, flat, peak, sharp. */
static bool read_bands(const char *text, enum tariff_band bands[24])
{
	static const char letters[] = "vfps";

	if (strlen(text) != 24)
		return false;
	for (int hour = 0; hour < 24; hour++) {
		const char *found = strchr(letters, text[hour]);

		if (found == NULL)
			return false;
		bands[hour] = (enum tariff_band)(found - letters);
	}
	return true;
}

/* "7 8 9" */
static bool read_months(const char *text, bool months[12])
{
	while (*text != '\0') {
		char *end;
		long month = strtol(text, &end, 10);

		if (end == text || month < 1 || month > 12)
			return false;
		months[month - 1] = true;
		text = end + strspn(end, " ");
	}
	return true;
}

static void read_hours_row(struct file *file, size_t row, struct tariff_hours *hours)
{
	static const char *const ratio_columns[TARIFF_BAND_COUNT] = {"valley_ratio", "flat_ratio",
	                                                             "peak_ratio", "sharp_ratio"};
	int ordinary = csv_column(&file->csv, "hours");
	int sharp = csv_column(&file->csv, "sharp_hours");
	int months = csv_column(&file->csv, "sharp_months");
	int from = csv_column(&file->csv, "valid_from");

	if (!read_bands(csv_field(&file->csv, row, ordinary), hours->bands))
		bad_field(file, row, ordinary, csv_field(&file->csv, row, ordinary));
	if (!read_bands(csv_field(&file->csv, row, sharp), hours->sharp_bands))
		bad_field(file, row, sharp, csv_field(&file->csv, row, sharp));
	if (!read_months(csv_field(&file->csv, row, months), hours->sharp_months))
		bad_field(file, row, months, csv_field(&file->csv, row, months));
	if (!date_parse(csv_field(&file->csv, row, from), &hours->valid_from))
		bad_field(file, row, from, csv_field(&file->csv, row, from));
	for (int band = 0; band < TARIFF_BAND_COUNT; band++) {
		int column = csv_column(&file->csv, ratio_columns[band]);

		if (!ratio_parse(csv_field(&file->csv, row, column), &hours->ratios[band]))
			bad_field(file, row, column, csv_field(&file->csv, row, column));
	}
}

bool tariff_hours_read(struct arena *arena, const char *text, size_t size,
                       struct problems *problems, struct tariffs *tariffs)
{
	struct file file = {.arena = arena, .problems = problems, .name = "tariff_hours.csv"};
	size_t before = problems->errors;

	if (!open_file(&file, text, size))
		return false;
	size_t count = file.csv.count - 1;
	struct tariff_hours *items = arena_array(arena, struct tariff_hours, count);

	read_rows(&file, tariff_hours_columns,
	          sizeof tariff_hours_columns / sizeof *tariff_hours_columns, items, sizeof *items);
	for (size_t i = 0; i < count; i++)
		read_hours_row(&file, i + 1, &items[i]);
	sort_rows(&file, items, sizeof *items);
	tariffs->hours = items;
	tariffs->hours_count = count;
	return problems->errors == before;
}

static const struct column tariff_columns[] = {
    FIELD(struct tariff, id, "id", COLUMN_TEXT),
    FIELD(struct tariff, name, "name", COLUMN_TEXT),
    FIELD(struct tariff, hours_id, "hours", COLUMN_TEXT),
    FIELD(struct tariff, source, "source", COLUMN_TEXT),
};

static struct date optional_date(struct file *file, size_t row, const char *column_name)
{
	int column = csv_column(&file->csv, column_name);
	const char *value = csv_field(&file->csv, row, column);
	struct date date = DATE_NONE;

	if (*value != '\0' && !date_parse(value, &date))
		bad_field(file, row, column, value);
	return date;
}

static int named(struct file *file, size_t row, const char *column_name, const char *const *names,
                 int count)
{
	int column = csv_column(&file->csv, column_name);
	const char *value = csv_field(&file->csv, row, column);
	int index = name_index(value, names, count);

	if (index < 0)
		bad_field(file, row, column, value);
	return index < 0 ? 0 : index;
}

static void read_tariff_row(struct file *file, size_t row, struct tariff *tariff)
{
	tariff->city = (enum city)named(file, row, "city", city_names_en, CITY_COUNT);
	tariff->tax = (enum tax_basis)named(file, row, "tax", tax_basis_names, TAX_BASIS_COUNT);
	tariff->origin = (enum origin)named(file, row, "origin", origin_names, ORIGIN_COUNT);
	tariff->valid_from = optional_date(file, row, "valid_from");
	tariff->valid_to = optional_date(file, row, "valid_to");
	for (int band = 0; band < TARIFF_BAND_COUNT; band++) {
		int column = csv_column(&file->csv, tariff_band_names[band]);
		const char *value = csv_field(&file->csv, row, column);

		tariff->known[band] = *value != '\0';
		if (tariff->known[band] && !money_parse(value, &tariff->per_kwh[band]))
			bad_field(file, row, column, value);
	}
}

bool tariffs_read(struct arena *arena, const char *text, size_t size, struct problems *problems,
                  struct tariffs *tariffs)
{
	struct file file = {.arena = arena, .problems = problems, .name = "tariffs.csv"};
	size_t before = problems->errors;

	if (!open_file(&file, text, size))
		return false;
	size_t count = file.csv.count - 1;
	struct tariff *items = arena_array(arena, struct tariff, count);

	read_rows(&file, tariff_columns, sizeof tariff_columns / sizeof *tariff_columns, items,
	          sizeof *items);
	for (size_t i = 0; i < count; i++)
		read_tariff_row(&file, i + 1, &items[i]);
	sort_rows(&file, items, sizeof *items);
	tariffs->items = items;
	tariffs->count = count;
	return problems->errors == before;
}

/* ---- all of it ---- */

bool reference_baked(struct arena *arena, struct problems *problems, struct reference *reference)
{
	const struct baked_file *cards = baked_find("schema/reference/cards.csv");
	const struct baked_file *models = baked_find("schema/reference/models.csv");
	const struct baked_file *hours = baked_find("schema/reference/tariff_hours.csv");
	const struct baked_file *tariffs = baked_find("schema/reference/tariffs.csv");

	*reference = (struct reference){0};
	bool read =
	    cards_read(arena, (const char *)cards->bytes, cards->size, problems, &reference->cards);
	read &= models_read(arena, (const char *)models->bytes, models->size, problems,
	                    &reference->models);
	read &= tariff_hours_read(arena, (const char *)hours->bytes, hours->size, problems,
	                          &reference->tariffs);
	read &= tariffs_read(arena, (const char *)tariffs->bytes, tariffs->size, problems,
	                     &reference->tariffs);
	return read;
}
