/* price_fault.c - the words for what is wrong with a number or its unit; see price_unit.h. */
#include "sheet/price_unit.h"

const char *unit_fault_code(enum unit_fault fault)
{
	return fault == UNIT_MISSING || fault == UNIT_NO_CURRENCY ? "unit_missing"
	                                                          : "ambiguous_unit";
}

struct text unit_fault_message(enum unit_fault fault)
{
	switch (fault) {
	case UNIT_FINE:
		break;
	case UNIT_MISSING:
		return TEXT("nothing says what this price counts, and for how long",
		            "没有写明计价单位：按什么计价，按小时还是按月");
	case UNIT_CLASH:
		return TEXT("the cell, the unit column and the heading name different units",
		            "单元格、单位列和表头写的计价单位互相矛盾");
	case UNIT_CURRENCY_CLASH:
		return TEXT("two currencies are named for this price", "这个价格写了两种币种");
	case UNIT_NO_THING:
		return TEXT("the unit does not say what is counted: cards, servers, cabinets",
		            "计价单位没有写明按什么计：按卡、按台还是按柜");
	case UNIT_NO_PERIOD:
		return TEXT("the unit names no time: to rent by the hour or month, or to buy?",
		            "计价单位没有写时间：按小时或按月租用，还是销售？");
	case UNIT_NO_CARDS:
		return TEXT("the price is per server and nothing says how many cards it has",
		            "按台计价，但没有写每台几张卡");
	case UNIT_NO_RATE:
		return TEXT("the price is per line and nothing says how fast the line is",
		            "按条计价，但没有写线路带宽");
	case UNIT_NOT_OF_ITEM:
		return TEXT("this item cannot be priced in this unit", "该项目不能用这个单位计价");
	case UNIT_NO_CURRENCY:
		return TEXT("nothing says in which currency this price is", "没有写明币种");
	}
	return (struct text){0};
}

/* The unit in which things of this kind are priced here, in full. */
static struct text write_unit(enum price_item item)
{
	switch (item) {
	case ITEM_COMPUTE:
	case ITEM_SERVICE:
	case ITEM_DEPOSIT:
		return TEXT("write the whole unit in the heading or in the cell, e.g. 元/卡/月 or "
		            "元/台/月",
		            "请在表头或单元格写全单位，例如 元/卡/月 或 元/台/月");
	case ITEM_CABINET:
		return TEXT("write the whole unit in the heading or in the cell, e.g. 元/柜/月 or "
		            "元/kW/月",
		            "请在表头或单元格写全单位，例如 元/柜/月 或 元/kW/月");
	case ITEM_POWER:
		return TEXT("write the whole unit in the heading or in the cell, e.g. 元/度",
		            "请在表头或单元格写全单位，例如 元/度");
	case ITEM_OVERAGE:
		return TEXT("write the whole unit in the heading or in the cell, e.g. 元/A/月",
		            "请在表头或单元格写全单位，例如 元/A/月");
	case ITEM_BANDWIDTH:
		return TEXT("write the whole unit in the heading or in the cell, e.g. 元/M/月",
		            "请在表头或单元格写全单位，例如 元/M/月");
	case ITEM_TRAFFIC:
		return TEXT("write the whole unit in the heading or in the cell, e.g. 元/GB",
		            "请在表头或单元格写全单位，例如 元/GB");
	case ITEM_STORAGE:
		return TEXT("write the whole unit in the heading or in the cell, e.g. 元/TB/月",
		            "请在表头或单元格写全单位，例如 元/TB/月");
	case ITEM_IP:
		return TEXT("write the whole unit in the heading or in the cell, e.g. 元/IP/月",
		            "请在表头或单元格写全单位，例如 元/IP/月");
	case ITEM_PURCHASE:
		return TEXT("write the whole unit in the heading or in the cell, e.g. 元/台",
		            "请在表头或单元格写全单位，例如 元/台");
	case ITEM_SETUP:
		return TEXT("write the whole unit in the heading or in the cell, e.g. 元/次",
		            "请在表头或单元格写全单位，例如 元/次");
	}
	return (struct text){0};
}

struct text unit_fault_hint(enum unit_fault fault, enum price_item item)
{
	switch (fault) {
	case UNIT_FINE:
		break;
	case UNIT_MISSING:
	case UNIT_NO_THING:
	case UNIT_NO_PERIOD:
	case UNIT_NOT_OF_ITEM:
		return write_unit(item);
	case UNIT_CLASH:
		return TEXT("leave only the right unit", "请只保留正确的单位");
	case UNIT_CURRENCY_CLASH:
	case UNIT_NO_CURRENCY:
		return TEXT("name one currency, e.g. CNY", "请写明一种币种，例如 CNY");
	case UNIT_NO_CARDS:
		return TEXT("add a column 卡数 (cards per server)", "请增加“卡数”列");
	case UNIT_NO_RATE:
		return TEXT("write the rate of the line, e.g. 100M", "请写明线路带宽，例如 100M");
	}
	return (struct text){0};
}

struct text number_fault_message(enum number_fault fault)
{
	switch (fault) {
	case NUMBER_FINE:
		break;
	case NUMBER_NOT_ONE:
		return TEXT("this is not a number", "这不是数字");
	case NUMBER_FORMULA:
		return TEXT(
		    "this is the text of a formula, not a number; formulas are not computed",
		    "这是公式文本而不是数字，系统不会计算公式");
	case NUMBER_COMMAS:
		return TEXT("the comma or point in this number can be read two ways",
		            "该数字中的逗号或小数点有两种读法");
	case NUMBER_LETTERS:
		return TEXT("there is a letter among the digits, e.g. O for 0",
		            "数字里混有字母，例如把 0 写成了 O");
	case NUMBER_TWO:
		return TEXT("there is more than one price in this cell", "单元格里不止一个价格");
	case NUMBER_TOO_LONG:
		return TEXT("the number has more digits than a spreadsheet can keep",
		            "数字位数超过表格软件能保存的位数");
	case NUMBER_LEFTOVERS:
		return TEXT("there are words behind the number that are not understood",
		            "数字后面有无法理解的文字");
	}
	return (struct text){0};
}

struct text number_fault_hint(enum number_fault fault)
{
	return fault == NUMBER_COMMAS
	           ? TEXT("write 1355.90 or 1,355.90", "请写成 1355.90 或 1,355.90")
	       : fault == NUMBER_TWO
	           ? TEXT("one price per cell; use a column for each term",
	                  "一个单元格只写一个价格，每种期限用一列")
	           : TEXT("write the plain number; words belong into the note column",
	                  "请只写数字，文字写到备注列");
}
