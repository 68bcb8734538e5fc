/* plan_write.c - see plan_write.h. */
#include "api/plan_write.h"

#include "api/cost_words.h"
#include "api/reply.h"
#include "api/size.h"
#include "base/arena.h"
#include "market/catalogue.h"

static void text(struct json_write *out, const struct plan_context *context, struct text words)
{
	out_string(out, "text", text_in(words, context->listener.lang));
}

static void optional_money(struct json_write *out, const char *key, bool known, struct money amount)
{
	if (known)
		out_money(out, key, amount);
	else
		out_null(out, key);
}

/* ---- basis ---- */

static void rates_write(struct json_write *out, const struct cost_basis *basis)
{
	out_array(out, "fx");
	for (int i = 0; i < basis->fx_count; i++) {
		out_object(out, NULL);
		out_string(out, "currency", basis->fx[i].currency);
		out_money(out, "rate", basis->fx[i].per_unit);
		out_date(out, "date", basis->fx[i].on);
		out_string(out, "source", basis->fx[i].source);
		out_end(out);
	}
	out_end(out);
}

static void basis_write(struct json_write *out, const struct plan_context *context)
{
	const struct cost_basis *basis = &context->spec->basis;

	out_object(out, "basis");
	out_integer(out, "catalogue_revision", catalogue_revision(context->catalogue));
	out_string(out, "engine_version", context->version);
	out_string(out, "currency", "CNY");
	out_string(out, "tax", tax_basis_names[basis->tax]);
	out_integer(out, "hours_per_month", basis->hours_per_month);
	out_date(out, "today", basis->today);
	out_date(out, "start", basis->start);
	out_integer(out, "months", basis->months);
	rates_write(out, basis);
	out_end(out);
}

/* ---- demand ---- */

static const char *gap_unit(enum demand_verdict verdict, enum workload_kind kind)
{
	if (verdict == DEMAND_DOES_NOT_FIT)
		return "GiB";
	if (verdict == DEMAND_TOO_SLOW)
		return kind == WORKLOAD_INFERENCE ? "ms" : "h";
	return NULL;
}

static void training_demand_write(struct json_write *out, const struct training_size *size)
{
	layout_write(out, "layout", &size->layout);
	memory_write(out, "memory", &size->memory);
	training_speed_write(out, "speed", &size->speed);
	out_string(out, "status", sizing_status_names[size->status]);
	out_string(out, "limit", sizing_limit_names[size->speed.limit]);
}

static void fleet_write(struct json_write *out, const struct serving_fleet *fleet)
{
	const struct serving_size *replica = &fleet->replica;

	serving_layout_write(out, "layout", &replica->layout);
	memory_write(out, "memory", &replica->memory);
	serving_speed_write(out, "speed", &replica->speed);
	out_string(out, "status", sizing_status_names[replica->status]);
	out_string(out, "limit", sizing_limit_names[replica->speed.limit]);
	out_integer(out, "replicas", fleet->replicas);
	out_integer(out, "spare_replicas", fleet->spares);
	out_integer(out, "cards_per_replica", replica->cards);
	out_number(out, "knee_requests_per_s", fleet->knee_requests_per_s, 4);
}

static void demand_size_write(struct json_write *out, const struct demand *demand,
                              enum workload_kind kind)
{
	if (kind == WORKLOAD_TRAINING && demand->verdict != DEMAND_OTHER_CARD)
		training_demand_write(out, &demand->size.training);
	if (kind == WORKLOAD_INFERENCE && demand->verdict != DEMAND_OTHER_CARD)
		fleet_write(out, &demand->size.serving);
}

static void demand_notes_write(struct json_write *out, const struct plan_context *context,
                               const struct demand *demand, enum workload_kind kind)
{
	const struct notes *sized = kind == WORKLOAD_TRAINING ? &demand->size.training.warnings
	                            : kind == WORKLOAD_INFERENCE
	                                ? &demand->size.serving.replica.warnings
	                                : &demand->notes;
	const struct notes *assumed = kind == WORKLOAD_TRAINING ? &demand->size.training.assumed
	                              : kind == WORKLOAD_INFERENCE
	                                  ? &demand->size.serving.replica.assumed
	                                  : NULL;

	notes_write(out, "assumed", assumed, context->said, context->listener.lang);
	notes_write(out, "warnings", sized, context->said, context->listener.lang);
}

static void class_cost_write(struct json_write *out, const struct plan_context *context,
                             const struct class_cost *cost)
{
	optional_money(out, "best_total", cost->has_best, cost->best);
	if (cost->has_best)
		out_boolean(out, "best_complete", cost->best_complete);
	else
		out_null(out, "best_complete");
	optional_money(out, "at_least", cost->has_least, cost->least);
	out_string(out, "kept_out_by", cost->is_kept_out ? reason_names[cost->kept_out_by] : NULL);
	if (cost->is_kept_out)
		out_string(out, "kept_out_text",
		           text_in(plan_reason_text(cost->kept_out_by), context->listener.lang));
	else
		out_null(out, "kept_out_text");
}

static void demand_write(struct json_write *out, const struct plan_context *context,
                         const struct demand *demand, const struct class_cost *cost)
{
	const struct workload *workload = &context->spec->workloads[demand->workload];
	const struct card_class *class = &demand->class;

	out_object(out, NULL);
	out_string(out, "workload", workload->name);
	out_string(out, "kind", workload_kind_names[workload->kind]);
	out_string(out, "card", class->card == NULL ? NULL : class->card->id);
	out_integer(out, "cards_per_server", class->cards_per_server);
	out_known_string(out, "intra_link", intra_link_names[class->intra_link]);
	out_known_string(out, "inter_link", inter_link_names[class->inter_link]);
	out_known_number(out, "inter_gbps", class->inter_gbps, 1);
	out_string(out, "verdict", demand_verdict_names[demand->verdict]);
	out_known_number(out, "gap", demand->gap, 3);
	out_string(out, "gap_unit", gap_unit(demand->verdict, workload->kind));
	out_integer(out, "cards", demand->cards);
	out_integer(out, "servers", demand->servers);
	out_integer(out, "servers_together", demand->unit);
	out_number(out, "hours_per_month", (double)demand->milli_hours / 1000, 3);
	class_cost_write(out, context, cost);
	out_known_number(out, "run_hours", demand->run_hours, 3);
	out_number(out, "card_hours_per_month", demand->card_hours_per_month, 3);
	out_known_number(out, "tokens_per_month", demand->tokens_per_month, 0);
	out_number(out, "utilisation", demand->utilisation, 4);
	if (workload->kind == WORKLOAD_USAGE) {
		out_number(out, "mean_cards", demand->mean_cards, 3);
		out_number(out, "wanted_cards", demand->wanted_cards, 3);
	}
	out_number(out, "power_w", demand->power_w, 1);
	out_number(out, "server_kw", demand->server_kw, 3);
	demand_size_write(out, demand, workload->kind);
	demand_notes_write(out, context, demand, workload->kind);
	out_end(out);
}

/* ---- what the options mean ---- */

static void break_even_write(struct json_write *out, const struct plan_context *context)
{
	const struct plan *plan = context->plan;
	const struct break_even *at = &plan->break_even;

	if (!plan->has_break_even) {
		out_null(out, "break_even");
		return;
	}
	out_object(out, "break_even");
	out_string(out, "utilisation",
	           at->has_utilisation ? ratio_words(context->listener.arena, at->utilisation)
	                               : NULL);
	out_string(out, "utilisation_if_written_off",
	           plan->has_utilisation_written_off
	               ? ratio_words(context->listener.arena, plan->utilisation_written_off)
	               : NULL);
	out_string(out, "month",
	           at->has_month ? ratio_words(context->listener.arena, at->month) : NULL);
	out_string(out, "seed_rule", ratio_words(context->listener.arena, at->seed_rule));
	out_boolean(out, "below_seed_rule", at->has_utilisation && at->below_seed_rule);
	out_end(out);
}

static void routes_write(struct json_write *out, const struct plan_context *context)
{
	const struct plan *plan = context->plan;

	out_object(out, "routes");
	for (int route = 0; route < ROUTE_COUNT; route++)
		if (plan->best[route] >= 0)
			out_integer(out, route_names[route], plan->options[plan->best[route]].rank);
		else
			out_null(out, route_names[route]);
	break_even_write(out, context);
	out_end(out);
}

static void not_chosen_write(struct json_write *out, const struct plan_context *context,
                             const struct plan_not_chosen *group)
{
	out_object(out, NULL);
	out_string(out, "reason", reason_names[group->reason]);
	text(out, context, plan_reason_text(group->reason));
	out_integer(out, "offers", (int64_t)group->offers);
	out_integer(out, "alone", (int64_t)group->alone);
	if (group->nearest == NULL) {
		out_null(out, "nearest");
	} else {
		out_object(out, "nearest");
		plan_offer_write(out, context, group->nearest);
		out_end(out);
	}
	if (group->has_gap)
		out_number(out, "gap", group->gap, 3);
	else
		out_null(out, "gap");
	out_known_string(out, "gap_unit",
	                 group->gap_in_ms ? "ms" : reason_gap_units[group->reason]);
	out_end(out);
}

/* A value of what is varied, with its unit; in Chinese with a space before a figure. */
static const char *figure_words(const struct listener *listener, enum sensitivity_what what,
                                double value)
{
	bool one = value <= 1;

	switch (what) {
	case SENSITIVE_PRICE:
	case SENSITIVE_KWH:
		return say(listener, "%.4g times today's", "今日的 %.4g 倍", value);
	case SENSITIVE_BANDWIDTH:
		return say(listener, "%.4g times what is asked", "所需的 %.4g 倍", value);
	case SENSITIVE_UTILISATION:
	case SENSITIVE_BOOK_VALUE:
		return say(listener, "%.4g%%", " %.4g%%", 100 * value);
	case SENSITIVE_MONTHS:
		return say(listener, one ? "%.4g month" : "%.4g months", " %.4g 个月", value);
	case SENSITIVE_LIFE:
		break;
	}
	return say(listener, one ? "%.4g year" : "%.4g years", " %.4g 年", value);
}

/* What happens on one side of today; empty when nothing lies there. */
static const char *turn_words(const struct plan_context *context, const struct plan_sensitivity *at,
                              const struct sensitivity_turn *turn, double end)
{
	const struct listener *listener = &context->listener;
	bool falls = end < at->from;
	const char *to = figure_words(listener, at->what, turn->found ? turn->at : end);

	if (end >= at->from && end <= at->from)
		return "";
	if (!turn->found)
		return falls ? say(listener, "; down to %s, no other option shown wins",
		                   "；降到%s，也没有所列其他方案胜出", to)
		             : say(listener, "; up to %s, no other option shown wins",
		                   "；升到%s，也没有所列其他方案胜出", to);
	int rank = context->plan->options[turn->winner].rank;

	return falls ? say(listener, "; when it falls to %s, option %d wins",
	                   "；降到%s时，方案 %d 胜出", to, rank)
	             : say(listener, "; when it rises to %s, option %d wins",
	                   "；升到%s时，方案 %d 胜出", to, rank);
}

static const char *sensitivity_words(const struct plan_context *context,
                                     const struct plan_sensitivity *at)
{
	static const struct text whats[SENSITIVITY_COUNT] = {
	    [SENSITIVE_PRICE] = {"price of option 1's largest item", "方案 1 最大一项的价格"},
	    [SENSITIVE_UTILISATION] = {"utilisation of option 1's cards", "方案 1 所用卡的利用率"},
	    [SENSITIVE_KWH] = {"price of electricity", "电价"},
	    [SENSITIVE_MONTHS] = {"term", "期限"},
	    [SENSITIVE_BANDWIDTH] = {"bandwidth", "带宽"},
	    [SENSITIVE_BOOK_VALUE] = {"share of the equipment's book value that is recovered",
	                              "设备账面净值的收回比例"},
	    [SENSITIVE_LIFE] = {"life of the equipment", "设备使用年限"},
	};
	const struct listener *listener = &context->listener;
	bool is_factor = at->what == SENSITIVE_PRICE || at->what == SENSITIVE_KWH ||
	                 at->what == SENSITIVE_BANDWIDTH;
	/* A factor is 1 today. */
	const char *today = is_factor ? ""
	                              : say(listener, ", now %s", "，目前%s",
	                                    figure_words(listener, at->what, at->from));

	return arena_printf(listener->arena, "%s%s%s%s", text_in(whats[at->what], listener->lang),
	                    today, turn_words(context, at, &at->below, at->least),
	                    turn_words(context, at, &at->above, at->most));
}

static void turn_write(struct json_write *out, const struct plan_context *context, const char *name,
                       const struct sensitivity_turn *turn)
{
	if (!turn->found) {
		out_null(out, name);
		return;
	}
	out_object(out, name);
	out_number(out, "at", turn->at, 6);
	out_integer(out, "winner", context->plan->options[turn->winner].rank);
	out_end(out);
}

static void sensitivity_write(struct json_write *out, const struct plan_context *context)
{
	const struct plan *plan = context->plan;

	out_array(out, "sensitivity");
	for (int i = 0; i < plan->sensitivity_count; i++) {
		const struct plan_sensitivity *at = &plan->sensitivity[i];

		out_object(out, NULL);
		out_string(out, "what", sensitivity_names[at->what]);
		out_number(out, "from", at->from, 6);
		out_number(out, "least", at->least, 6);
		out_number(out, "most", at->most, 6);
		turn_write(out, context, "lower", &at->below);
		turn_write(out, context, "higher", &at->above);
		if (at->offer == NULL)
			out_null(out, "offer");
		else
			out_integer(out, "offer", at->offer->id);
		out_string(out, "text", sensitivity_words(context, at));
		out_end(out);
	}
	out_end(out);
}

static void acceptance_write(struct json_write *out, const struct plan_context *context)
{
	static const struct {
		struct text text;
		const char *command;
	} checks[ACCEPTANCE_CHECK_COUNT] = {
	    [CHECK_CARD_AND_DRIVER] = {{"card, memory and driver as ordered; persistence mode on",
	                                "卡型号、显存、驱动与订单一致；持久化模式已开"},
	                               "nvidia-smi"},
	    [CHECK_TOPOLOGY] = {{"how the cards are linked", "卡间互联拓扑"}, "nvidia-smi topo -m"},
	    [CHECK_NVLINK] = {{"every NVLink is up at its full rate", "每条 NVLink 均以全速在线"},
	                      "nvidia-smi nvlink --status"},
	    [CHECK_COLLECTIVES] = {{"all-reduce bus bandwidth", "all-reduce 总线带宽"},
	                           "all_reduce_perf -b 8M -e 8G -f 2 -g 8"},
	    [CHECK_SCALING] = {{"several cards reach at least 80 % of linear speed-up",
	                        "多卡效率不低于线性的 80 %"},
	                       NULL},
	    [CHECK_LATENCY] =
		{{"first-token latency and throughput at several loads; find the knee",
	          "不同并发下的首 Token 时延与吞吐，找到拐点"},
	         "vllm bench serve"},
	    [CHECK_BURN_IN] =
		{{"ten hours of training: memory, temperature, power, throughput",
	          "连续训练 10 小时：显存、温度、功耗、吞吐"},
	         "nvidia-smi --query-gpu=power.draw,temperature.gpu --format=csv -l 5"},
	    [CHECK_BANDWIDTH] = {{"the bandwidth that was bought, in both directions",
	                          "所购带宽，双向"},
	                         "iperf3"},
	};

	out_array(out, "acceptance");
	for (int check = 0; check < ACCEPTANCE_CHECK_COUNT; check++) {
		if ((context->plan->acceptance >> check & 1) == 0)
			continue;
		out_object(out, NULL);
		out_string(out, "check", acceptance_check_names[check]);
		text(out, context, checks[check].text);
		out_string(out, "command", checks[check].command);
		out_end(out);
	}
	out_end(out);
}

static void scenario_write(struct json_write *out, const struct plan_context *context)
{
	static const struct text words[SCENARIO_COUNT] = {
	    [SCENARIO_PRETRAIN] =
		{"pre-training beyond ten billion parameters for months: a cluster of "
	         "H or A series cards; look at the network and the cooling; sign by "
	         "the month or the quarter",
	         "百亿以上参数、以月计的预训练：选 H 或 A 系列集群，重点看网络互联与"
	         "散热，签包月或包季合同"},
	    [SCENARIO_FINE_TUNE] =
		{"fine-tuning open models, many iterations: RTX 4090 or L40S "
	         "machines; look at memory and host memory; rent by the hour",
	         "基于开源模型微调、迭代频繁：选 RTX 4090 或 L40S 整机，关注显存与"
	         "内存配比，按需时租"},
	    [SCENARIO_SERVING] =
		{"a model online with latency limits: inference cards such as L20 or "
	         "L4, an inference engine, scaling with the traffic",
	         "已上线、有时延要求：选 L20、L4 等推理卡，配推理框架，随流量弹性伸缩"},
	    [SCENARIO_OWN] = {"own machines: a cabinet that can feed them, a carrier-neutral line, "
	                      "hands on site",
	                      "自有设备：先看机柜电力能否带动，再看多线带宽与现场运维"},
	    [SCENARIO_STEADY] =
		{"steady use known from history: buy above the break-even utilisation, "
	         "rent below it",
	         "历史用量稳定：利用率高于盈亏平衡点宜购，低于则宜租"},
	    [SCENARIO_MIXED] =
		{"training and serving together: choose machines for each on its own",
	         "训练与推理并存：分别选型，不要一套配置打天下"},
	};

	out_object(out, "scenario");
	out_string(out, "code", scenario_names[context->plan->scenario]);
	text(out, context, words[context->plan->scenario]);
	out_end(out);
}

void plan_write(struct json_write *out, const struct plan_context *context)
{
	const struct plan *plan = context->plan;

	out_object(out, NULL);
	out_string(out, "title", context->spec->title);
	basis_write(out, context);
	out_array(out, "demand");
	for (int i = 0; i < plan->demand_count; i++)
		if (plan->demand[i].verdict != DEMAND_OTHER_CARD)
			demand_write(out, context, &plan->demand[i], &plan->class_costs[i]);
	out_end(out);
	plan_options_write(out, context);
	routes_write(out, context);
	out_array(out, "not_chosen");
	for (int i = 0; i < plan->not_chosen_count; i++)
		not_chosen_write(out, context, &plan->not_chosen[i]);
	out_end(out);
	out_object(out, "offers");
	out_integer(out, "in_catalogue", (int64_t)plan->offers);
	out_integer(out, "used", (int64_t)plan->offers_used);
	out_end(out);
	sensitivity_write(out, context);
	acceptance_write(out, context);
	scenario_write(out, context);
	remarks_write(out, "assumed", context->assumed, NULL, context->listener.arena,
	              context->listener.lang);
	remarks_write(out, "warnings", NULL, &plan->notes, context->listener.arena,
	              context->listener.lang);
	out_end(out);
}
