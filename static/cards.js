// cards.js - the cards that the form offers before anybody has signed in; the interface knows more
// and has the last word (the tests hold this list against GET /cards).

export const cards = [
	['h100-sxm', 'NVIDIA H100 SXM5 80GB'],
	['h100-pcie', 'NVIDIA H100 PCIe 80GB'],
	['h100-nvl', 'NVIDIA H100 NVL 94GB'],
	['h200-sxm', 'NVIDIA H200 SXM 141GB'],
	['h800-sxm', 'NVIDIA H800 SXM5 80GB'],
	['h20-96', 'NVIDIA H20 96GB'],
	['h20-141', 'NVIDIA H20-3e 141GB'],
	['gh200-96', 'NVIDIA GH200 96GB'],
	['gh200-144', 'NVIDIA GH200 144GB HBM3e'],
	['a100-80-sxm', 'NVIDIA A100 SXM4 80GB'],
	['a100-80-pcie', 'NVIDIA A100 PCIe 80GB'],
	['a100-40-sxm', 'NVIDIA A100 SXM4 40GB'],
	['a100-40-pcie', 'NVIDIA A100 PCIe 40GB'],
	['a800-80-sxm', 'NVIDIA A800 SXM4 80GB'],
	['a800-80-pcie', 'NVIDIA A800 PCIe 80GB'],
	['a30', 'NVIDIA A30 24GB'],
	['a10', 'NVIDIA A10 24GB'],
	['a40', 'NVIDIA A40 48GB'],
	['l40s', 'NVIDIA L40S 48GB'],
	['l4', 'NVIDIA L4 24GB'],
	['l20', 'NVIDIA L20 48GB'],
	['l2', 'NVIDIA L2 24GB'],
	['rtx-4090', 'NVIDIA GeForce RTX 4090 24GB'],
	['rtx-4090-d', 'NVIDIA GeForce RTX 4090 D 24GB'],
	['rtx-6000-ada', 'NVIDIA RTX 6000 Ada 48GB'],
	['rtx-4000-ada', 'NVIDIA RTX 4000 Ada 20GB'],
	['rtx-a6000', 'NVIDIA RTX A6000 48GB'],
	['t4', 'NVIDIA T4 16GB'],
	['v100-sxm2-16', 'NVIDIA V100 SXM2 16GB'],
	['v100-sxm2-32', 'NVIDIA V100 SXM2 32GB'],
	['v100-pcie-32', 'NVIDIA V100 PCIe 32GB'],
	['rtx-3090', 'NVIDIA GeForce RTX 3090 24GB'],
	['b200-sxm', 'NVIDIA B200 SXM 180GB'],
	['b300-sxm', 'NVIDIA B300 SXM 288GB'],
	['gb200', 'NVIDIA GB200 (per GPU) 186GB'],
	['rtx-5090', 'NVIDIA GeForce RTX 5090 32GB'],
	['rtx-pro-6000-server', 'NVIDIA RTX PRO 6000 Blackwell Server 96GB'],
	['mi300x', 'AMD Instinct MI300X 192GB'],
	['mi308x', 'AMD Instinct MI308X 192GB'],
	['ascend-310', 'Huawei Ascend 310 (Atlas 300I 3000/3010 card = 4 chips)'],
	['ascend-310p', 'Huawei Ascend 310P (Atlas 300I Pro)'],
	['ascend-910b', 'Huawei Ascend 910B (B1-B4)'],
	['ascend-910c', 'Huawei Ascend 910C'],
	['gb300', 'NVIDIA GB300 (per GPU) 279GB'],
	['h100-96-500w', 'NVIDIA H100 96GB HBM2e 500W'],
	['rtx-4090-48', 'NVIDIA GeForce RTX 4090 48GB (rebuilt)'],
	['a10g', 'NVIDIA A10G 24GB'],
	['rtx-2080-ti', 'NVIDIA GeForce RTX 2080 Ti 11GB'],
	['mi325x', 'AMD Instinct MI325X 256GB'],
	['mi355x', 'AMD Instinct MI355X 288GB'],
]

const names = new Map(cards)

/** What the card ID is called; its id where the page knows no name. */
export const cardName = (id) => names.get(id) ?? id

/** The name without its maker, where many stand in a table: "RTX 5090 32GB". */
export const cardShort = (id) => cardName(id).replace(/^(NVIDIA (GeForce )?|AMD (Instinct )?|Huawei )/, '')
