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

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(what_is_remembered_changes_no_plan),
	    cmocka_unit_test(another_workload_is_not_taken_for_the_one_before),
	    cmocka_unit_test(a_new_snapshot_makes_it_forget_the_old_one),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
