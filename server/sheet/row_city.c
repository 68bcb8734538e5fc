/* row_city.c - the city of a row; see row.h. */
#include "sheet/row.h"

#include <string.h>

#include "base/arena.h"
#include "sheet/norm.h"

static const char *norm_of(const struct row_view *view, enum role role)
{
	return norm_text(view->reader->arena, view_text(view, role));
}

static void set_city(struct offer *offer, const char *meaning)
{
	offer->city_name = meaning;
	offer->city = city_from_name(meaning);
}

static bool names_two_cities(const struct row_view *view, const char *text)
{
	size_t at;
	const struct word *word = words_find(view->reader->words, "city", text, &at);
	const char *rest = word == NULL ? "" : text + at + word->length;
	const struct word *second = words_find(view->reader->words, "city", rest, NULL);
	char *before = word == NULL ? NULL : arena_strndup(view->reader->arena, text, at);

	if (word == NULL)
		return false;
	if (second == NULL)
		second = words_find(view->reader->words, "city", before, NULL);
	return second != NULL && strcmp(second->meaning, word->meaning) != 0;
}

/* The city as written, without 市: "香港", "Frankfurt". */
static const char *plain_city(struct arena *arena, const char *text)
{
	char *name = arena_strdup(arena, norm_trim(arena, text));
	size_t length = strlen(name);
	size_t suffix = strlen("市");

	if (length > suffix && strcmp(name + length - suffix, "市") == 0)
		name[length - suffix] = '\0';
	return name;
}

static bool headings_name_cities(const struct table *table)
{
	for (int i = 0; i < table->column_count; i++)
		if (table->columns[i].role == ROLE_PRICE && table->columns[i].city != NULL)
			return true;
	return false;
}

/* "Shen Zhen", "Hui-Zhou": the same letters, only apart. */
static const struct word *spelled_apart(const struct row_view *view, const char *norm)
{
	char *letters = arena_strdup(view->reader->arena, norm);
	size_t length = 0;

	for (const char *c = norm; *c != '\0'; c++)
		if (strchr(" -'._", *c) == NULL)
			letters[length++] = *c;
	letters[length] = '\0';
	return norm_has_han(norm) ? NULL : words_start(view->reader->words, "city", letters);
}

/* The known city that NORM is a slip of the pen for, or lies in: 东菀, shenzen, 松山湖; NULL. */
static const char *near_city(const struct row_view *view, const char *norm)
{
	const struct word *near = words_find(view->reader->words, "city_near", norm, NULL);
	static const char *const pinyin[] = {"shenzhen", "dongguan", "huizhou", "guangzhou"};
	static const char *const cities[] = {"深圳", "东莞", "惠州", "广州"};
	const char *nearest = nearest_name(norm, pinyin, sizeof pinyin / sizeof *pinyin);

	if (near != NULL)
		return near->meaning;
	for (size_t i = 0; nearest != NULL && i < sizeof pinyin / sizeof *pinyin; i++)
		if (strcmp(pinyin[i], nearest) == 0)
			return cities[i];
	return NULL;
}

/* A slip of the pen is told of in every row, any other name once as long as it goes on. */
static void report_unknown(const struct row_view *view, const struct column *column,
                           const char *text, const char *norm)
{
	struct arena *arena = view->reader->arena;
	const char *near = near_city(view, norm);
	const char *before = view->carry->unknown_city;

	/* "全国" is no city, and says so. */
	if (near == NULL && (words_find(view->reader->words, "no_city", norm, NULL) != NULL ||
	                     (before != NULL && strcmp(before, norm) == 0)))
		return;
	view->carry->unknown_city = arena_strdup(view->reader->keep, norm);
	reader_report(
	    view->reader, PROBLEM_WARNING, "unknown_city", view_place(view, column), text,
	    TEXT("this is no city that is known; the offer counts for none of 深圳, 东莞 "
	         "and 惠州",
	         "不认识这个城市，该报价不计入深圳、东莞或惠州"),
	    near != NULL
		? text_printf(arena, "did you mean %s? write it so", "是否指“%s”？请这样填写", near)
		: TEXT("write the name of the city, e.g. 深圳", "请填写城市名，例如 深圳"));
}

void row_city(const struct row_view *view, struct offer *offer)
{
	const struct column *column = table_column(view->table, ROLE_CITY);
	const char *text = view_text(view, ROLE_CITY);
	const char *norm = norm_text(view->reader->arena, text);
	const struct word *word = words_find(view->reader->words, "city", norm, NULL);

	if (*text == '\0') {
		word = words_find(view->reader->words, "city", norm_of(view, ROLE_SITE), NULL);
		if (word == NULL && is_city(view->reader->words, norm_of(view, ROLE_NOTE)))
			word = words_start(view->reader->words, "city", norm_of(view, ROLE_NOTE));
		const char *meaning = word != NULL                      ? word->meaning
		                      : view->carry->group_city != NULL ? view->carry->group_city
		                                                        : view->context->city;

		if (meaning != NULL)
			set_city(offer, meaning);
		else if (column != NULL)
			rows_add(&view->carry->cityless, view, column, NULL);
		else if (!view->carry->city_missed && !headings_name_cities(view->table))
			reader_report(view->reader, PROBLEM_WARNING, "unknown_city",
			              view_place(view, NULL), NULL,
			              TEXT("the table names no city", "表格没有写城市"),
			              TEXT("add a column 城市", "请增加“城市”列"));
		view->carry->city_missed = view->carry->city_missed || meaning == NULL;
		return;
	}
	if (names_two_cities(view, norm)) {
		offer->city = CITY_OTHER;
		offer->city_name = plain_city(view->reader->arena, text);
		reader_report(
		    view->reader, PROBLEM_WARNING, "ambiguous_city", view_place(view, column), text,
		    TEXT("the cell names several cities; the offer counts for none of them",
		         "单元格里有多个城市，该报价不计入其中任何一个"),
		    TEXT("write one row per city", "请每个城市写一行"));
		return;
	}
	if (word == NULL)
		word = spelled_apart(view, norm);
	set_city(offer, word != NULL ? word->meaning : plain_city(view->reader->arena, text));
	if (word == NULL)
		report_unknown(view, column, text, norm);
}
