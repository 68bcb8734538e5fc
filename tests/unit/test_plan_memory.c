/* test_plan_memory.c - the planner that remembers gives the same plans as the one that does not. */
#include "tests/unit/unit.h"

#include "api/planner.h"
#include "tests/unit/plan_fixture.h"

static struct fixture fixture;

static struct catalogue *catalogue_of(struct fixture *at)
{
	struct catalogue_builder *builder = catalogue_builder_create(1);
	struct catalogue_reference reference = {.base = *fixture_reference()};

	catalogue_builder_reference(builder, &reference);
	for (int i = 0; i < at->count; i++)
		catalogue_builder_add(builder, &at->offers[i]);
	return catalogue_builder_finish(builder);
}

static void set_up(void)
{
	fixture_begin(&fixture);
	fixture.spec.routes = 7;
	fixture_usage(&fixture, fixture_card(&fixture, "h100-sxm"), 3 * 8 * 720, 30);
	for (int i = 0; i < 6; i++)
		fixture_rental(&fixture, "76000")->servers_available = i;
	fixture_purchase(&fixture, "2400000");
	fixture_cabinet(&fixture, "9000", 12000);
}

static void same_plans(const struct plan *a, const struct plan *b)
{
	assert_int_equal(a->option_count, b->option_count);
	assert_true(a->option_count > 2);
	for (int i = 0; i < a->option_count; i++) {
		assert_int_equal(money_compare(a->options[i].total, b->options[i].total), 0);
		assert_int_equal(a->options[i].items[0].offer->id,
		                 b->options[i].items[0].offer->id);
	}
	assert_int_equal(a->demand_count, b->demand_count);
	for (int i = 0; i < a->demand_count; i++)
		assert_int_equal(a->demand[i].milli_card_hours, b->demand[i].milli_card_hours);
}

static void what_is_remembered_changes_no_plan(void **state)
{
	(void)state;
	struct planner *planner = planner_create();
	struct planned plain, first, second;

	set_up();
	struct catalogue *catalogue = catalogue_of(&fixture);

	planner_make(NULL, catalogue, &fixture.spec, &plain);
	planner_make(planner, catalogue, &fixture.spec, &first);
	same_plans(&plain.plan, &first.plan);
	planner_give_back(planner, &first);
	planner_make(planner, catalogue, &fixture.spec, &second);
	same_plans(&plain.plan, &second.plan);
	planner_give_back(planner, &second);
	planner_give_back(NULL, &plain);
	catalogue_release(catalogue);
	planner_destroy(planner);
}

static void another_workload_is_not_taken_for_the_one_before(void **state)
{
	(void)state;
	struct planner *planner = planner_create();
	struct planned first, second;

	set_up();
	struct catalogue *catalogue = catalogue_of(&fixture);

	planner_make(planner, catalogue, &fixture.spec, &first);
	assert_int_equal(first.plan.demand[0].servers, 3);
	fixture.workloads[0].usage.gpu_hours *= 2;
	planner_make(planner, catalogue, &fixture.spec, &second);
	assert_int_equal(second.plan.demand[0].servers, 6);
	planner_give_back(planner, &first);
	planner_give_back(planner, &second);
	catalogue_release(catalogue);
	planner_destroy(planner);
}

/* Sixteen of them were once kept for ever: after a few plans of 16 workloads the service held 1.6
 * GB. */
static void the_memory_of_a_huge_plan_is_given_back_to_the_system(void **state)
{
	(void)state;
	struct planner *planner = planner_create();
	struct planned huge, small;

	set_up();
	struct catalogue *catalogue = catalogue_of(&fixture);
	struct workload one = fixture.workloads[0];

	fixture.spec.top = PLAN_TOP_MAX;
	fixture.spec.workload_count = PLAN_WORKLOADS_MAX;
	for (int i = 0; i < PLAN_WORKLOADS_MAX; i++)
		fixture.workloads[i] = one;
	planner_make(planner, catalogue, &fixture.spec, &huge);
	assert_true(huge.memory.size > (size_t)256 << 20);
	planner_give_back(planner, &huge);
	fixture.spec.top = 1;
	fixture.spec.workload_count = 1;
	planner_make(planner, catalogue, &fixture.spec, &small);
	assert_true(small.memory.size < (size_t)256 << 20);
	planner_give_back(planner, &small);
	catalogue_release(catalogue);
	planner_destroy(planner);
}

static void plan_once(struct planner *planner, struct catalogue *catalogue)
{
	struct planned planned;

	planner_make(planner, catalogue, &fixture.spec, &planned);
	planner_give_back(planner, &planned);
}

static void a_plan_is_quick_once_its_question_is_known(void **state)
{
	(void)state;
	struct planner *planner = planner_create();

	set_up();
	struct catalogue *catalogue = catalogue_of(&fixture);

	assert_false(planner_is_quick(planner, catalogue, &fixture.spec));
	plan_once(planner, catalogue);
	assert_true(planner_is_quick(planner, catalogue, &fixture.spec));
	/* Other amounts are as quick; another thing asked of all offers is not. */
	fixture.workloads[0].usage.gpu_hours *= 2;
	fixture.spec.basis.months = 24;
	assert_true(planner_is_quick(planner, catalogue, &fixture.spec));
	fixture.spec.cities = 1u << CITY_SHENZHEN;
	assert_false(planner_is_quick(planner, catalogue, &fixture.spec));
	plan_once(planner, catalogue);
	/* A model that nobody asked about is sized first. */
	fixture.workloads[0] =
	    (struct workload){.kind = WORKLOAD_INFERENCE, .serving = fixture_serving_by_day()};
	assert_false(planner_is_quick(planner, catalogue, &fixture.spec));
	plan_once(planner, catalogue);
	assert_true(planner_is_quick(planner, catalogue, &fixture.spec));
	fixture.workloads[0].serving.requests_per_s *= 2;
	assert_true(planner_is_quick(planner, catalogue, &fixture.spec));
	fixture.workloads[0].serving.input_tokens *= 2;
	assert_false(planner_is_quick(planner, catalogue, &fixture.spec));
	fixture.workloads[0].serving.input_tokens /= 2;
	/* Nor is what searches for long whatever is known. */
	fixture.spec.full_sensitivity = true;
	assert_false(planner_is_quick(planner, catalogue, &fixture.spec));
	fixture.spec.full_sensitivity = false;
	fixture.spec.workload_count = 2;
	fixture.workloads[1] = fixture.workloads[0];
	assert_false(planner_is_quick(planner, catalogue, &fixture.spec));
	fixture.spec.workload_count = 1;

	struct catalogue *next = catalogue_of(&fixture);

	assert_false(planner_is_quick(planner, next, &fixture.spec));
	catalogue_release(next);
	catalogue_release(catalogue);
	planner_destroy(planner);
}

static void the_snapshot_that_comes_next_is_screened_before(void **state)
{
	(void)state;
	struct planner *planner = planner_create();

	set_up();
	struct catalogue *now = catalogue_of(&fixture);
	struct catalogue *next = catalogue_of(&fixture);

	/* Six questions, of which the last four are worth preparing for. */
	for (int i = 0; i < 6; i++) {
		fixture.spec.terms = i < 1 ? TERMS_ALL_BUT_SPOT : 1u << (i - 1);
		plan_once(planner, now);
	}
	planner_prepare(planner, next);
	assert_true(planner_is_quick(planner, now, &fixture.spec));
	fixture.spec.terms = 1u << 1;
	assert_true(planner_is_quick(planner, next, &fixture.spec));
	plan_once(planner, next);
	fixture.spec.terms = 1u << 0;
	assert_false(planner_is_quick(planner, next, &fixture.spec));
	/* Prepared for, and never in force. */
	planner_prepare(planner, now);
	planner_prepare(planner, next);
	catalogue_release(now);
	catalogue_release(next);
	planner_destroy(planner);
}

/* One thing that a spec may ask of every offer; each differs from all others. */
static void ask_for(int which, struct spec *spec)
{
	static const char *const licences[] = {"IDC", "ISP"};
	static struct fx_rate rate = {.currency = "USD", .source = "test"};
	struct requirement *require = &spec->require;

	rate.per_unit = money_from_micro(7000000);
	switch (which) {
	case 0:
		spec->cities = 1u << CITY_DONGGUAN;
		return;
	case 1:
		spec->cities = 1u << CITY_SHENZHEN;
		return;
	case 2:
		spec->cities = 1u << CITY_SHENZHEN;
		spec->any_city = true;
		return;
	case 3:
		spec->terms = 1u << TERM_HOURLY;
		return;
	case 4:
		spec->service = SERVICE_MANAGED;
		return;
	case 5:
		spec->line = "bgp";
		return;
	case 6:
		spec->basis.start = (struct date){20600};
		return;
	case 7:
		spec->basis.start = (struct date){20800};
		return;
	case 8:
		spec->basis.start = (struct date){20600};
		require->start_by = (struct date){20700};
		return;
	case 9:
		cost_basis_give(&spec->basis, ASSUME_GOODS_VAT, ratio_make(1, 2));
		return;
	case 10:
		spec->basis.fx = &rate;
		spec->basis.fx_count = 1;
		return;
	case 11:
		require->availability_ppm = 999000;
		return;
	case 12:
		require->replacement_minutes = 60;
		return;
	case 13:
		require->support_24x7 = true;
		return;
	case 14:
		require->power_tier = "2n";
		return;
	case 15:
		require->power_tier = "n+1";
		return;
	case 16:
		require->delivery = DELIVERY_BARE_METAL;
		return;
	case 17:
		require->max_card_age_months = 12;
		return;
	case 18:
		require->new_cards = true;
		return;
	case 19:
		require->licences = licences;
		require->licence_count = 1;
		return;
	case 20:
		require->licences = licences + 1;
		require->licence_count = 1;
		return;
	case 21:
		require->intra_link = INTRA_NVLINK;
		return;
	case 22:
		require->inter_link = INTER_IB;
		return;
	}
}
#define ASKS 23

/* An offer that passes ask WHICH alone, where there is such a thing. */
static void offer_for(int which)
{
	struct offer *offer = fixture_rental(&fixture, "76000");

	switch (which) {
	case 0:
		offer->city = CITY_DONGGUAN;
		return;
	case 2:
		offer->city = CITY_UNKNOWN;
		return;
	case 3:
		offer->prices[0].term = TERM_HOURLY;
		return;
	case 5:
		offer->line = "bgp";
		return;
	case 6:
		offer->valid_to = (struct date){20650};
		return;
	case 7:
		offer->valid_from = (struct date){20750};
		return;
	case 8:
		offer->valid_from = (struct date){20690};
		return;
	case 10:
		memcpy(offer->prices[0].currency, "USD", 4);
		return;
	case 11:
		offer->availability_ppm = 999500;
		return;
	case 12:
		offer->replacement_minutes = 30;
		return;
	case 13:
		offer->support_24x7 = YES_NO_YES;
		return;
	case 14:
		offer->power_tier = "2n";
		return;
	case 15:
		offer->power_tier = "n+1";
		return;
	case 16:
		offer->delivery = DELIVERY_VM;
		return;
	case 17:
		offer->card_age_months = 6;
		return;
	case 18:
		offer->new_cards = YES_NO_YES;
		return;
	case 19:
		offer->licences = "IDC";
		return;
	case 20:
		offer->licences = "ISP";
		return;
	case 21:
		offer->intra_link = INTRA_NVLINK;
		return;
	case 22:
		offer->inter_link = INTER_IB;
		return;
	}
}

static void same_reasons(const struct plan *a, const struct plan *b)
{
	assert_int_equal(a->offers_used, b->offers_used);
	assert_int_equal(a->not_chosen_count, b->not_chosen_count);
	for (int i = 0; i < a->not_chosen_count; i++) {
		assert_int_equal(a->not_chosen[i].reason, b->not_chosen[i].reason);
		assert_int_equal(a->not_chosen[i].offers, b->not_chosen[i].offers);
		assert_int_equal(a->not_chosen[i].alone, b->not_chosen[i].alone);
		assert_int_equal(a->not_chosen[i].nearest->id, b->not_chosen[i].nearest->id);
	}
}

static void another_requirement_is_not_taken_for_the_one_before(void **state)
{
	(void)state;
	struct planner *planner = planner_create();

	fixture_begin(&fixture);
	fixture_usage(&fixture, fixture_card(&fixture, "h100-sxm"), 8 * 720, 30);
	for (int which = 0; which < ASKS; which++)
		offer_for(which);
	struct catalogue *catalogue = catalogue_of(&fixture);
	struct spec plain = fixture.spec;

	/* Twice: made, then found again among the others. */
	for (int i = 0; i < 2 * ASKS; i++) {
		struct planned fresh, remembered;

		fixture.spec = plain;
		ask_for(i % ASKS, &fixture.spec);
		planner_make(NULL, catalogue, &fixture.spec, &fresh);
		fixture.spec = plain;
		ask_for(i % ASKS, &fixture.spec);
		planner_make(planner, catalogue, &fixture.spec, &remembered);
		same_reasons(&fresh.plan, &remembered.plan);
		planner_give_back(NULL, &fresh);
		planner_give_back(planner, &remembered);
	}
	catalogue_release(catalogue);
	planner_destroy(planner);
}

/* What is in use when others push it out of the memory, or a new snapshot comes, stays whole. */
static void a_screen_in_use_outlives_its_place_in_the_memory(void **state)
{
	(void)state;
	struct planner *planner = planner_create();
	struct planned held, other;

	set_up();
	struct catalogue *catalogue = catalogue_of(&fixture);

	planner_make(planner, catalogue, &fixture.spec, &held);
	for (int i = 0; i < 40; i++) {
		fixture.spec.require.availability_ppm = 1 + i;
		planner_make(planner, catalogue, &fixture.spec, &other);
		planner_give_back(planner, &other);
	}
	struct catalogue *next = catalogue_of(&fixture);

	planner_make(planner, next, &fixture.spec, &other);
	planner_give_back(planner, &other);
	assert_true(held.plan.option_count > 2);
	planner_give_back(planner, &held);
	catalogue_release(next);
	catalogue_release(catalogue);
	planner_destroy(planner);
}

static void a_new_snapshot_makes_it_forget_the_old_one(void **state)
{
	(void)state;
	struct planner *planner = planner_create();
	struct planned planned;

	for (int i = 0; i < 3; i++) {
		set_up();
		struct catalogue *catalogue = catalogue_of(&fixture);

		planner_make(planner, catalogue, &fixture.spec, &planned);
		/* The card is the snapshot's own: nothing of an older one is handed out. */
		const struct card *card =
		    card_find(&catalogue_reference_of(catalogue)->base.cards, "h100-sxm");

		assert_ptr_equal(planned.plan.demand[0].class.card, card);
		planner_give_back(planner, &planned);
		catalogue_release(catalogue);
	}
	planner_destroy(planner);
}

/* COUNT cabinets, alternately in two cities, each of a power of its own. */
static struct catalogue *catalogue_of_powers(int count)
{
	struct catalogue_builder *builder = catalogue_builder_create(1);
	struct catalogue_reference reference = {.base = *fixture_reference()};
	struct offer *cabinet = &fixture.offers[fixture.count - 1];

	catalogue_builder_reference(builder, &reference);
	for (int i = 0; i < fixture.count - 1; i++)
		catalogue_builder_add(builder, &fixture.offers[i]);
	for (int i = 0; i < count; i++) {
		cabinet->id = fixture.count + i;
		cabinet->city = i % 2 == 0 ? CITY_SHENZHEN : CITY_DONGGUAN;
		cabinet->cabinet_watts = 12000 + i;
		catalogue_builder_add(builder, cabinet);
	}
	return catalogue_builder_finish(builder);
}

/* A price list of cabinets must not cost a plan more than its offers are worth. */
static void a_power_of_its_own_for_each_cabinet_costs_little(void **state)
{
	(void)state;
	struct planned few, many;

	set_up();
	fixture.spec.cities = 1u << CITY_SHENZHEN;
	struct catalogue *small = catalogue_of_powers(100);
	struct catalogue *large = catalogue_of_powers(8000);

	planner_make(NULL, small, &fixture.spec, &few);
	planner_make(NULL, large, &fixture.spec, &many);
	same_plans(&few.plan, &many.plan);
	assert_true(many.memory.size < few.memory.size + 8000 * 1024);
	planner_give_back(NULL, &few);
	planner_give_back(NULL, &many);
	catalogue_release(small);
	catalogue_release(large);
}

/* Whoever offers one card in a thousand ways keeps no other card, and nothing cheaper, out. */
static void many_kinds_of_one_card_leave_room_for_others(void **state)
{
	(void)state;
	struct planned planned;

	fixture_begin(&fixture);
	fixture_usage(&fixture, fixture_card(&fixture, "l40s"), 8 * 720, 30);
	fixture_rental(&fixture, "20000")->card = "l40s";
	struct offer *cheap = fixture_rental(&fixture, "60000");
	struct offer *other = fixture_rental(&fixture, "76000");

	cheap->inter_gbps = 9000; /* the last in order */
	struct catalogue_builder *builder = catalogue_builder_create(1);
	struct catalogue_reference reference = {.base = *fixture_reference()};

	catalogue_builder_reference(builder, &reference);
	for (int i = 0; i < 2; i++)
		catalogue_builder_add(builder, &fixture.offers[i]);
	for (int i = 0; i < 1000; i++) {
		other->id = 3 + i;
		other->inter_gbps = 100 + i;
		catalogue_builder_add(builder, other);
	}
	struct catalogue *catalogue = catalogue_builder_finish(builder);

	planner_make(NULL, catalogue, &fixture.spec, &planned);
	assert_int_equal(planned.plan.option_count, 1);
	assert_int_equal(planned.plan.options[0].items[0].offer->id, 1);
	bool sized = false;

	for (int i = 0; i < planned.plan.demand_count; i++)
		sized |= planned.plan.demand[i].class.inter_gbps > 8999;
	assert_true(sized);
	planner_give_back(NULL, &planned);
	catalogue_release(catalogue);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(what_is_remembered_changes_no_plan),
	    cmocka_unit_test(the_memory_of_a_huge_plan_is_given_back_to_the_system),
	    cmocka_unit_test(a_plan_is_quick_once_its_question_is_known),
	    cmocka_unit_test(the_snapshot_that_comes_next_is_screened_before),
	    cmocka_unit_test(another_workload_is_not_taken_for_the_one_before),
	    cmocka_unit_test(another_requirement_is_not_taken_for_the_one_before),
	    cmocka_unit_test(a_screen_in_use_outlives_its_place_in_the_memory),
	    cmocka_unit_test(a_power_of_its_own_for_each_cabinet_costs_little),
	    cmocka_unit_test(many_kinds_of_one_card_leave_room_for_others),
	    cmocka_unit_test(a_new_snapshot_makes_it_forget_the_old_one),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
