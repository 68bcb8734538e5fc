// plan-fields.js - the fields of POST /plan, one row each: name, how it is entered (plan-entry.js),
// its unit or its choices. A new field of the interface is a new row here and its label among the
// words; a test holds these tables against the interface's own description.
import { cities } from './cities.js'

/** The kinds of workload: what everybody fills in, and what is folded away. */
export const kinds = {
	training: {
		basic: [
			['method', 'choice', ['lora', 'qlora', 'full', 'pretrain']],
			['model', 'model'],
			['tokens', 'number', 'tokens'],
			['seq_len', 'number', 'tokens'],
			['runs_per_month', 'number', 'runs'],
			['deadline_hours', 'number', 'hours'],
			['valley_only', 'yes'],
		],
		more: [
			['precision', 'choice', ['bf16', 'fp16', 'fp8', 'fp4', 'fp32']],
			['optimizer', 'choice', ['adamw', 'adamw_bf16', 'adamw_8bit', 'sgd']],
			['lora_rank', 'number'],
			['quant_bits', 'choice', [4, 8, 16]],
			['stack', 'choice', ['tuned', 'megatron', 'fsdp', 'hf', 'preflash', 'neutral']],
			['fused_loss', 'choice', [true, false]],
			['chunked_loss', 'choice', [true, false]],
		],
	},
	inference: {
		basic: [
			['model', 'model'],
			[
				'weights',
				'choice',
				[
					'bf16',
					'fp8',
					'int8',
					'int4',
					'awq',
					'gptq',
					'nf4',
					'nvfp4',
					'mxfp4',
					'w4a8',
					'q4_k_m',
					'q8_0',
				],
			],
			['input_tokens', 'number', 'tokens'],
			['output_tokens', 'number', 'tokens'],
			['requests_per_s', 'number', 'per_second'],
			['profile', 'profile', ['flat', 'office_hours', 'waking_hours']],
			['ttft_ms', 'number', 'ms'],
			['tpot_ms', 'number', 'ms'],
			['percentile', 'choice', [50, 90, 95, 99]],
			['spare_replicas', 'number', 'replicas'],
		],
		more: [
			['concurrency', 'number', 'requests'],
			['mode', 'choice', ['online', 'offline']],
			['engine', 'choice', ['vllm', 'trtllm', 'sglang', 'lmdeploy', 'llamacpp', 'transformers', 'other']],
			['engine_version', 'text'],
			['kv_cache', 'choice', ['bf16', 'fp8', 'int8', 'int4']],
			['max_model_len', 'number', 'tokens'],
			['gpu_memory_utilization', 'number'],
			['prefix_cache_hit', 'number'],
			['speculative_accept', 'number', 'tokens'],
		],
	},
	usage: {
		basic: [
			['card', 'card'],
			['gpu_hours', 'number', 'gpu_hours'],
			['days', 'number', 'days'],
			['buffer', 'number'],
		],
		more: [['utilisation', 'number']],
	},
	hosting: {
		basic: [
			['card', 'card'],
			['cards_per_server', 'number', 'cards'],
			['servers', 'number', 'servers'],
		],
		more: [
			['server_kw', 'number', 'kw'],
			['server_u', 'number', 'U'],
		],
	},
}

const whole = (...names) => names.map((name) => [name, 'number'])

/** A model by its dimensions; those of `size` stand open. */
export const dimensions = {
	size: [
		['params_b', 'number', 'billion'],
		...whole('layers', 'hidden', 'heads', 'kv_heads', 'head_dim', 'ffn_hidden', 'vocab'),
		['id', 'text'],
	],
	shape: [
		['gated_ffn', 'choice', [true, false]],
		['tied_embeddings', 'choice', [true, false]],
		['max_positions', 'number', 'tokens'],
		['active_params_b', 'number', 'billion'],
		...whole('experts', 'experts_active', 'shared_experts', 'moe_ffn_hidden', 'dense_layers', 'moe_every'),
	],
	attention: [
		['attention', 'choice', ['full', 'mha', 'gqa', 'mqa', 'mla', 'hybrid']],
		...whole('q_lora_rank', 'kv_lora_rank', 'nope_head_dim', 'rope_head_dim', 'v_head_dim'),
		...whole('sliding_window', 'window_layers', 'sparse_topk', 'full_layers', 'linear_layers'),
		...whole('linear_key_heads', 'linear_key_dim', 'linear_value_heads', 'linear_value_dim'),
	],
}

/** What may be assumed otherwise: name and unit. */
const assumptions = [
	['pue', ''],
	['load_factor', 'share'],
	['idle_draw', 'share'],
	['server_u', 'U'],
	['cabinet_u', 'U'],
	['life_years', 'years'],
	['residual_share', 'share'],
	['book_value_recovered', 'share'],
	['capital_rate', 'share/year'],
	['spares_share', 'share/year'],
	['maintenance', 'CNY/server-year'],
	['own_operation_hours', 'hours/server-month'],
	['own_operation_cost', 'CNY/hour'],
	['interruptions', 'per server-month'],
	['service_vat_rate', 'share'],
	['goods_vat_rate', 'share'],
	['power_vat_rate', 'share'],
	['vat_deductible', 'yes/no'],
	['transfer_efficiency', 'share'],
	['stale_after_days', 'days'],
	['seed_break_even', 'share'],
]

/** The project around the workloads: what everybody fills in, and the folds by their names. */
export const project = {
	basic: [
		['title', 'text'],
		['months', 'number', 'months'],
		['tax', 'choice', ['excluded', 'included']],
		['network/public_mbps', 'number', 'mbps'],
		['service', 'choice', ['bare', 'image', 'managed']],
		['budget_per_month', 'amount', 'yuan_month'],
		['top', 'number'],
		['cities', 'cities', cities.map(([city]) => city)],
		['routes', 'ticks', ['rent', 'buy_and_host', 'hybrid']],
		['terms', 'ticks', ['hourly', 'monthly', 'quarterly', 'yearly', 'spot']],
	],
	supply: [
		['storage_tb', 'number', 'tb'],
		['network/dataset_tb_in', 'number', 'tb'],
		['network/dedicated_mbps', 'number', 'mbps'],
		['network/egress_gb_per_month', 'number', 'gb_month'],
		['network/mbps_95', 'number', 'mbps'],
		['network/line', 'choice', ['bgp', 'telecom', 'unicom', 'mobile', 'dual', 'triple', 'cernet']],
		['network/ips', 'number', 'addresses'],
	],
	require: [
		['require/availability', 'number'],
		['require/replacement_hours', 'number', 'hours'],
		['require/max_card_age_years', 'number', 'years'],
		['require/delivery', 'choice', ['bare_metal', 'vm', 'container']],
		['require/intra_link', 'choice', ['nvlink', 'pcie']],
		['require/inter_link', 'choice', ['none', 'ethernet', 'roce', 'ib']],
		['require/power_tier', 'text', { placeholder: '2n', size: 6 }],
		['require/licences', 'words', { placeholder: 'IDC, ISP', size: 12 }],
		['require/start_by', 'date'],
		['require/support_24x7', 'yes'],
		['require/new_cards', 'yes'],
	],
	basis: [
		['start', 'date'],
		['hours_per_month', 'choice', [720, 730]],
		['tariff', 'tariff'],
		['kwh_price', 'amount', 'yuan_kwh'],
		['sensitivity', 'choice', ['lines', 'full']],
		['any_city', 'yes'],
		['convert_usage', 'yes'],
	],
	assumptions: assumptions.map(([name, unit]) => [`assumptions/${name}`, 'number', unit]),
}

/** A rate of CURRENCY, one row for each of its fields. */
export const rate = (currency) => [
	[`fx/${currency}/rate`, 'amount', 'yuan'],
	[`fx/${currency}/date`, 'date'],
	[`fx/${currency}/source`, 'text', { size: 14 }],
]
/** The currencies that are offered; a request may have others. */
export const currencies = ['USD', 'HKD']

/** Every name that a workload of KIND may have. */
export const namesOf = (kind) => [...kinds[kind].basic, ...kinds[kind].more].map(([name]) => name)
