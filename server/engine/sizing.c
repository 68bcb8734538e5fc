/* sizing.c - see sizing.h. */
#include "engine/sizing.h"

const char *const sizing_status_names[3] = {"measured", "estimated", "unknown"};
const char *const sizing_limit_names[5] = {"none", "compute", "memory_bandwidth", "interconnect",
                                           "pipeline"};

double card_usable_gib(const struct card *card)
{
	if (card->smi_memory_mib > 0)
		return card->smi_memory_mib / 1024;
	bool hbm = card->memory_gb >= 40 && card->bandwidth_gbs > 1200;
	double share = hbm ? 0.9956 : card->ecc ? 0.9375 : 1.0;

	return card->memory_gb * share;
}
