/* remarks.c - see remarks.h: the words of every note of the engine. */
#include "api/remarks.h"

#include <stdarg.h>
#include <string.h>

#include "api/said.h"
#include "base/arena.h"
#include "base/decimal.h"
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

/* A number for people, with PLACES decimals. */
static const char *number(struct arena *arena, double value, int places)
{
	char text[DIGITS_GROUPED_SIZE];
	char plain[DECIMAL_SIZE];
	uint64_t scaled;

	if (!decimal_scale(value, places, &scaled))
		return arena_printf(arena, "%.*f", places, value);
	decimal_fixed(value < 0 && scaled != 0, scaled, places, plain);
	return arena_strdup(arena, digits_grouped(plain, text));
}

/* The names of the interface that are not words; what is not listed is a name of its own. */
static struct text said(const char *name)
{
	static const struct {
		const char *name;
		struct text words;
	} known[] = {
	    {"tuned", {"finely tuned", "深度优化"}},
	    {"megatron", {"Megatron-LM", "Megatron-LM"}},
	    {"fsdp", {"FSDP", "FSDP"}},
	    {"hf", {"Hugging Face Transformers", "Hugging Face Transformers"}},
	    {"preflash", {"without fused attention", "未用融合注意力"}},
	    {"neutral", {"average", "一般水平"}},
	    {"none", {"none", "无"}},
	    {"selective", {"selective", "选择性"}},
	    {"full", {"full", "全部"}},
	    {"zero1", {"ZeRO-1", "ZeRO-1"}},
	    {"zero2", {"ZeRO-2", "ZeRO-2"}},
	    {"zero3", {"ZeRO-3", "ZeRO-3"}},
	    {"hsdp", {"HSDP", "HSDP"}},
	    {"adamw", {"AdamW", "AdamW"}},
	    {"adamw_bf16", {"AdamW with bf16 states", "bf16 状态的 AdamW"}},
	    {"adamw_8bit", {"8-bit AdamW", "8 位 AdamW"}},
	    {"sgd", {"SGD", "SGD"}},
	    {"nvlink", {"NVLink", "NVLink"}},
	    {"pcie", {"PCIe", "PCIe"}},
	    {"ib", {"InfiniBand", "InfiniBand"}},
	    {"roce", {"RoCE", "RoCE"}},
	    {"ethernet", {"Ethernet", "以太网"}},
	    {"vllm", {"vLLM", "vLLM"}},
	    {"trtllm", {"TensorRT-LLM", "TensorRT-LLM"}},
	    {"sglang", {"SGLang", "SGLang"}},
	    {"lmdeploy", {"LMDeploy", "LMDeploy"}},
	    {"other", {"another", "其他"}},
	    {"ttft_ms", {"the first token", "首 token 时延"}},
	    {"tpot_ms", {"each further token", "每 token 时延"}},
	};

	for (size_t i = 0; i < sizeof known / sizeof *known; i++)
		if (strcmp(name, known[i].name) == 0)
			return known[i].words;
	return TEXT(name, name);
}

/* Assumptions that are a name: what it is that was assumed; NULL for all others. */
static struct text assumed_name(enum note_code code)
{
	switch (code) {
	case NOTE_ASSUMED_STACK:
		return TEXT("training software", "训练软件");
	case NOTE_ASSUMED_SHARDING:
		return TEXT("sharding", "切分方式");
	case NOTE_ASSUMED_RECOMPUTE:
		return TEXT("recomputation", "重计算");
	case NOTE_ASSUMED_OPTIMIZER:
		return TEXT("optimizer", "优化器");
	case NOTE_ASSUMED_PRECISION:
		return TEXT("precision", "精度");
	case NOTE_ASSUMED_INTRA_LINK:
		return TEXT("link inside a server", "机内互联");
	case NOTE_ASSUMED_ENGINE:
		return TEXT("inference engine", "推理引擎");
	case NOTE_ASSUMED_WEIGHTS:
		return TEXT("format of the weights", "权重格式");
	case NOTE_ASSUMED_KV:
		return TEXT("format of the KV cache", "KV 缓存格式");
	default:
		return TEXT(NULL, NULL);
	}
}

/* Assumptions that are figures. */
static struct text assumed_figure(struct arena *arena, const struct note *note, struct text word)
{
	const char *x = number(arena, note->x, 0);
	const char *y = number(arena, note->y, 0);

	switch (note->code) {
	case NOTE_ASSUMED_SEQ_LEN:
		return text_printf(arena, "assumed: sequences of %s tokens",
		                   "假定序列长度：%s token", x);
	case NOTE_ASSUMED_BATCH:
		return text_printf(arena, "assumed: micro batch %s, global batch %s",
		                   "假定批大小：微批 %s、全局批 %s", x, y);
	case NOTE_ASSUMED_LORA_RANK:
		return text_printf(arena, "assumed: LoRA rank %s", "假定 LoRA 秩：%s", x);
	case NOTE_ASSUMED_INTER_LINK:
		return (struct text){
		    .en = arena_printf(arena, "assumed link between servers: %s, %s Gb/s each",
		                       word.en, x),
		    .zh = arena_printf(arena, "假定机间互联：%s，每台 %s Gb/s", word.zh, x)};
	case NOTE_ASSUMED_CARDS_PER_SERVER:
		return text_printf(arena, "assumed: %s cards per server", "假定每台卡数：%s 卡", x);
	case NOTE_ASSUMED_LAYOUT:
		return TEXT("the layout was searched: the fastest that fits",
		            "并行方式为搜索所得：放得下的最快者");
	case NOTE_ASSUMED_POWER:
		return text_printf(arena,
		                   "assumed power: %.0f%% of TDP while a card computes, %.0f%% "
		                   "while it waits",
		                   "假定功耗：计算时为 TDP 的 %.0f%%，等待时为 %.0f%%",
		                   100 * note->x, 100 * note->y);
	case NOTE_ASSUMED_CONTEXT:
		return text_printf(arena, "assumed: context limit of %s tokens",
		                   "假定上下文上限：%s token", x);
	case NOTE_ASSUMED_UTILIZATION:
		return text_printf(arena, "assumed: the engine may use %.0f%% of the card's memory",
		                   "假定引擎可用显存：%.0f%%", 100 * note->x);
	default:
		return TEXT("", "");
	}
}

/* Assumptions: what was filled in where the request was silent. */
static struct text assumed_text(struct arena *arena, const struct note *note, struct text word)
{
	struct text name = assumed_name(note->code);

	if (name.en == NULL)
		return assumed_figure(arena, note, word);
	return (struct text){.en = arena_printf(arena, "assumed %s: %s", name.en, word.en),
	                     .zh = arena_printf(arena, "假定%s：%s", name.zh, word.zh)};
}

/* The seeds' 8 bytes a parameter: RULE GB against REAL ones. */
static struct text seed_memory_text(struct arena *arena, double rule, double real)
{
	const char *by_rule = number(arena, rule, 0);

	if (real < 1.01 * rule)
		return text_printf(arena,
		                   "the rule \"8 bytes a parameter\" says %s GB for weights, "
		                   "gradients and Adam, as this job takes with states in 16 bit",
		                   "“每参数 8 字节”的经验算法为 %s GB（权重、梯度与 Adam），"
		                   "与本任务以 16 位状态训练所需相同",
		                   by_rule);
	return text_printf(arena,
	                   "the rule \"8 bytes a parameter\" says %s GB for weights, gradients "
	                   "and Adam; this job takes %s GB in all: the rule leaves out the fp32 "
	                   "master copy and fp32 moments",
	                   "“每参数 8 字节”的经验算法为 %s GB（权重、梯度与 Adam）；本任务合计 "
	                   "%s GB：经验算法未计 fp32 主权重与 fp32 动量",
	                   by_rule, number(arena, real, 0));
}

static struct text limit_missed(struct arena *arena, const struct note *note)
{
	struct text what = said(note->word == NULL ? "" : note->word);
	const char *best = number(arena, note->x, 1);
	const char *limit = number(arena, note->y, 1);

	return (struct text){
	    .en = arena_printf(arena, "the limit on %s is missed: %s ms at best, %s ms wanted",
	                       what.en, best, limit),
	    .zh =
		arena_printf(arena, "%s达不到要求：最好 %s ms，要求 %s ms", what.zh, best, limit)};
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
		return text_printf(arena, "%.0f%% of each step is spent on the PCIe interconnect",
		                   "每步有 %.0f%% 的时间耗在 PCIe 互联上", 100 * x);
	case NOTE_SEED_MEMORY_8B:
		return seed_memory_text(arena, x, y);
	case NOTE_SEED_WEIGHTS:
		return text_printf(arena,
		                   "weights by the rule of thumb: %.1f GB; by tensor: %.1f GB",
		                   "权重的经验算法为 %.1f GB，逐张量计算为 %.1f GB", x, y);
	case NOTE_SATURATED:
		return text_printf(
		    arena,
		    "saturated: %s requests/s are offered, %s can be served; waiting "
		    "times grow without limit",
		    "已饱和：每秒到达 %s 个请求，最多处理 %s 个，等待时间会不断增长",
		    number(arena, x, 2), number(arena, y, 2));
	case NOTE_MOE_RANGE:
		return text_printf(
		    arena,
		    "mixture of experts: published speeds differ by up to x 1.8 between "
		    "releases of the same software",
		    "混合专家模型：同一软件不同版本的公开速度相差可达 1.8 倍");
	case NOTE_NO_LEGAL_LAYOUT:
		return text_printf(arena, "no legal layout on %s cards",
		                   "%s 张卡上没有合法的并行方式", number(arena, x, 0));
	case NOTE_LIMIT_MISSED:
		return limit_missed(arena, note);
	case NOTE_CONTEXT_TOO_LONG:
		return text_printf(arena,
		                   "%s tokens of context are asked for, the model was made for %s",
		                   "所需上下文 %s token 超出模型支持的 %s", number(arena, x, 0),
		                   number(arena, y, 0));
	case NOTE_VALLEY_DEADLINE:
		return text_printf(
		    arena,
		    "in valley hours alone a run takes %s hours from beginning to end, %s are "
		    "allowed: around the clock it would be done in time",
		    "只在谷段运行，一次训练从开始到结束需 %s 小时，超过期限 %s "
		    "小时；全天运行则来得及",
		    number(arena, x, 1), number(arena, y, 1));
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
		    "in option 1 the network, the data set and the storage of the project are "
		    "bought with workload %.0f",
		    "方案 1 的项目网络、数据集与存储随第 %.0f 个任务采购", x);
	case NOTE_PLAN_LOWER_BOUNDS:
		return text_printf(arena,
		                   "%.0f of the %.0f options have a part without a price: their "
		                   "totals are lower bounds, so they stand after the complete ones",
		                   "所列 %2$.0f 个方案中有 %1$.0f 个报价有缺项，其总价只是下限，"
		                   "排在报价完整的方案之后",
		                   x, y);
	case NOTE_PLAN_LIST_SHORT:
		return TEXT("the workloads compete for the same stock in more ways than could be "
		            "compared: what is shown can be ordered, but cheaper combinations may "
		            "exist",
		            "各任务争用同一库存，组合过多未能逐一比较：所列方案均可下单，但可能存在"
		            "更便宜的组合");
	case NOTE_PLAN_MIX_UNSURE:
		return TEXT("too many mixes of owned and rented servers: a cheaper may exist",
		            "自有与租用的混合方式过多，未能逐一比较：可能有比所列更便宜的混合方案");
	default:
		return TEXT("", "");
	}
}

struct remark note_remark(struct arena *arena, const struct note *note)
{
	struct text text = assumed_text(arena, note, said(note->word == NULL ? "" : note->word));

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

static void note_write(struct json_write *out, const struct note *note, struct said *said,
                       enum lang lang)
{
	struct json_piece *piece = said_of_note(said, note);

	if (out_piece(out, piece))
		return;
	struct remark remark = note_remark(said->arena, note);

	write_one(out, &remark, lang);
	out_piece_end(out, piece);
}

void notes_write(struct json_write *out, const char *key, const struct notes *notes,
                 struct said *said, enum lang lang)
{
	out_array(out, key);
	for (int i = 0; notes != NULL && i < notes->count; i++)
		note_write(out, &notes->items[i], said, lang);
	out_end(out);
}
