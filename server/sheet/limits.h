/*
 * limits.h - what a file may cost before it is refused, whatever its bytes claim.
 *
 * Honest price sheets have some thousand rows; these bounds are about a hundred times that.
 */
#ifndef SHEET_LIMITS_H
#define SHEET_LIMITS_H

#define SHEET_BYTES_MAX ((size_t)16 << 20)    /* of the upload */
#define SHEET_UNPACKED_MAX ((size_t)96 << 20) /* of all parts of a workbook that are read */
#define SHEET_UNPACKED_FREE ((size_t)8 << 20) /* however small the workbook is */
#define SHEET_UNPACKED_PER_BYTE 50            /* of the packed workbook, above that */
#define SHEET_ELEMENTS_MAX 1200000            /* of all parts that are read */
#define SHEET_TOKEN_MAX ((size_t)1 << 20)     /* bytes of one tag with its attributes */
#define SHEET_PARTS_MAX 2000                  /* entries of the container */
#define SHEET_XML_DEPTH_MAX 64
#define SHEET_GRIDS_MAX 100    /* worksheets */
#define SHEET_CELLS_MAX 400000 /* of a workbook with a value, all worksheets together */
#define SHEET_CELLS_PER_BYTE 1 /* of the packed workbook; above the first SHEET_CELLS_FREE */
#define SHEET_CELLS_FREE 50000
#define SHEET_TEXT_CELLS_MAX 1700000              /* of a text file with a value */
#define SHEET_TEXT_ROWS_MAX 150000                /* of a text file with a value */
#define SHEET_ROWS_MAX 1048576                    /* row numbers, as Excel */
#define SHEET_COLUMNS_MAX 512                     /* of a cell with a value */
#define SHEET_TEXT_FIELDS_MAX 6000000             /* of a text file, blank ones too */
#define SHEET_JSON_OFFER_MAX ((size_t)64 << 10)   /* bytes of one offer in JSON */
#define SHEET_TABLES_MAX 2000                     /* of all worksheets */
#define SHEET_MERGES_MAX 20000                    /* per worksheet */
#define SHEET_STRING_BYTES_MAX ((size_t)24 << 20) /* of all texts of a workbook */
#define SHEET_STRINGS_MAX 400000                  /* shared strings */
#define SHEET_TEXT_MAX 32767                      /* bytes of one cell's text that are kept */
#define SHEET_NUMBER_TEXT_MAX 200                 /* bytes of a text that can still be a number */
#define SHEET_OFFERS_MAX 100000
#define SHEET_ERRORS_MAX 2500   /* where they outnumber the offers, nothing more is read */
#define SHEET_PROBLEMS_MAX 2000 /* listed; what follows is only counted */

#endif
