/*
 * bench_sheets.c FOLDER - price sheets: honest ones read, hostile ones refused.
 *
 * The honest ones are left in FOLDER for other readers to be timed on. Each hostile one is read in
 * a process of its own, so that the memory it costs can be told from that of the others.
 */
#include <fcntl.h>
#include <malloc.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/arena.h"
#include "offer/reference.h"
#include "sheet/sheet.h"
#include "sheet/xlsx_write.h"
#include "tests/bench/measure.h"
#include "tests/hostile.h"

#define TODAY 20787 /* 2026-11-30 */

static struct reference reference;

/* ---- honest ones ---- */

static const char *const headings[] = {"型号",         "城市",
                                       "机房",         "卡数",
                                       "库存（台）",   "包月（元/台/月，含税6%）",
                                       "交付方式",     "SLA",
                                       "更换（小时）", "包年（元/台/年，含税6%）",
                                       "组网",         "起租期",
                                       "有效期至",     "带宽",
                                       "全新",         "备注"};
#define COLUMNS_MOST (sizeof headings / sizeof *headings)
#define COLUMNS 9

/* The texts of a row that differ from row to row. */
struct row_texts {
	char site[32];
	char stock[24];
	char month[24];
	char year[24];
};

/* Row ROW of a sheet that could be a supplier's: each sells another thing. */
static void sheet_row(int row, const char *cells[COLUMNS_MOST], struct row_texts *texts)
{
	static const char *const cards[] = {"H100 SXM", "A100 80G", "L40S", "RTX 4090", "H20 96G"};
	static const int thousands[] = {70, 40, 20, 10, 50};
	static const char *const cities[] = {"深圳", "东莞", "惠州"};
	int price = thousands[row % 5] * 1000 + row % 7919;

	snprintf(texts->site, sizeof texts->site, "示例机房%d", row);
	snprintf(texts->stock, sizeof texts->stock, "%d", row % 40);
	snprintf(texts->month, sizeof texts->month, "%d", price);
	snprintf(texts->year, sizeof texts->year, "%d", price * 10);
	const char *all[COLUMNS_MOST] = {
	    cards[row % 5], cities[row % 3], texts->site, "8",         texts->stock, texts->month,
	    "裸金属",       "99.9%",         "4",         texts->year, "IB 3.2T",    "1个月",
	    "2027-12-31",   "100M",          "全新",      "示例"};

	memcpy(cells, all, sizeof all);
}

static void make_csv(int rows, size_t columns, struct buf *file)
{
	const char *cells[COLUMNS_MOST];
	struct row_texts texts;

	for (int row = -1; row < rows; row++) {
		if (row >= 0)
			sheet_row(row, cells, &texts);
		for (size_t i = 0; i < columns; i++) {
			buf_puts(file, row < 0 ? headings[i] : cells[i]);
			buf_puts(file, i + 1 < columns ? "," : "\n");
		}
	}
}

static bool make_xlsx(int rows, struct buf *file)
{
	struct xlsx_write out = xlsx_write_begin();
	const char *cells[COLUMNS_MOST];
	struct row_texts texts;

	for (size_t i = 0; i < COLUMNS; i++)
		xlsx_text(&out, headings[i]);
	xlsx_end_row(&out);
	for (int row = 0; row < rows; row++) {
		sheet_row(row, cells, &texts);
		for (size_t i = 0; i < COLUMNS; i++)
			if (i >= 3 && i <= 5)
				xlsx_number(&out, cells[i]);
			else
				xlsx_text(&out, cells[i]);
		xlsx_end_row(&out);
	}
	return xlsx_write_finish(&out, "报价", file);
}

static bool read_file(const struct buf *file)
{
	struct arena *arena = arena_create();
	struct sheet_options options = {
	    .cards = &reference.cards, .hours_per_month = 720, .today = {TODAY}};
	struct sheet sheet;

	sheet_read(arena, file->bytes, file->size, NULL, &options, &sheet);
	bool accepted = sheet.accepted;

	arena_destroy(arena);
	return accepted;
}

static void read_sheet(void *context)
{
	if (!read_file(context))
		printf("the sheet was not accepted\n");
}

static void bench_sheet(const char *folder, const char *name, const char *what, struct buf *file)
{
	char path[4096];

	snprintf(path, sizeof path, "%s/%s", folder, name);
	FILE *kept = fopen(path, "wb");

	if (kept == NULL || fwrite(file->bytes, 1, file->size, kept) != file->size)
		perror(path);
	if (kept != NULL)
		fclose(kept);
	report(what, best_us(read_sheet, file), "");
	buf_finish(file);
}

static void bench_honest(const char *folder)
{
	struct buf file = {0};

	if (make_xlsx(5000, &file))
		bench_sheet(folder, "prices.xlsx", "XLSX of 5,000 rows", &file);
	make_csv(100000, COLUMNS, &file);
	bench_sheet(folder, "prices.csv", "CSV of 100,000 rows, 9 columns", &file);
	make_csv(100000, COLUMNS_MOST, &file);
	bench_sheet(folder, "wide.csv", "CSV of 100,000 rows, 16 columns", &file);
}

/* ---- hostile ones ---- */

/* What a process found when it read a file. */
struct found {
	bool accepted;
	double ms;  /* of CPU, so that what else the machine does counts less */
	double mib; /* most memory at a time, above what there was before */
};

/* The figure called NAME of this process, in KiB. */
static long own_memory_kib(const char *name)
{
	char line[256];
	long kib = 0;
	FILE *status = fopen("/proc/self/status", "r");

	while (status != NULL && fgets(line, sizeof line, status) != NULL)
		if (strncmp(line, name, strlen(name)) == 0)
			kib = strtol(line + strlen(name), NULL, 10);
	if (status != NULL)
		fclose(status);
	return kib;
}

/* From here on VmHWM is the most memory since now. */
static void forget_peak(void)
{
	int file = open("/proc/self/clear_refs", O_WRONLY);

	if (file >= 0 && write(file, "5", 1) == 1)
		close(file);
}

static void read_apart(const struct buf *file, struct found *found)
{
	forget_peak();
	long before = own_memory_kib("VmRSS:");
	clock_t began = clock();

	found->accepted = read_file(file);
	found->ms = (double)(clock() - began) * 1000 / CLOCKS_PER_SEC;
	found->mib = (double)(own_memory_kib("VmHWM:") - before) / 1024;
}

static void bench_hostile(const struct hostile *kind, struct found *found)
{
	struct buf file = {0};
	int status;

	*found = (struct found){.accepted = true};
	kind->make(&file);
	fflush(stdout);
	malloc_trim(0);
	pid_t reader = fork();

	if (reader == 0) {
		read_apart(&file, found);
		_exit(0);
	}
	waitpid(reader, &status, 0);
	printf("  %-42s %9.2f ms  %6.1f MiB  %zu KiB sent%s%s\n", kind->name, found->ms, found->mib,
	       file.size >> 10, found->accepted == kind->harmless ? "" : ", NOT REFUSED",
	       status != 0 ? ", CRASHED" : "");
	fflush(stdout);
	buf_finish(&file);
}

static void bench_hostiles(void)
{
	struct found *found =
	    mmap(NULL, sizeof *found, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	if (found == MAP_FAILED)
		return;
	printf("hostile files, refused (CPU and memory; aim 200 ms, 64 MiB):\n");
	for (size_t i = 0; i < HOSTILE_KINDS; i++)
		bench_hostile(&hostile_kinds[i], found);
	munmap(found, sizeof *found);
}

int main(int argc, char **argv)
{
	struct arena *arena = arena_create();
	struct problems problems;

	if (argc != 2) {
		fputs("usage: bench_sheets FOLDER\n", stderr);
		return 2;
	}
	problems_init(&problems, arena);
	reference_baked(arena, &problems, &reference);
	bench_honest(argv[1]);
	bench_hostiles();
	arena_destroy(arena);
	return 0;
}
