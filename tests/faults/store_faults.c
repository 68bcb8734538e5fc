/*
 * store_faults.c FOLDER KILLS [SMALL] - the store under faults; prints "N passed, N failed".
 *
 * Kills: a child uploads sheets from three threads, each under an Idempotency-Key of its own, and
 * tells of each start and each acknowledgement over a pipe; it is killed at a random microsecond.
 * Then every acknowledged sheet is there, byte for byte, with all offers and prices; no other is
 * there by half; what was started is done again under its key and is there exactly once.
 *
 * Failing calls: a layer under SQLite lets the n-th write, sync or truncation fail, for every n of
 * an upload. The upload is then there whole or not at all, as the answer said.
 *
 * Power cuts: before each write, sync and truncation of uploads and of the checkpoint, the files
 * are copied as a disk may hold them then: of what was not synced, all, nothing, or some sectors.
 * Each copy opens, is whole, and has every sheet that was acknowledged by then.
 *
 * Full disk: SMALL is a small file system. Uploads are refused with STORE_FULL, reads go on, and
 * after room was made uploads work again, without opening anew.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <sqlite3.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/log.h"
#include "store/store.h"

#define THREADS 3
#define OFFERS_MAX 120
#define STARTED_MAX 4096
#define KILLS_PER_DATABASE 20
#define READY_LIMIT_US 2000000

static int passed;
static int failed;

static bool check(bool ok, const char *what, int64_t detail)
{
	if (ok)
		return true;
	printf("FAILED: %s (%" PRId64 ")\n", what, detail);
	return false;
}

static void count(bool ok)
{
	passed += ok;
	failed += !ok;
}

/* --- Uploads that tell from their token what must be in them ------------------------------- */

static struct store_actor actor_of(const char *token)
{
	return (struct store_actor){
	    .key_id = "cli", .now_us = clock_now_us(), .idempotency_key = token};
}

static size_t offers_of(unsigned token)
{
	return 1 + token * 2654435761u % OFFERS_MAX;
}

static size_t bytes_of(unsigned token, unsigned char bytes[static 65536])
{
	size_t size = 100 + token * 40503u % 65000;

	for (size_t i = 0; i < size; i++)
		bytes[i] = (unsigned char)(token >> (i % 4 * 8)) ^ (unsigned char)i;
	return size;
}

/* Uploads the sheet of TOKEN under its key; tells whether it was this call that made it. */
static enum store_result upload(struct store *store, int supplier, unsigned token, bool *made)
{
	static _Thread_local unsigned char bytes[65536];
	static _Thread_local struct offer offers[OFFERS_MAX];
	struct price prices[2] = {{.currency = "CNY",
	                           .as_quoted = "1",
	                           .unit_text = "元/卡/时",
	                           .unit = {PER_CARD, 1, 1, 1}},
	                          {.currency = "CNY", .item = ITEM_SETUP}};
	char id[8], key[16];
	struct arena *arena = arena_create();
	struct once_record record;

	snprintf(id, sizeof id, "s%d", supplier);
	snprintf(key, sizeof key, "%u", token);
	struct store_actor actor = actor_of(key);
	struct once_request once = {
	    .key_id = "cli", .key = key, .request = sha256_of_text(key), .now_us = actor.now_us};
	struct sheet_new sheet = {.supplier = id,
	                          .filename = key,
	                          .media_type = "text/csv",
	                          .format = "csv",
	                          .bytes = bytes,
	                          .size = bytes_of(token, bytes),
	                          .problems_json = "[]",
	                          .offers = offers,
	                          .offer_count = offers_of(token)};

	for (size_t i = 0; i < sheet.offer_count; i++) {
		offers[i] = offer_blank();
		offers[i].row = (int)i;
		offers[i].prices = prices;
		offers[i].price_count = 2;
	}
	int64_t sheet_id = 0;
	enum store_result result = store_once_begin(store, arena, &once, &record);

	*made = false;
	if (result == STORE_OK && record.state == ONCE_NEW) {
		result = store_sheet_add(store, &actor, &sheet, &sheet_id);
		*made = result == STORE_OK;
		/* As a handler does; where this fails, ONCE_MADE or a new start stands in. */
		bool kept =
		    *made ? store_once_finish(store, &once, &(struct once_record){.status = 201}) ==
				STORE_OK
			  : store_once_abandon(store, &once) == STORE_OK;

		(void)kept;
	}
	arena_destroy(arena);
	return result;
}

static bool add_suppliers(struct store *store)
{
	struct store_actor actor = actor_of(NULL);
	bool ok = true;

	for (int i = 0; i < THREADS; i++) {
		char id[8];
		struct supplier supplier = {.id = id, .name = "示例"};
		int64_t version;

		snprintf(id, sizeof id, "s%d", i);
		ok = ok && store_supplier_put(store, &actor, &supplier, STORE_ANY_VERSION,
		                              &version) == STORE_OK;
	}
	return ok;
}

struct tally {
	size_t offers;
	size_t prices;
};

static bool tally(void *context, const struct offer *offer)
{
	struct tally *t = context;

	t->offers++;
	t->prices += (size_t)offer->price_count;
	return true;
}

/* Whether SHEET is exactly what upload() of its token makes. */
static bool sheet_is_whole(struct store *store, struct arena *arena,
                           const struct stored_sheet *sheet)
{
	static unsigned char expected[65536];
	unsigned token = (unsigned)strtoul(sheet->filename, NULL, 10);
	size_t expected_size = bytes_of(token, expected);
	struct tally seen = {0};
	const void *bytes;
	size_t size;

	return store_sheet_original(store, arena, sheet->id, &bytes, &size) == STORE_OK &&
	       size == expected_size && memcmp(bytes, expected, size) == 0 &&
	       store_sheet_offers_each(store, sheet->id, tally, &seen) == STORE_OK &&
	       seen.offers == offers_of(token) && seen.prices == 2 * seen.offers;
}

/* How often the upload of TOKEN is there; every sheet met on the way must be whole. */
static int copies_of(struct store *store, const unsigned *tokens, size_t token_count, int *copies)
{
	struct arena *arena = arena_create();
	struct sheet_query query = {.limit = 10000};
	struct stored_sheets sheets;
	int torn = 0;

	memset(copies, 0, token_count * sizeof *copies);
	if (store_sheets_list(store, arena, &query, &sheets) != STORE_OK)
		torn++;
	else
		for (size_t i = 0; i < sheets.count; i++) {
			unsigned token = (unsigned)strtoul(sheets.items[i].filename, NULL, 10);

			torn += !sheet_is_whole(store, arena, &sheets.items[i]);
			for (size_t k = 0; k < token_count; k++)
				copies[k] += tokens[k] == token;
		}
	arena_destroy(arena);
	return torn;
}

static bool verifies(struct store *store)
{
	struct arena *arena = arena_create();
	struct problems problems;

	problems_init(&problems, arena);
	bool ok = check(store_verify(store, &problems) == STORE_OK, "verify", 0);

	for (size_t i = 0; i < problems.count; i++)
		ok = check(false, problems.items[i].code, 0);
	arena_destroy(arena);
	return ok;
}

static struct store *open_at(const char *path)
{
	struct arena *arena = arena_create();
	struct problems problems;

	problems_init(&problems, arena);
	struct store *store = store_open(path, STORE_WRITE, &problems);

	if (store == NULL)
		printf("cannot open: %s\n", problems.count > 0 ? problems.items[0].code : "?");
	arena_destroy(arena);
	return store;
}

/* --- Kills -------------------------------------------------------------------------------- */

struct event {
	unsigned token;
	int supplier;
	int acknowledged; /* 0 = started */
};

struct child {
	struct store *store;
	int pipe;
	int supplier;
	unsigned first_token;
};

/* A struct event is far below PIPE_BUF: written whole or not at all. */
static void tell(const struct child *child, unsigned token, int acknowledged)
{
	struct event event = {
	    .token = token, .supplier = child->supplier, .acknowledged = acknowledged};

	if (write(child->pipe, &event, sizeof event) != sizeof event)
		_exit(3);
}

static void *child_uploads(void *context)
{
	const struct child *child = context;

	for (unsigned token = child->first_token;; token += THREADS) {
		bool made;

		tell(child, token, 0);
		if (upload(child->store, child->supplier, token, &made) != STORE_OK || !made)
			_exit(4);
		tell(child, token, 1);
	}
	return NULL;
}

static void child_main(const char *path, int pipe_fd, unsigned first_token)
{
	struct child children[THREADS];
	pthread_t threads[THREADS];
	struct store *store = open_at(path);

	if (store == NULL || !add_suppliers(store))
		_exit(5);
	for (int i = 0; i < THREADS; i++) {
		children[i] = (struct child){.store = store,
		                             .pipe = pipe_fd,
		                             .supplier = i,
		                             .first_token = first_token + (unsigned)i};
		pthread_create(&threads[i], NULL, child_uploads, &children[i]);
	}
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
}

struct round {
	unsigned tokens[STARTED_MAX];
	int suppliers[STARTED_MAX];
	bool acknowledged[STARTED_MAX];
	size_t count;
};

static void note_event(struct round *round, const struct event *event)
{
	if (!event->acknowledged && round->count < STARTED_MAX) {
		round->tokens[round->count] = event->token;
		round->suppliers[round->count++] = event->supplier;
		return;
	}
	for (size_t i = 0; i < round->count; i++)
		if (round->tokens[i] == event->token)
			round->acknowledged[i] = true;
}

/* Starts a child, kills it after a random time, collects what it told. */
static bool run_and_kill(const char *path, unsigned first_token, struct round *round)
{
	struct event event;
	int fds[2];
	int status;

	round->count = 0;
	memset(round->acknowledged, 0, sizeof round->acknowledged);
	if (pipe(fds) != 0)
		return check(false, "pipe", errno);
	fflush(stdout);
	pid_t pid = fork();

	if (pid == 0) {
		close(fds[0]);
		child_main(path, fds[1], first_token);
		_exit(6);
	}
	close(fds[1]);
	usleep((useconds_t)(rand() % 150000));
	kill(pid, SIGKILL);
	while (read(fds[0], &event, sizeof event) == sizeof event)
		note_event(round, &event);
	close(fds[0]);
	waitpid(pid, &status, 0);
	return check(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL,
	             "the child ended by itself", status);
}

/* After a kill, with the database open again. */
static bool survived(struct store *store, const struct round *round, size_t *lost, int *torn)
{
	static int copies[STARTED_MAX];
	bool ok = true;

	*torn += copies_of(store, round->tokens, round->count, copies);
	for (size_t i = 0; i < round->count; i++) {
		bool made;

		if (round->acknowledged[i] && copies[i] != 1)
			++*lost;
		/* The client that got no answer tries again. */
		ok = check(upload(store, round->suppliers[i], round->tokens[i], &made) == STORE_OK,
		           "retry", (int64_t)i) &&
		     ok;
		ok = check(made == (copies[i] == 0), "a retry made a second one, or none",
		           (int64_t)i) &&
		     ok;
	}
	*torn += copies_of(store, round->tokens, round->count, copies);
	for (size_t i = 0; i < round->count; i++)
		ok = check(copies[i] == 1, "not there exactly once", copies[i]) && ok;
	return verifies(store) && ok;
}

static void remove_database(const char *path)
{
	static const char *const suffixes[] = {"", "-wal", "-shm", ".lock"};

	for (size_t i = 0; i < 4; i++) {
		char name[256];

		snprintf(name, sizeof name, "%s%s", path, suffixes[i]);
		unlink(name);
	}
}

static void test_kills(const char *folder, int kills)
{
	static struct round round;
	char path[200];
	size_t acknowledged = 0, lost = 0, started = 0;
	int torn = 0;
	int64_t slowest_us = 0;

	snprintf(path, sizeof path, "%s/db", folder);
	for (int kill_number = 0; kill_number < kills; kill_number++) {
		if (kill_number % KILLS_PER_DATABASE == 0)
			remove_database(path);
		size_t lost_before = lost;
		int torn_before = torn;
		bool ok = run_and_kill(path, (unsigned)kill_number * 100000, &round);
		int64_t begin_us = clock_monotonic_us();
		struct store *store = open_at(path);
		int64_t ready_us = clock_monotonic_us() - begin_us;

		ok = check(store != NULL, "open after a kill", kill_number) && ok;
		ok = check(ready_us < READY_LIMIT_US, "slow to be ready", ready_us) && ok;
		ok = ok && add_suppliers(store) && survived(store, &round, &lost, &torn);
		store_close(store);
		for (size_t i = 0; i < round.count; i++)
			acknowledged += round.acknowledged[i];
		started += round.count;
		slowest_us = ready_us > slowest_us ? ready_us : slowest_us;
		count(ok && lost == lost_before && torn == torn_before);
	}
	printf("%d kills: %zu uploads started, %zu acknowledged, %zu lost, %d torn; ready again "
	       "within %" PRId64 " ms\n",
	       kills, started, acknowledged, lost, torn, slowest_us / 1000);
}

/* --- A layer in which the n-th call fails --------------------------------------------------- */

static atomic_int calls_until_failure; /* 0 = none fails; 1 = the next one does */
static atomic_bool call_failed;
static int failure_code;
static bool failure_lasts;

/* Called before each of these calls; NULL = nothing to do. */
static void (*before_call)(void);

static void fail_call(int n)
{
	atomic_store(&call_failed, false);
	atomic_store(&calls_until_failure, n);
}

static bool fails_now(void)
{
	int left = atomic_load(&calls_until_failure);

	if (before_call != NULL)
		before_call();
	if (left != 1) {
		if (left > 1)
			atomic_store(&calls_until_failure, left - 1);
		return false;
	}
	atomic_store(&call_failed, true);
	if (!failure_lasts)
		atomic_store(&calls_until_failure, 0);
	return true;
}

struct layer_file {
	sqlite3_file base;
	sqlite3_file *real; /* behind this struct */
	const char *name;
};

static void note_synced(const char *name);

#define REAL(file) (((struct layer_file *)(file))->real)

static int layer_close(sqlite3_file *file)
{
	return REAL(file)->pMethods->xClose(REAL(file));
}
static int layer_read(sqlite3_file *file, void *to, int size, sqlite3_int64 at)
{
	return REAL(file)->pMethods->xRead(REAL(file), to, size, at);
}
static int layer_write(sqlite3_file *file, const void *from, int size, sqlite3_int64 at)
{
	if (fails_now()) { /* half of it gets there */
		REAL(file)->pMethods->xWrite(REAL(file), from, size / 2, at);
		return failure_code;
	}
	return REAL(file)->pMethods->xWrite(REAL(file), from, size, at);
}
static int layer_truncate(sqlite3_file *file, sqlite3_int64 size)
{
	return fails_now() ? SQLITE_IOERR_TRUNCATE
	                   : REAL(file)->pMethods->xTruncate(REAL(file), size);
}
static int layer_sync(sqlite3_file *file, int flags)
{
	if (fails_now())
		return SQLITE_IOERR_FSYNC;
	int code = REAL(file)->pMethods->xSync(REAL(file), flags);

	note_synced(((struct layer_file *)file)->name);
	return code;
}
static int layer_size(sqlite3_file *file, sqlite3_int64 *size)
{
	return REAL(file)->pMethods->xFileSize(REAL(file), size);
}
static int layer_lock(sqlite3_file *file, int level)
{
	return REAL(file)->pMethods->xLock(REAL(file), level);
}
static int layer_unlock(sqlite3_file *file, int level)
{
	return REAL(file)->pMethods->xUnlock(REAL(file), level);
}
static int layer_check_lock(sqlite3_file *file, int *held)
{
	return REAL(file)->pMethods->xCheckReservedLock(REAL(file), held);
}
static int layer_control(sqlite3_file *file, int operation, void *argument)
{
	return REAL(file)->pMethods->xFileControl(REAL(file), operation, argument);
}
static int layer_sector(sqlite3_file *file)
{
	return REAL(file)->pMethods->xSectorSize(REAL(file));
}
static int layer_traits(sqlite3_file *file)
{
	return REAL(file)->pMethods->xDeviceCharacteristics(REAL(file));
}
static int layer_shm_map(sqlite3_file *file, int page, int size, int extend, void volatile **map)
{
	return REAL(file)->pMethods->xShmMap(REAL(file), page, size, extend, map);
}
static int layer_shm_lock(sqlite3_file *file, int offset, int n, int flags)
{
	return REAL(file)->pMethods->xShmLock(REAL(file), offset, n, flags);
}
static void layer_shm_barrier(sqlite3_file *file)
{
	REAL(file)->pMethods->xShmBarrier(REAL(file));
}
static int layer_shm_unmap(sqlite3_file *file, int delete_it)
{
	return REAL(file)->pMethods->xShmUnmap(REAL(file), delete_it);
}

static const sqlite3_io_methods layer_methods = {
    2,
    layer_close,
    layer_read,
    layer_write,
    layer_truncate,
    layer_sync,
    layer_size,
    layer_lock,
    layer_unlock,
    layer_check_lock,
    layer_control,
    layer_sector,
    layer_traits,
    layer_shm_map,
    layer_shm_lock,
    layer_shm_barrier,
    layer_shm_unmap,
    NULL,
    NULL,
};

static sqlite3_vfs layer;
static sqlite3_vfs *below;

static int layer_open(sqlite3_vfs *vfs, sqlite3_filename name, sqlite3_file *file, int flags,
                      int *out_flags)
{
	struct layer_file *f = (struct layer_file *)file;

	(void)vfs;
	f->real = (sqlite3_file *)(f + 1);
	f->name = name;
	int code = below->xOpen(below, name, f->real, flags, out_flags);

	f->base.pMethods = f->real->pMethods == NULL ? NULL : &layer_methods;
	return code;
}

static void layer_install(void)
{
	below = sqlite3_vfs_find(NULL);
	layer = *below;
	layer.zName = "faults";
	layer.szOsFile = (int)sizeof(struct layer_file) + below->szOsFile;
	layer.xOpen = layer_open;
	sqlite3_vfs_register(&layer, 1);
}

/* One upload, and the checkpoint at the end, with the N-th call failing. */
static bool fail_nth(const char *path, int n)
{
	unsigned tokens[2] = {7, 8 + (unsigned)n};
	int copies[2];
	bool made;

	remove_database(path);
	fail_call(0);
	struct store *store = open_at(path);
	bool ok =
	    store != NULL && add_suppliers(store) && upload(store, 0, tokens[0], &made) == STORE_OK;

	fail_call(ok ? n : 0);
	enum store_result result = ok ? upload(store, 0, tokens[1], &made) : STORE_FAILED;

	ok = check(copies_of(store, tokens, 2, copies) == 0, "torn beside the failure", n) && ok;
	ok = check(!made || copies[1] == 1, "acknowledged but not there", n) && ok;
	ok = check(result == STORE_OK || copies[1] == 0, "refused but there", n) && ok;
	store_close(store);
	bool failed_once = atomic_load(&call_failed);

	fail_call(0);
	atomic_store(&call_failed, failed_once);
	store = open_at(path);
	ok = check(store != NULL, "open after a failure", n) && ok;
	if (store == NULL)
		return false;
	ok = check(copies_of(store, tokens, 2, copies) == 0, "torn after the failure", n) && ok;
	ok = check(copies[0] == 1 && copies[1] == made, "lost or half there", n) && ok;
	ok = check(upload(store, 0, tokens[1], &made) == STORE_OK, "does not heal", n) && ok;
	copies_of(store, tokens, 2, copies);
	ok = check(copies[1] == 1, "not there exactly once", copies[1]) && verifies(store) && ok;
	store_close(store);
	return ok;
}

static void test_failing_calls(const char *folder)
{
	static const struct {
		int code;
		bool lasts;
		const char *name;
	} kinds[] = {{SQLITE_IOERR_WRITE, false, "one failing call"},
	             {SQLITE_IOERR_WRITE, true, "all calls failing from one on"},
	             {SQLITE_FULL, false, "one full disk"}};
	char path[200];

	snprintf(path, sizeof path, "%s/db", folder);
	for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
		int n = 0;

		failure_code = kinds[k].code;
		failure_lasts = kinds[k].lasts;
		do
			count(fail_nth(path, ++n));
		while (atomic_load(&call_failed));
		printf("%s: at each of the %d writes, syncs and truncations of an upload and "
		       "the checkpoint\n",
		       kinds[k].name, n - 1);
	}
}

/* --- Power cuts --------------------------------------------------------------------------- */

#define SECTOR ((size_t)512)
#define PATTERNS 10
#define CUT_UPLOADS 3

struct content {
	unsigned char *bytes;
	size_t size;
};

/* What is being cut, for before_call(), which gets no argument. */
static struct {
	char path[2][200];         /* database and WAL */
	char copy[2][200];         /* the same as after the cut */
	struct content durable[2]; /* as last synced */
	unsigned tokens[CUT_UPLOADS];
	int acknowledged; /* uploads so far */
	int points;
	bool ok;
} cut;

static struct content read_file(const char *path)
{
	struct content content = {0};
	int fd = open(path, O_RDONLY);
	off_t size = fd < 0 ? 0 : lseek(fd, 0, SEEK_END);

	content.bytes = malloc((size_t)size + 1);
	if (fd >= 0 && content.bytes != NULL && pread(fd, content.bytes, (size_t)size, 0) == size)
		content.size = (size_t)size;
	if (fd >= 0)
		close(fd);
	return content;
}

static void note_synced(const char *name)
{
	for (int i = 0; before_call != NULL && i < 2; i++)
		if (strcmp(name, cut.path[i]) == 0) {
			free(cut.durable[i].bytes);
			cut.durable[i] = read_file(name);
		}
}

/* Pattern 0: nothing unsynced got there; 1: all of it; others: each sector or not, by chance. */
static bool write_mixed(int which, int pattern)
{
	struct content now = read_file(cut.path[which]);
	const struct content *old = &cut.durable[which];
	bool new_size = pattern == 1 || (pattern > 1 && rand() % 2 == 0);
	size_t size = new_size ? now.size : old->size;
	int fd = open(cut.copy[which], O_WRONLY | O_CREAT | O_TRUNC, 0600);
	bool ok = fd >= 0;

	for (size_t at = 0; ok && at < size; at += SECTOR) {
		bool fresh = pattern == 1 || (pattern > 1 && rand() % 2 == 0);
		const struct content *from =
		    (fresh && at < now.size) || at >= old->size ? &now : old;
		size_t end = at + SECTOR < size ? at + SECTOR : size;

		end = end < from->size ? end : from->size;
		ok = end <= at ||
		     pwrite(fd, from->bytes + at, end - at, (off_t)at) == (ssize_t)(end - at);
	}
	ok = ok && ftruncate(fd, (off_t)size) == 0;
	close(fd);
	free(now.bytes);
	return ok;
}

static bool survives_cut(int pattern)
{
	int copies[CUT_UPLOADS];
	bool ok = true;

	remove_database(cut.copy[0]);
	for (int i = 0; i < 2; i++)
		ok = check(write_mixed(i, pattern), "copy for a cut", errno) && ok;
	struct store *store = open_at(cut.copy[0]);

	if (!check(store != NULL, "open after a cut", cut.points))
		return false;
	ok = check(copies_of(store, cut.tokens, CUT_UPLOADS, copies) == 0, "torn by a cut",
	           cut.points) &&
	     ok;
	for (int i = 0; i < CUT_UPLOADS; i++)
		ok = check(copies[i] <= 1 && (i >= cut.acknowledged || copies[i] == 1),
		           "lost by a cut", cut.points) &&
		     ok;
	ok = verifies(store) && ok;
	store_close(store);
	return ok;
}

static void cut_here(void)
{
	void (*again)(void) = before_call;

	before_call = NULL; /* the copies are opened through the same layer */
	cut.points++;
	for (int pattern = 0; pattern < PATTERNS; pattern++)
		cut.ok = survives_cut(pattern) && cut.ok;
	before_call = again;
}

static void test_power_cuts(const char *folder)
{
	static const char *const suffixes[] = {"", "-wal"};
	bool made;

	for (int i = 0; i < 2; i++) {
		snprintf(cut.path[i], sizeof cut.path[i], "%s/db%s", folder, suffixes[i]);
		snprintf(cut.copy[i], sizeof cut.copy[i], "%s/cut%s", folder, suffixes[i]);
	}
	remove_database(cut.path[0]);
	struct store *store = open_at(cut.path[0]);

	cut.ok = store != NULL && add_suppliers(store);
	for (int i = 0; i < 2; i++)
		cut.durable[i] = read_file(cut.path[i]);
	before_call = cut_here;
	for (int i = 0; cut.ok && i < CUT_UPLOADS; i++) {
		cut.tokens[i] = (unsigned)i + 1;
		cut.ok = upload(store, 0, cut.tokens[i], &made) == STORE_OK && cut.ok;
		cut.acknowledged = i + 1;
	}
	store_close(store);
	before_call = NULL;
	for (int i = 0; i < 2; i++)
		free(cut.durable[i].bytes);
	printf("power cuts: at %d moments, %d patterns of what the disk kept\n", cut.points,
	       PATTERNS);
	count(cut.ok);
}

/* --- Full disk ---------------------------------------------------------------------------- */

static bool fill_with(const char *path, size_t size)
{
	static char block[65536];
	int fd = open(path, O_WRONLY | O_CREAT, 0600);
	bool ok = fd >= 0;

	for (size_t done = 0; ok && done < size; done += sizeof block)
		ok = write(fd, block, sizeof block) == sizeof block;
	close(fd);
	return ok;
}

static void test_full_disk(const char *small)
{
	char path[200], filler[200];
	unsigned token = 1, refused;
	enum store_result result;
	int copies = 0;
	bool made;

	snprintf(path, sizeof path, "%s/db", small);
	snprintf(filler, sizeof filler, "%s/filler", small);
	struct store *store = open_at(path);
	bool ok = store != NULL && add_suppliers(store) && fill_with(filler, 4 << 20);

	while (ok && (result = upload(store, 0, token, &made)) == STORE_OK)
		token++;
	refused = token;
	ok = check(ok && result == STORE_FULL, "full, but the answer was", result) && ok;
	for (unsigned t = 1; ok && t < refused; t++)
		ok = check(copies_of(store, &t, 1, &copies) == 0 && copies == 1, "lost when full",
		           t);
	ok = ok &&
	     check(copies_of(store, &refused, 1, &copies) == 0 && copies == 0, "half there", 0);
	unlink(filler);
	ok = ok && check(upload(store, 0, refused, &made) == STORE_OK, "does not heal", 0);
	ok =
	    ok && check(copies_of(store, &refused, 1, &copies) == 0 && copies == 1, "not there", 0);
	ok = ok && verifies(store);
	store_close(store);
	printf("full disk: refused after %u uploads, healed without opening anew\n", refused - 1);
	count(ok);
}

int main(int argc, char **argv)
{
	if (argc < 3)
		return 2;
	srand((unsigned)clock_now_us());
	log_setup(LOG_ERROR + 1, LOG_FORMAT_TEXT); /* the failures are wanted */
	test_kills(argv[1], atoi(argv[2]));
	layer_install();
	test_failing_calls(argv[1]);
	test_power_cuts(argv[1]);
	sqlite3_vfs_unregister(&layer);
	if (argc > 3 && argv[3][0] != '\0')
		test_full_disk(argv[3]);
	else
		printf("full disk: not tested, as nothing small could be mounted\n");
	printf("%d passed, %d failed\n", passed, failed);
	return failed == 0 ? 0 : 1;
}
