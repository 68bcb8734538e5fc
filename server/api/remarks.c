/* remarks.c - see remarks.h: the words of every note of the engine. */
#include "api/remarks.h"

#include <stdarg.h>

#include "base/arena.h"
#include "base/json_write.h"

void remark_add(struct remarks *remarks, const char *code, const char *en, const char *zh, ...)
{
	va_list args;

	remarks->items = arena_grow(remarks->arena, remarks->items, remarks->count,
	                            &remarks->capacity, sizeof *remarks->items);
	va_start(args, zh);
	remarks->items[remarks->count++] =
	    (struct remark){.code = code, .text = text_vprintf(remarks->arena, en, zh, args)};
	va_end(args);
}

/* Assumptions: what was filled in where the request was silent. */
static struct text assumed_text(struct arena *arena, const struct note *note)
{
	double x = note->x;
	const char *word = note->word == NULL ? "" : note->word;

	switch (note->code) {
	case NOTE_ASSUMED_STACK:
		return text_printf(arena, "training software of class \"%s\" assumed",
		                   "假定训练软件为“%s”一类", word);
	case NOTE_ASSUMED_SHARDING:
		return text_printf(arena, "sharding \"%s\" assumed", "假定切分方式为“%s”", word);
	case NOTE_ASSUMED_RECOMPUTE:
		return text_printf(arena, "recomputation \"%s\" assumed", "假定重计算为“%s”", word);
	case NOTE_ASSUMED_OPTIMIZER:
		return text_printf(arena, "optimizer \"%s\" assumed", "假定优化器为“%s”", word);
	case NOTE_ASSUMED_PRECISION:
		return text_printf(arena, "precision \"%s\" assumed", "假定精度为“%s”", word);
	case NOTE_ASSUMED_SEQ_LEN:
		return text_printf(arena, "sequences of %.0f tokens assumed", "假定序列长度为 %.0f",
		                   x);
	case NOTE_ASSUMED_BATCH:
		return text_printf(arena, "micro batch %.0f and global batch %.0f assumed",
		                   "假定微批为 %.0f、全局批为 %.0f", x, note->y);
	case NOTE_ASSUMED_LORA_RANK:
		return text_printf(arena, "LoRA rank %.0f assumed", "假定 LoRA 秩为 %.0f", x);
	case NOTE_ASSUMED_INTRA_LINK:
		return text_printf(arena, "link inside a server: %s assumed", "假定机内互联为 %s",
		                   word);
	case NOTE_ASSUMED_INTER_LINK:
		return text_printf(arena, "link between servers: %s, %.0f Gb/s each, assumed",
		                   "假定机间互联为 %s，每台 %.0f Gb/s", word, x);
	case NOTE_ASSUMED_CARDS_PER_SERVER:
		return text_printf(arena, "%.0f cards per server assumed", "假定每台 %.0f 卡", x);
	case NOTE_ASSUMED_LAYOUT:
		return text_printf(arena, "the layout was searched: the fastest that fits",
		                   "并行方式为搜索所得：放得下的最快者");
	case NOTE_ASSUMED_POWER:
		return text_printf(arena,
		                   "power: %.0f %% of TDP while a card computes and %.0f %% while "
		                   "it waits, assumed",
		                   "假定功耗：计算时为 TDP 的 %.0f%%，等待时为 %.0f%%", 100 * x,
		                   100 * note->y);
	case NOTE_ASSUMED_ENGINE:
		return text_printf(arena, "inference engine \"%s\" assumed", "假定推理引擎为“%s”",
		                   word);
	case NOTE_ASSUMED_WEIGHTS:
		return text_printf(arena, "weights in \"%s\" assumed", "假定权重格式为“%s”", word);
	case NOTE_ASSUMED_KV:
		return text_printf(arena, "KV cache in \"%s\" assumed", "假定 KV 缓存格式为“%s”",
		                   word);
	case NOTE_ASSUMED_CONTEXT:
		return text_printf(arena, "context limit of %.0f tokens assumed",
		                   "假定上下文上限为 %.0f", x);
	case NOTE_ASSUMED_UTILIZATION:
		return text_printf(arena, "the engine may use %.2f of the card's memory: assumed",
		                   "假定引擎可用显存的 %.2f", x);
	default:
		return TEXT("", "");
	}
}

/* The seeds' 8 bytes a parameter: RULE GB against REAL ones. */
static struct text seed_memory_text(struct arena *arena, double rule, double real)
{
	if (real < 1.01 * rule)
		return text_printf(arena,
		                   "the rule \"8 bytes a parameter\" says %.0f GB for weights, "
		                   "gradients and Adam, as this job takes with states in 16 bit",
		                   "“每参数 8 字节”的经验算法为 %.0f GB（权重、梯度与 Adam），"
		                   "与本任务以 16 位状态训练所需相同",
		                   rule);
	return text_printf(arena,
	                   "the rule \"8 bytes a parameter\" says %.0f GB for weights, gradients "
	                   "and Adam; this job takes %.0f GB in all: the rule leaves out the fp32 "
	                   "master copy and fp32 moments",
	                   "“每参数 8 字节”的经验算法为 %.0f GB（权重、梯度与 Adam）；本任务合计 "
	                   "%.0f GB：经验算法未计 fp32 主权重与 fp32 动量",
	                   rule, real);
}

/* Warnings and checks against the rules of thumb that people know. */
static struct text warning_text(struct arena *arena, const struct note *note)
{
	double x = note->x;
	double y = note->y;
	const char *word = note->word == NULL ? "" : note->word;

	switch (note->code) {
	case NOTE_CARD_NOT_MEASURED:
		return text_printf(arena,
		                   "no published measurement of this kind on %s: the band is wider",
		                   "%s 没有同类公开实测，区间放宽", word);
	case NOTE_TIGHT_MEMORY:
		return text_printf(arena, "memory is tight: %.1f of %.1f GiB",
		                   "显存吃紧：需 %.1f GiB，可用 %.1f GiB", x, y);
	case NOTE_DOES_NOT_FIT:
		return text_printf(arena,
		                   "does not fit: %.1f GiB a card are needed, %.1f GiB are there",
		                   "放不下：每卡需 %.1f GiB，可用 %.1f GiB", x, y);
	case NOTE_NO_PRECISION:
		return text_printf(arena, "the card has no %s arithmetic", "该卡没有 %s 运算单元",
		                   word);
	case NOTE_NO_BF16:
		return text_printf(arena, "%s has no bf16: fp16 is used",
		                   "%s 不支持 bf16，按 fp16 计", word);
	case NOTE_PCIE_SLOW:
		return text_printf(arena, "%.0f %% of each step is spent on the PCIe interconnect",
		                   "每步有 %.0f %% 的时间耗在 PCIe 互联上", 100 * x);
	case NOTE_SEED_MEMORY_8B:
		return seed_memory_text(arena, x, y);
	case NOTE_SEED_WEIGHTS:
		return text_printf(arena,
		                   "weights by the rule of thumb: %.1f GB; by tensor: %.1f GB",
		                   "权重的经验算法为 %.1f GB，逐张量计算为 %.1f GB", x, y);
	case NOTE_SATURATED:
		return text_printf(
		    arena,
		    "saturated: %.2f requests/s are offered, %.2f can be served; waiting "
		    "times grow without limit",
		    "已饱和：每秒到达 %.2f 个请求，最多处理 %.2f 个，等待时间会不断增长", x, y);
	case NOTE_MOE_RANGE:
		return text_printf(
		    arena,
		    "mixture of experts: published speeds differ by up to x 1.8 between "
		    "releases of the same software",
		    "混合专家模型：同一软件不同版本的公开速度相差可达 1.8 倍");
	case NOTE_NO_LEGAL_LAYOUT:
		return text_printf(arena, "no legal layout on %.0f cards",
		                   "%.0f 张卡上没有合法的并行方式", x);
	case NOTE_LIMIT_MISSED:
		return text_printf(arena,
		                   "the limit on %s is missed: %.1f ms at best, %.1f ms wanted",
		                   "%s 达不到要求：最好 %.1f ms，要求 %.1f ms", word, x, y);
	case NOTE_CONTEXT_TOO_LONG:
		return text_printf(
		    arena, "%.0f tokens of context are asked for, the model was made for %.0f",
		    "所需上下文 %.0f 超出模型支持的 %.0f", x, y);
	case NOTE_VALLEY_DEADLINE:
		return text_printf(
		    arena,
		    "in valley hours alone a run takes %.1f hours from beginning to end, %.1f are "
		    "allowed: around the clock it would be done in time",
		    "只在谷段运行，一次训练从开始到结束需 %.1f 小时，超过期限 %.1f "
		    "小时；全天运行则来得及",
		    x, y);
	case NOTE_USAGE_CONVERTED:
		return text_printf(
		    arena,
		    "one card-hour of %2$s stands for %1$.3f of this card, by the ratio of "
		    "measured speeds",
		    "%2$s 的 1 卡时按实测速度比折算为本卡 %1$.3f 卡时", x, word);
	case NOTE_PLAN_NOT_SHARED:
		return TEXT("the workloads are planned apart and added up: hardware is not shared "
		            "between them",
		            "各任务分别规划后相加，未考虑任务之间共用硬件");
	case NOTE_PLAN_NETWORK_AT:
		return text_printf(
		    arena,
		    "in option 1 bandwidth, traffic, data set and storage of the project are "
		    "bought with workload %.0f: nowhere are they cheaper",
		    "方案 1 的项目带宽、流量、数据集与存储随第 %.0f 个任务采购，此处最省", x);
	case NOTE_PLAN_LOWER_BOUNDS:
		return text_printf(arena,
		                   "%.0f of the %.0f options have a part without a price: their "
		                   "totals are lower bounds, so they stand after the complete ones",
		                   "所列 %2$.0f 个方案中有 %1$.0f 个报价有缺项，其总价只是下限，"
		                   "排在报价完整的方案之后",
		                   x, y);
	case NOTE_PLAN_LIST_SHORT:
		return TEXT("there are more combinations than were listed; the cheapest are shown",
		            "可行组合多于所列，已列出最便宜的");
	default:
		return TEXT("", "");
	}
}

struct remark note_remark(struct arena *arena, const struct note *note)
{
	struct text text = assumed_text(arena, note);

	if (*text.en == '\0')
		text = warning_text(arena, note);
	return (struct remark){.code = note_name(note->code), .text = text};
}

static void write_one(struct json_write *out, const struct remark *remark, enum lang lang)
{
	out_object(out, NULL);
	out_string(out, "code", remark->code);
	out_string(out, "text", text_in(remark->text, lang));
	out_end(out);
}

void remarks_write(struct json_write *out, const char *key, const struct remarks *remarks,
                   const struct notes *notes, struct arena *arena, enum lang lang)
{
	out_array(out, key);
	for (size_t i = 0; remarks != NULL && i < remarks->count; i++)
		write_one(out, &remarks->items[i], lang);
	for (int i = 0; notes != NULL && i < notes->count; i++) {
		struct remark remark = note_remark(arena, &notes->items[i]);

		write_one(out, &remark, lang);
	}
	out_end(out);
}
