/* conditions.c - what an offer says beside its prices, compared; see conditions.h. */
#include "sheet/conditions.h"

#include <stddef.h>
#include <string.h>

#include "base/arena.h"
#include "base/ratio.h"
#include "sheet/sheet.h"

enum condition_kind {
	CONDITION_COUNT_OF,
	CONDITION_SHARE,
	CONDITION_HOURS,
	CONDITION_DATE,
	CONDITION_NAME,
	CONDITION_TEXT
};

struct condition {
	const char *field; /* as offers in JSON call it */
	struct text label;
	enum condition_kind kind;
	size_t offset;
	const char *const *names; /* of an enum, by value */
};

static const char *const yes_no_names[] = {"", "yes", "no"};

#define AT(member) offsetof(struct offer, member)

static const struct condition conditions[] = {
    {"title", {"product", "产品"}, CONDITION_TEXT, AT(title), NULL},
    {"city", {"city", "城市"}, CONDITION_TEXT, AT(city_name), NULL},
    {"site", {"site", "机房"}, CONDITION_TEXT, AT(site), NULL},
    {"servers_available",
     {"available", "可供数量"},
     CONDITION_COUNT_OF,
     AT(servers_available),
     NULL},
    {"delivery", {"delivery", "交付方式"}, CONDITION_NAME, AT(delivery), delivery_names},
    {"power_billing",
     {"billing of electricity", "用电方式"},
     CONDITION_NAME,
     AT(power_billing),
     power_billing_names},
    {"mbps_included",
     {"bandwidth included (Mbit/s)", "含带宽（M）"},
     CONDITION_COUNT_OF,
     AT(mbps_included),
     NULL},
    {"availability", {"availability", "可用性"}, CONDITION_SHARE, AT(availability_ppm), NULL},
    {"replacement_hours",
     {"replacement (hours)", "故障更换（小时）"},
     CONDITION_HOURS,
     AT(replacement_minutes),
     NULL},
    {"support_24x7", {"24x7 support", "7x24 支持"}, CONDITION_NAME, AT(support_24x7), yes_no_names},
    {"valid_from", {"valid from", "生效日期"}, CONDITION_DATE, AT(valid_from), NULL},
    {"valid_to", {"valid to", "有效期至"}, CONDITION_DATE, AT(valid_to), NULL},
};
#define CONDITIONS (sizeof conditions / sizeof *conditions)

static const void *value_of(const struct condition *condition, const struct offer *offer)
{
	return (const char *)offer + condition->offset;
}

static bool same(const struct condition *condition, const struct offer *a, const struct offer *b)
{
	const void *left = value_of(condition, a);
	const void *right = value_of(condition, b);

	if (condition->kind == CONDITION_TEXT) {
		const char *const *x = left;
		const char *const *y = right;

		return strcmp(*x == NULL ? "" : *x, *y == NULL ? "" : *y) == 0;
	}
	if (condition->kind == CONDITION_DATE)
		return ((const struct date *)left)->days == ((const struct date *)right)->days;
	return *(const int *)left == *(const int *)right;
}

/* COUNT by UNIT as a decimal; NULL = not stated. */
static const char *decimal(struct arena *arena, int count, int unit)
{
	char text[RATIO_DECIMAL_SIZE];

	if (count < 0 || !ratio_format_short(ratio_make(count, unit), 6, text))
		return NULL;
	return arena_strdup(arena, text);
}

/* NULL = not stated. */
static const char *text_of(struct arena *arena, const struct condition *condition,
                           const struct offer *offer)
{
	const void *value = value_of(condition, offer);
	char day[11];

	switch (condition->kind) {
	case CONDITION_COUNT_OF:
		return decimal(arena, *(const int *)value, 1);
	case CONDITION_SHARE:
		return decimal(arena, *(const int *)value, 1000000);
	case CONDITION_HOURS:
		return decimal(arena, *(const int *)value, 60);
	case CONDITION_DATE:
		if (date_is_none(*(const struct date *)value))
			return NULL;
		date_format(*(const struct date *)value, day);
		return arena_strdup(arena, day);
	case CONDITION_NAME:
		return *(const int *)value == 0 ? NULL : condition->names[*(const int *)value];
	case CONDITION_TEXT:
		return *(const char *const *)value;
	}
	return NULL;
}

bool offers_same_conditions(const struct offer *a, const struct offer *b)
{
	for (size_t i = 0; i < CONDITIONS; i++)
		if (!same(&conditions[i], a, b))
			return false;
	return true;
}

size_t sheet_condition_changes(struct arena *arena, const struct sheet_change *change,
                               struct condition_change **found)
{
	size_t count = 0;

	*found = arena_array(arena, struct condition_change, CONDITIONS);
	for (size_t i = 0; i < CONDITIONS; i++) {
		const struct condition *condition = &conditions[i];

		if (same(condition, change->before, change->now))
			continue;
		(*found)[count++] =
		    (struct condition_change){.field = condition->field,
		                              .label = condition->label,
		                              .before = text_of(arena, condition, change->before),
		                              .now = text_of(arena, condition, change->now)};
	}
	return count;
}
