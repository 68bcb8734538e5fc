/*
 * card.h - one GPU or NPU of an exact kind: "h100-sxm", never "H100".
 *
 * Form factor and memory are part of the key. Rates are dense (never sparse), tensor, with FP32
 * accumulation; 0 means that the card has no such mode or that no source gives it. The rows come
 * from schema/reference/cards.csv, each with its sources.
 */
#ifndef OFFER_CARD_H
#define OFFER_CARD_H

#include <stdbool.h>
#include <stddef.h>

enum card_link {
	CARD_LINK_PCIE,
	CARD_LINK_NVLINK,
	CARD_LINK_BRIDGE,
	CARD_LINK_HCCS,
	CARD_LINK_XGMI
};

struct card {
	const char *id;
	const char *name;
	const char *const *aliases; /* as sheets write it; matched as whole tokens */
	int alias_count;
	const char *vendor;
	const char *architecture; /* "Hopper", "Ada", "Ampere", ...; "" = unknown, never NULL */
	int launch_year;          /* 0 = unknown */
	const char *form_factor;
	double memory_gb;      /* nominal: 80 */
	double smi_memory_mib; /* total that nvidia-smi prints; 0 = unknown */
	double bandwidth_gbs;  /* memory, 10^9 bytes/s */
	double fp32_tflops;    /* not tensor */
	double tf32_tflops;
	double fp16_tflops; /* = bf16 where bf16_native */
	bool bf16_native;
	double fp8_tflops;
	double fp4_tflops;
	double int8_tops;
	enum card_link link_kind;
	const char *link_name;
	double link_gbs_bidir; /* per card, both directions; 0 = none */
	int pcie_gen;
	int pcie_lanes;
	double tdp_w;
	bool ecc;
	int host_cards;              /* cards in the usual server; 0 = unknown */
	double host_power_kw;        /* maximum of that server; 0 = unknown */
	const char *host_power_kind; /* "reference max", "estimate 8xTDP+1.2", ...; NULL */
	const char *host_form;
	const char *seed_figures; /* what the seed documents say of it; NULL */
	const char *note;
	const char *sources;           /* "; " between */
	const char *unverified_fields; /* names of columns that no source confirmed; NULL */
};

struct cards {
	const struct card *items; /* sorted by id */
	size_t count;
};

/* The card with this id, or NULL. Ids are exact; aliases are the sheet reader's business. */
const struct card *card_find(const struct cards *cards, const char *id);

/* Maximum kW of a server with CARDS of CARD: the reference figure scaled, else CARDS x TDP + 1.2.
 */
double card_server_kw(const struct card *card, int cards);

#endif
