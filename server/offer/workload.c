/* workload.c - see workload.h: the words of the interface. */
#include "offer/workload.h"

const char *const workload_kind_names[WORKLOAD_KIND_COUNT] = {"training", "inference", "usage",
                                                              "hosting"};
const char *const train_method_names[TRAIN_METHOD_COUNT] = {"pretrain", "full", "lora", "qlora"};
const char *const precision_names[PRECISION_COUNT] = {"", "bf16", "fp16", "fp8", "fp4", "fp32"};
const char *const optimizer_names[OPTIMIZER_COUNT] = {"", "adamw", "adamw_bf16", "adamw_8bit",
                                                      "sgd"};
const char *const stack_names[STACK_COUNT] = {"",   "tuned",    "megatron", "fsdp",
                                              "hf", "preflash", "neutral"};
const char *const sharding_names[SHARDING_COUNT] = {"",      "none", "zero1", "zero2",
                                                    "zero3", "fsdp", "hsdp"};
const char *const recompute_names[RECOMPUTE_COUNT] = {"", "none", "selective", "full"};
const char *const weight_format_names[WEIGHT_FORMAT_COUNT] = {
    "",    "bf16",  "fp8",   "int8", "int4",   "awq", "gptq",
    "nf4", "nvfp4", "mxfp4", "w4a8", "q4_k_m", "q8_0"};
const char *const kv_format_names[KV_FORMAT_COUNT] = {"", "bf16", "fp8", "int8", "int4"};
const char *const engine_names[ENGINE_COUNT] = {"",         "vllm",     "trtllm",       "sglang",
                                                "lmdeploy", "llamacpp", "transformers", "other"};
const char *const serving_mode_names[SERVING_MODE_COUNT] = {"", "online", "offline"};
