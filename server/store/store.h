/*
 * store.h - what is kept on disk: suppliers, sheets, offers, reference data, keys, quotes, the log.
 *
 * One SQLite database. Only this folder knows that. Each function answers one question.
 *
 * Writes. One thread with one connection does every write and every checkpoint (writer.h says
 * why); a write function hands its job to that thread and returns when the commit is on disk, or
 * when nothing at all was changed. Each write appends a row to the audit log in the same
 * transaction, and raises the catalogue revision there when a plan could see the difference.
 * Sheets, offers, prices, quotes and audit rows are never changed or deleted; the database itself
 * refuses.
 *
 * Reads. Any thread, read-only connections from a pool, each call in one snapshot. Results live in
 * the ARENA that the caller passes; nothing is freed one by one. An id that is not there is
 * STORE_NOT_FOUND, an empty list is STORE_OK.
 *
 * Times are UTC in microseconds since 1970 (..._us), days are struct date. Lists come in pages:
 * give the id of the last item of the page before as AFTER (0 or NULL for the first page) and a
 * limit; MORE says whether another page follows. Offers, suppliers, sites and keys are listed
 * upwards by id; sheets, quotes and audit rows newest first.
 *
 * Why something failed is logged, never shown: the caller gets one of enum store_result.
 */
#ifndef STORE_STORE_H
#define STORE_STORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/problem.h"
#include "base/ratio.h"
#include "base/sha256.h"
#include "offer/fx.h"
#include "offer/offer.h"
#include "offer/supplier.h"
#include "offer/tariff.h"

struct arena;
struct store;

enum store_result {
	STORE_OK,
	STORE_NOT_FOUND, /* no such thing, or what it refers to is not there */
	STORE_CONFLICT,  /* another version than expected, or it is there already */
	STORE_FULL,      /* no space on the disk: nothing was written, reads go on */
	STORE_BUSY,      /* too many writes are waiting: nothing was written, try again */
	STORE_FAILED,    /* anything else; logged */
};
#define STORE_RESULT_COUNT 6
extern const char *const store_result_names[STORE_RESULT_COUNT]; /* "ok", "not_found", ... */

/* Who writes, and on whose behalf: goes into the audit log. */
struct store_actor {
	const char *key_id;          /* id of the API key, or "cli", "system" */
	const char *request_id;      /* NULL = none */
	int64_t now_us;              /* time of the request: the only "now" of a write */
	int64_t arrived_us;          /* when it came in, on the monotonic clock; 0 = just now */
	const char *idempotency_key; /* set when the request carries one (see below), else NULL */
};

/* --- Opening ------------------------------------------------------------------------------ */

enum store_mode {
	STORE_WRITE, /* the one process that writes; creates and migrates the database */
	STORE_READ,  /* beside a running server: backup, verify, plan; every write is refused */
};

/*
 * Opens the database at PATH.
 *
 *   Returned  a new store (store_close() it), or NULL after adding a problem:
 *             "database_locked"    another process has it open for writing
 *             "database_newer"     its schema is one that this program does not know
 *             "database_older"     STORE_READ cannot bring its schema up to date
 *             "migration_changed"  it was made by another text of a migration
 *             "database_open"      anything else
 *
 * STORE_WRITE takes the lock PATH.lock until store_close() or the end of the process, creates the
 * file (mode 0600) when there is none, and brings the schema up to date (migrations/).
 */
struct store *store_open(const char *path, enum store_mode mode, struct problems *problems);

/* Finishes waiting writes, checkpoints, frees. No other call may be running. NULL is fine. */
void store_close(struct store *store);

/* Writes and commits a row: STORE_OK when a write can be made durable now. For /readyz. */
MUST_CHECK enum store_result store_ping(struct store *store);

/* --- Catalogue revision ------------------------------------------------------------------- */

/* Raised by each write that can change a plan: sheets, suppliers, sites, reference, tariffs, fx. */
MUST_CHECK enum store_result store_revision(struct store *store, int64_t *revision);

/* --- Suppliers and sites ------------------------------------------------------------------ */

/* For EXPECTED of the put functions; otherwise the version that was read (If-Match). */
#define STORE_ANY_VERSION (-1) /* whatever is there */
#define STORE_NO_VERSION 0     /* must not be there yet (If-None-Match: *) */

struct stored_supplier {
	struct supplier value;
	int64_t version; /* 1, 2, ...: raised by each change; the ETag */
	int64_t updated_us;
};

struct stored_suppliers {
	struct stored_supplier *items;
	size_t count;
	bool more;
};

struct stored_site {
	struct site value;
	int64_t version;
	int64_t updated_us;
};

struct stored_sites {
	struct stored_site *items;
	size_t count;
};

/*
 * Creates or replaces a supplier; VERSION receives the new version. STORE_CONFLICT when another
 * version than EXPECTED is there. Ids are checked by the caller ([a-z0-9-]{2,40}).
 */
MUST_CHECK enum store_result store_supplier_put(struct store *store,
                                                const struct store_actor *actor,
                                                const struct supplier *supplier, int64_t expected,
                                                int64_t *version);

/* One supplier by id. */
MUST_CHECK enum store_result store_supplier_get(struct store *store, struct arena *arena,
                                                const char *id, struct stored_supplier *supplier);

/* Suppliers with ids after AFTER (NULL = from the first). */
MUST_CHECK enum store_result store_suppliers_list(struct store *store, struct arena *arena,
                                                  const char *after, int limit,
                                                  struct stored_suppliers *suppliers);

/* As for suppliers; STORE_NOT_FOUND also when the site's supplier does not exist. */
MUST_CHECK enum store_result store_site_put(struct store *store, const struct store_actor *actor,
                                            const struct site *site, int64_t expected,
                                            int64_t *version);
MUST_CHECK enum store_result store_site_get(struct store *store, struct arena *arena,
                                            const char *id, struct stored_site *site);
/* --- Reference data of the operator: overlays what is baked in ----------------------------- */

enum reference_kind {
	REFERENCE_CARD,
	REFERENCE_MODEL,
	REFERENCE_TARIFF_HOURS,
};
#define REFERENCE_KIND_COUNT 3

/*
 * One row of the operator's own. CSV is a whole file of two lines, header and row, as in
 * schema/reference/, so that cards_read(), models_read(), tariff_hours_read() read it, today and
 * after the reference has gained columns. The caller has read it once before it puts it.
 */
struct reference_row {
	enum reference_kind kind;
	const char *id;
	const char *csv;
	int64_t version; /* not used by put */
	int64_t updated_us;
};

struct reference_rows {
	struct reference_row *items; /* by id */
	size_t count;
};

/* Creates or replaces a row; EXPECTED and VERSION as for suppliers. */
MUST_CHECK enum store_result store_reference_put(struct store *store,
                                                 const struct store_actor *actor,
                                                 const struct reference_row *row, int64_t expected,
                                                 int64_t *version);

/* Takes the operator's row away: what is baked in holds again. EXPECTED as for suppliers. */
MUST_CHECK enum store_result store_reference_delete(struct store *store,
                                                    const struct store_actor *actor,
                                                    enum reference_kind kind, const char *id,
                                                    int64_t expected);

/* One row; all rows of a kind. */
MUST_CHECK enum store_result store_reference_get(struct store *store, struct arena *arena,
                                                 enum reference_kind kind, const char *id,
                                                 struct reference_row *row);
MUST_CHECK enum store_result store_reference_list(struct store *store, struct arena *arena,
                                                  enum reference_kind kind,
                                                  struct reference_rows *rows);

struct stored_tariff {
	struct tariff value;
	int64_t version;
	int64_t updated_us;
};

struct stored_tariffs {
	struct stored_tariff *items; /* by id */
	size_t count;
};

/* A price table of electricity; overlays a baked one of the same id. As for suppliers. */
MUST_CHECK enum store_result store_tariff_put(struct store *store, const struct store_actor *actor,
                                              const struct tariff *tariff, int64_t expected,
                                              int64_t *version);
MUST_CHECK enum store_result store_tariff_delete(struct store *store,
                                                 const struct store_actor *actor, const char *id,
                                                 int64_t expected);
MUST_CHECK enum store_result store_tariff_get(struct store *store, struct arena *arena,
                                              const char *id, struct stored_tariff *tariff);
MUST_CHECK enum store_result store_tariffs_list(struct store *store, struct arena *arena,
                                                struct stored_tariffs *tariffs);

struct fx_rates {
	struct fx_rate *items; /* by currency, then day */
	size_t count;
};

/* Sets the rate of a currency on a day; a second rate for the same day replaces the first. */
MUST_CHECK enum store_result store_fx_put(struct store *store, const struct store_actor *actor,
                                          const struct fx_rate *rate);

/* Every rate. */
MUST_CHECK enum store_result store_fx_list(struct store *store, struct arena *arena,
                                           struct fx_rates *rates);

/* --- Sheets ------------------------------------------------------------------------------- */

enum sheet_status { SHEET_CURRENT, SHEET_SUPERSEDED, SHEET_WITHDRAWN };
#define SHEET_STATUS_COUNT 3
extern const char *const sheet_status_names[SHEET_STATUS_COUNT]; /* "current", ... */

/* An upload that has been read. Everything is borrowed during the call. */
struct sheet_new {
	const char *supplier;   /* supplier id */
	const char *filename;   /* of the client, for showing only; NULL */
	const char *media_type; /* "text/csv" */
	const char *format;     /* "xlsx", "csv", "json" */
	const char *encoding;   /* "gb18030"; NULL where there is none */
	const void *bytes;      /* exactly what was uploaded */
	size_t size;
	const char *problems_json; /* JSON array, made by the caller */
	const char *tables_json;   /* JSON array: which tables and columns were read; NULL */
	int errors;                /* rows left out under accept=partial */
	int warnings;
	int skipped;
	const struct offer *offers; /* id, sheet_id, supplier and supplier_name are not read */
	size_t offer_count;
};

struct stored_sheet {
	int64_t id;
	const char *supplier;
	int revision; /* 1, 2, ... per supplier */
	enum sheet_status status;
	const char *filename;
	const char *media_type;
	const char *format;
	const char *encoding;
	struct sha256 hash; /* of the bytes */
	int64_t size;
	int errors, warnings, skipped;
	int64_t offer_count;
	int64_t uploaded_us;
	const char *key_id; /* who uploaded it */
	int64_t ended_us;   /* when it was superseded or withdrawn; 0 = current */
};

struct stored_sheets {
	struct stored_sheet *items;
	size_t count;
	bool more;
};

/*
 * Keeps an upload: bytes, offers, prices, problems, audit row, all or nothing; the supplier's
 * current sheet becomes superseded. Of two uploads the one that came in last is current, whichever
 * is kept first: one that a later one has overtaken is kept as superseded from the start.
 *
 *   Returned  id  of the sheet
 *   Result    STORE_OK when it is on disk; STORE_NOT_FOUND when there is no such supplier
 *
 * The offers get consecutive ids in their order; read them back with store_sheet_offers_each().
 */
MUST_CHECK enum store_result store_sheet_add(struct store *store, const struct store_actor *actor,
                                             const struct sheet_new *sheet, int64_t *id);

/* Takes a sheet out of the catalogue; no earlier one comes back. STORE_CONFLICT when it is out. */
MUST_CHECK enum store_result store_sheet_withdraw(struct store *store,
                                                  const struct store_actor *actor, int64_t id);

/* One sheet by id; the current sheet of a supplier. */
MUST_CHECK enum store_result store_sheet_get(struct store *store, struct arena *arena, int64_t id,
                                             struct stored_sheet *sheet);
MUST_CHECK enum store_result store_sheet_current(struct store *store, struct arena *arena,
                                                 const char *supplier, struct stored_sheet *sheet);

/* The uploaded bytes, as they came. */
MUST_CHECK enum store_result store_sheet_original(struct store *store, struct arena *arena,
                                                  int64_t id, const void **bytes, size_t *size);

/* The JSON texts of struct sheet_new; TABLES may come back NULL. */
MUST_CHECK enum store_result store_sheet_reading(struct store *store, struct arena *arena,
                                                 int64_t id, const char **problems,
                                                 const char **tables);

struct sheet_query {
	const char *supplier; /* NULL = of all suppliers */
	int64_t after;
	int limit;
};

/* Sheets, newest first. */
MUST_CHECK enum store_result store_sheets_list(struct store *store, struct arena *arena,
                                               const struct sheet_query *query,
                                               struct stored_sheets *sheets);

/* --- Offers ------------------------------------------------------------------------------- */

/*
 * Sees one offer with its prices, borrowed until it returns. False ends the walk (which still
 * answers STORE_OK). It must not call the store.
 */
typedef bool (*store_offer_visit)(void *context, const struct offer *offer);

/* All offers of current sheets, by sheet, then id, in one snapshot, whose REVISION is set first. */
MUST_CHECK enum store_result store_offers_each(struct store *store, int64_t *revision,
                                               store_offer_visit visit, void *context);

/* The offers of one sheet, whatever its status. */
MUST_CHECK enum store_result store_sheet_offers_each(struct store *store, int64_t sheet_id,
                                                     store_offer_visit visit, void *context);

/* An offer with what its sheet says about it. */
struct stored_offer {
	struct offer value;
	int64_t uploaded_us;
	int sheet_revision;
	enum sheet_status status;
};

struct stored_offers {
	struct stored_offer *items;
	size_t count;
	bool more;
};

/* Which offers: NULL, 0 and -1 mean "any". Start from OFFER_QUERY_ANY. */
struct offer_query {
	const char *supplier;
	const char *card;
	int64_t sheet_id;
	int kind; /* enum offer_kind */
	int city; /* enum city */
	bool current_only;
	int64_t after;
	int limit;
};
#define OFFER_QUERY_ANY ((struct offer_query){.kind = -1, .city = -1, .limit = 100})

/* One offer by id, whatever the status of its sheet. */
MUST_CHECK enum store_result store_offer_get(struct store *store, struct arena *arena, int64_t id,
                                             struct stored_offer *offer);

/* Offers that answer the query, upwards by id. */
MUST_CHECK enum store_result store_offers_list(struct store *store, struct arena *arena,
                                               const struct offer_query *query,
                                               struct stored_offers *offers);

/*
 * The same thing offered in earlier and later sheets, newest first: offers of the same supplier
 * with the same kind, card, title, site, city and cards per server, in sheets not withdrawn; the
 * offer itself is among them unless its sheet is withdrawn. At most LIMIT.
 */
MUST_CHECK enum store_result store_offer_history(struct store *store, struct arena *arena,
                                                 int64_t offer_id, int limit,
                                                 struct stored_offers *offers);

/* One compute or purchase price of a card, with the time during which it was current. */
struct price_point {
	int64_t offer_id;
	int64_t sheet_id;
	const char *supplier;
	enum origin origin;
	enum city city;
	struct date observed_on;
	int64_t from_us; /* upload of its sheet */
	int64_t to_us;   /* when it was superseded; 0 = current */
	enum price_item item;
	enum price_term term;
	enum tax_basis tax;
	int32_t tax_rate_bp;
	int32_t min_quantity;
	char currency[4];
	enum normalised_unit unit;
	struct money amount; /* normalised */
};

struct price_points {
	struct price_point *items; /* newest sheet first */
	size_t count;
	bool more;
};

struct price_query {
	const char *card;
	const char *supplier; /* NULL = all; a supplier may see its own only */
	int64_t since_us;     /* current at that time or later; 0 = always */
	int limit;
};

/* What a card has cost: the compute and purchase prices of all sheets that were not withdrawn. */
MUST_CHECK enum store_result store_price_history(struct store *store, struct arena *arena,
                                                 const struct price_query *query,
                                                 struct price_points *points);

/* --- The whole catalogue at one revision -------------------------------------------------- */

struct store_catalogue {
	int64_t revision;
	int64_t offer_count; /* how many offers VISIT is about to see */
	struct stored_suppliers suppliers;
	struct stored_sites sites;
	struct reference_rows reference[REFERENCE_KIND_COUNT];
	struct stored_tariffs tariffs;
	struct fx_rates fx;
};

/*
 * Everything a snapshot is built from, in one read transaction: fills CATALOGUE (in ARENA), then
 * shows every offer of the current sheets to VISIT, by sheet, then id. CATALOGUE is complete before
 * the first visit.
 */
MUST_CHECK enum store_result store_catalogue_load(struct store *store, struct arena *arena,
                                                  struct store_catalogue *catalogue,
                                                  store_offer_visit visit, void *context);

/* --- API keys and browser sessions --------------------------------------------------------- */

#define KEY_ID_SIZE 9        /* 8 characters and a NUL */
#define KEY_TEXT_SIZE 56     /* "sk_" + 8 + "_" + 43, and a NUL */
#define SESSION_TEXT_SIZE 44 /* 43 characters of base64url, and a NUL */

/* A key without its secret, of which only the SHA-256 is kept. */
struct api_key {
	const char *id;       /* 8 characters a-z 2-7 */
	const char *role;     /* "admin", "buyer", "supplier", "viewer" */
	const char *supplier; /* the supplier of the role "supplier"; NULL for the others */
	const char *label;    /* what it is for, in its owner's words; NULL */
	int64_t created_us;
	const char *created_by; /* key id of the creator, or "cli" */
	int64_t expires_us;     /* 0 = never */
	int64_t revoked_us;     /* 0 = not */
	int64_t last_used_us;   /* within an hour; 0 = never */
};

struct api_keys {
	struct api_key *items;
	size_t count;
	bool more;
};

/*
 * Makes a key: role, supplier, label and expires_us are read from KEY, the id is chosen.
 *
 *   Returned  id    of the key (the same that stands in TEXT)
 *             text  the key itself: shown once, kept nowhere
 *   Result    STORE_CONFLICT for an unknown role, or a supplier where the role has none or none
 *             where it needs one; STORE_NOT_FOUND when there is no such supplier
 */
MUST_CHECK enum store_result store_key_create(struct store *store, const struct store_actor *actor,
                                              const struct api_key *key,
                                              char id[static KEY_ID_SIZE],
                                              char text[static KEY_TEXT_SIZE]);

/*
 * The key that TEXT is. STORE_NOT_FOUND for malformed, unknown, wrong, revoked and expired keys
 * alike; the secrets are compared in constant time. Reads the database, so a revocation holds from
 * the next request on. Use is noted in last_used_us, at most hourly, without waiting for it.
 */
MUST_CHECK enum store_result store_key_find(struct store *store, struct arena *arena,
                                            const char *text, int64_t now_us, struct api_key *key);

/* One key by id, also when revoked; keys upwards by id, AFTER NULL = from the first. */
MUST_CHECK enum store_result store_key_get(struct store *store, struct arena *arena, const char *id,
                                           struct api_key *key);
MUST_CHECK enum store_result store_keys_list(struct store *store, struct arena *arena,
                                             const char *after, int limit, struct api_keys *keys);

/* Ends a key and its sessions, for ever. STORE_CONFLICT when it is revoked already. */
MUST_CHECK enum store_result store_key_revoke(struct store *store, const struct store_actor *actor,
                                              const char *id);

/*
 * A browser session for the key KEY_ID until EXPIRES_US. TOKEN receives the cookie's value, of
 * which only the SHA-256 is kept. STORE_NOT_FOUND when there is no such key or it has ended.
 */
MUST_CHECK enum store_result store_session_create(struct store *store,
                                                  const struct store_actor *actor,
                                                  const char *key_id, int64_t expires_us,
                                                  char token[static SESSION_TEXT_SIZE]);

/* The key behind a session; STORE_NOT_FOUND when the session or its key has ended. */
MUST_CHECK enum store_result store_session_find(struct store *store, struct arena *arena,
                                                const char *token, int64_t now_us,
                                                struct api_key *key);

/* Ends a session; STORE_OK also when there is none. */
MUST_CHECK enum store_result
store_session_delete(struct store *store, const struct store_actor *actor, const char *token);

/* --- Idempotency -------------------------------------------------------------------------- */

#define STORE_IDEMPOTENCY_S (24 * 3600) /* how long an answer can be had again; published */

/*
 * How a POST with an Idempotency-Key is done exactly once:
 *
 *   1. store_once_begin(): ONCE_NEW = go on, anything else = answer at once.
 *   2. The write, with actor.idempotency_key set: notes what it made, in its own transaction.
 *   3. store_once_finish() with the answer; or store_once_abandon() when nothing was made (the
 *      request was refused), so that a corrected request may use the key again.
 *
 * When the process dies between 2 and 3 there is no answer, but what was made is known: ONCE_MADE.
 * When it dies before 2, the next store_open() forgets the record; ten minutes do the same. An
 * answer that shows a secret (POST /keys) must not be kept: leave out step 3, and a repeat gets
 * ONCE_MADE.
 */
enum once {
	ONCE_NEW,       /* the first: do it */
	ONCE_RUNNING,   /* the same request is being done now: 409 */
	ONCE_DIFFERENT, /* the key was used for another request: 422 */
	ONCE_ANSWERED,  /* done: send STATUS and BODY again */
	ONCE_MADE,      /* done, the answer was not kept: build it again from MADE */
};

struct once_record {
	enum once state;
	int status;       /* ONCE_ANSWERED: HTTP status */
	const char *body; /* ONCE_ANSWERED */
	size_t body_size;
	const char
	    *made; /* subject as in the audit log: "sheet/12", "quote/...", "key/..."; or NULL */
};

/* What was asked, by whom. KEY, the header's value, is scoped per API key. */
struct once_request {
	const char *key_id;
	const char *key;
	struct sha256 request; /* of method, path and body */
	int64_t now_us;
};

/* Claims the key or says what became of its first use. */
MUST_CHECK enum store_result store_once_begin(struct store *store, struct arena *arena,
                                              const struct once_request *request,
                                              struct once_record *record);

/* Keeps the answer for repeats: STATUS, BODY and BODY_SIZE of ANSWER are read. */
MUST_CHECK enum store_result store_once_finish(struct store *store,
                                               const struct once_request *request,
                                               const struct once_record *answer);

/* Frees the key when nothing was made under it. */
MUST_CHECK enum store_result store_once_abandon(struct store *store,
                                                const struct once_request *request);

/* --- Quotes ------------------------------------------------------------------------------- */

/* A plan kept for ever. The JSON texts are byte for byte what was signed. */
struct quote {
	int64_t number;     /* its place in the list, for the cursor; not used by add */
	const char *id;     /* chosen by the caller: it is part of what is signed */
	const char *key_id; /* whose it is */
	const char *title;  /* NULL */
	const char *basis_json;
	const char *request_json;
	const char *answer_json;
	const char *signature; /* text of the Ed25519 signature */
	int64_t created_us;
	struct date valid_to; /* last day; DATE_NONE = open */
};

struct quotes {
	struct quote *items; /* without the JSON texts and the signature: those are NULL */
	size_t count;
	bool more;
};

/* Keeps a quote; whose and when are taken from ACTOR. STORE_CONFLICT when the id is taken. */
MUST_CHECK enum store_result store_quote_add(struct store *store, const struct store_actor *actor,
                                             const struct quote *quote);

/* One quote, whole. */
MUST_CHECK enum store_result store_quote_get(struct store *store, struct arena *arena,
                                             const char *id, struct quote *quote);

struct quote_query {
	const char *key_id; /* NULL = of all keys */
	int64_t after;      /* NUMBER of the last one seen */
	int limit;
};

/* Quotes, newest first. */
MUST_CHECK enum store_result store_quotes_list(struct store *store, struct arena *arena,
                                               const struct quote_query *query,
                                               struct quotes *quotes);

/* --- Audit log ---------------------------------------------------------------------------- */

/*
 * A row of the log. HASH is the SHA-256 of the hash of the row before (32 zero bytes for the first)
 * followed by this row's fields from ID to AFTER in the order of this struct, each as
 * "length:bytes" (numbers in decimal), "-" for NULL.
 */
struct audit_row {
	int64_t id; /* 1, 2, ... without gaps */
	int64_t at_us;
	const char *key_id;
	const char *request_id; /* NULL */
	const char *action;     /* "sheet.add", "key.revoke", ... */
	const char *subject;    /* "sheet/12" */
	const char *before;     /* SHA-256 in hex of what was there; NULL = nothing */
	const char *after;      /* of what is there now; NULL = nothing */
	struct sha256 hash;
};

struct audit_rows {
	struct audit_row *items;
	size_t count;
	bool more;
};

/* Rows older than AFTER, newest first (0 = from the newest). */
MUST_CHECK enum store_result store_audit_list(struct store *store, struct arena *arena,
                                              int64_t after, int limit, struct audit_rows *rows);

/* --- Keeping it safe ---------------------------------------------------------------------- */

/*
 * Reads everything and adds an error for each fault: "database_damaged" (integrity_check),
 * "reference_broken" (foreign keys), "audit_broken" (a changed, missing or reordered row; the first
 * only), "sheet_changed" (its bytes do not match their hash), "sheet_incomplete" (offers are
 * missing). STORE_OK when everything could be read, whatever was found.
 */
MUST_CHECK enum store_result store_verify(struct store *store, struct problems *problems);

/*
 * Copies the database as it is now to the new file TO, with writes going on beside it. The copy is
 * one snapshot, checked, on disk and a single file (no -wal) when this returns STORE_OK; otherwise
 * there is no file TO. STORE_CONFLICT when TO exists.
 */
MUST_CHECK enum store_result store_backup(struct store *store, const char *to);

/*
 * Puts the backup FROM in the place of the database PATH. The old database, if any, is kept as
 * PATH.replaced (with its -wal). False after adding a problem: "database_locked" when a process has
 * it open, "backup_damaged" when FROM is not a whole database of ours (nothing is changed then), or
 * "restore_failed".
 */
MUST_CHECK bool store_restore(const char *from, const char *path, struct problems *problems);

#endif
