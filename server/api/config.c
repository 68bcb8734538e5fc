/* config.c - see config.h. */
#include "api/config.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"

enum setting {
	SETTING_LISTEN,
	SETTING_DATA,
	SETTING_TLS_CERT,
	SETTING_TLS_KEY,
	SETTING_COMPARE_PUBLIC,
	SETTING_LOG_FORMAT,
	SETTING_LOG_LEVEL,
	SETTING_REQUESTS_PER_S,
	SETTING_WORKERS,
	SETTING_CONNECTIONS,
	SETTING_CONNECTIONS_PER_ADDRESS,
	SETTING_COUNT
};

static const struct {
	const char *name;
	const char *fallback;
	const char *meaning;
} settings[SETTING_COUNT] = {
    [SETTING_LISTEN] = {"listen", "127.0.0.1:8443", "address and port, [::1]:8443 for IPv6"},
    [SETTING_DATA] = {"data", "suanjia-data", "folder of the database; made when missing"},
    [SETTING_TLS_CERT] = {"tls-cert", "",
                          "certificate chain, PEM; without it DATA/tls/cert.pem, "
                          "self-signed"},
    [SETTING_TLS_KEY] = {"tls-key", "", "its private key, PEM, readable by the owner only"},
    [SETTING_COMPARE_PUBLIC] =
	{"compare-public", "no",
         "yes: GET /compare needs no key; suppliers, too, see all prices in it"},
    [SETTING_LOG_FORMAT] = {"log-format", "json", "json or text"},
    [SETTING_LOG_LEVEL] = {"log-level", "info", "debug, info, warn or error"},
    [SETTING_REQUESTS_PER_S] = {"requests-per-s", "50",
                                "most requests a second of one key or address; 0 = no limit"},
    [SETTING_WORKERS] = {"workers", "0", "threads that serve; 0 = by the number of cores"},
    [SETTING_CONNECTIONS] = {"connections", "12000", "most connections at once"},
    [SETTING_CONNECTIONS_PER_ADDRESS] = {"connections-per-address", "512",
                                         "of them from one address; more behind a proxy"},
};

struct reading {
	struct problems *problems;
	const char *values[SETTING_COUNT];
};

static int setting_named(const char *name, size_t length)
{
	for (int i = 0; i < SETTING_COUNT; i++)
		if (strlen(settings[i].name) == length &&
		    strncmp(settings[i].name, name, length) == 0)
			return i;
	return -1;
}

static void refuse(struct reading *in, const char *where, const char *name)
{
	problem_add(in->problems, PROBLEM_ERROR, "unknown_setting",
	            (struct place){.pointer = where}, name, "there is no setting \"%s\"",
	            "没有名为“%s”的设置", name);
}

/* ---- the file ---- */

static char *trimmed(char *text)
{
	char *end = text + strlen(text);

	while (end > text && isspace((unsigned char)end[-1]))
		*--end = '\0';
	while (isspace((unsigned char)*text))
		text++;
	return text;
}

static void read_line(struct reading *in, const char *path, char *line)
{
	char *name = trimmed(line);
	char *equals = strchr(name, '=');

	if (*name == '\0' || *name == '#')
		return;
	if (equals == NULL) {
		refuse(in, path, name);
		return;
	}
	*equals = '\0';
	int setting = setting_named(trimmed(name), strlen(trimmed(name)));

	if (setting < 0)
		refuse(in, path, trimmed(name));
	else if (in->values[setting] == NULL)
		in->values[setting] = arena_strdup(in->problems->arena, trimmed(equals + 1));
}

static void read_file(struct reading *in, const char *path, bool must_exist)
{
	FILE *file = fopen(path, "r");
	char line[4096];

	if (file == NULL) {
		if (must_exist)
			problem_add(in->problems, PROBLEM_ERROR, "config_unreadable",
			            (struct place){.pointer = path}, NULL, "cannot read %s: %s",
			            "无法读取 %s：%s", path, strerror(errno));
		return;
	}
	while (fgets(line, sizeof line, file) != NULL)
		read_line(in, path, line);
	fclose(file);
}

/* ---- the environment ---- */

/* "tls-cert" + "_FILE" -> value of SUANJIA_TLS_CERT_FILE */
static const char *variable(struct arena *arena, const char *name, const char *suffix)
{
	char *full = arena_printf(arena, "SUANJIA_%s%s", name, suffix);

	for (char *c = full; *c != '\0'; c++)
		*c = *c == '-' ? '_' : (char)toupper((unsigned char)*c);
	return getenv(full);
}

static const char *first_line_of(struct reading *in, const char *path)
{
	char line[4096] = "";
	FILE *file = fopen(path, "r");

	if (file == NULL || fgets(line, sizeof line, file) == NULL)
		problem_add(in->problems, PROBLEM_ERROR, "config_unreadable",
		            (struct place){.pointer = path}, NULL, "cannot read %s", "无法读取 %s",
		            path);
	if (file != NULL)
		fclose(file);
	return arena_strdup(in->problems->arena, trimmed(line));
}

static void read_environment(struct reading *in)
{
	struct arena *arena = in->problems->arena;

	for (int i = 0; i < SETTING_COUNT; i++) {
		const char *value = variable(arena, settings[i].name, "");
		const char *file = variable(arena, settings[i].name, "_FILE");

		if (in->values[i] == NULL && file != NULL)
			in->values[i] = first_line_of(in, file);
		if (in->values[i] == NULL && value != NULL)
			in->values[i] = value;
	}
}

/* ---- the options ---- */

/* --name VALUE or --name=VALUE; returns how many arguments were taken. */
static int read_option(struct reading *in, int left, char **argv, const char **config_path)
{
	const char *name = argv[0] + 2;
	size_t length = strcspn(name, "=");
	bool inlined = name[length] == '=';
	const char *value = inlined ? name + length + 1 : left > 1 ? argv[1] : NULL;
	int setting = setting_named(name, length);

	if (setting < 0 && (length != 6 || strncmp(name, "config", 6) != 0)) {
		refuse(in, argv[0], argv[0]);
		return 1;
	}
	if (value == NULL) {
		problem_add(in->problems, PROBLEM_ERROR, "missing_value",
		            (struct place){.pointer = argv[0]}, NULL, "%s needs a value",
		            "%s 需要一个值", argv[0]);
		return 1;
	}
	if (setting < 0)
		*config_path = value;
	else
		in->values[setting] = value;
	return inlined ? 1 : 2;
}

static void read_options(struct reading *in, int argc, char **argv, const char **config_path,
                         bool *help)
{
	for (int i = 1; i < argc;) {
		if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0) {
			*help = true;
			i++;
		} else if (strncmp(argv[i], "--", 2) == 0) {
			i += read_option(in, argc - i, argv + i, config_path);
		} else {
			refuse(in, argv[i], argv[i]);
			i++;
		}
	}
}

/* ---- values ---- */

static double number(struct reading *in, enum setting setting, double most)
{
	char *end;
	double value = strtod(in->values[setting], &end);

	if (*end == '\0' && end != in->values[setting] && value >= 0 && value <= most)
		return value;
	problem_add(in->problems, PROBLEM_ERROR, "bad_setting",
	            (struct place){.pointer = settings[setting].name}, in->values[setting],
	            "%s: a number from 0 to %g is wanted", "%s：应为 0 到 %g 的数",
	            settings[setting].name, most);
	return 0;
}

static void one_of(struct reading *in, enum setting setting, const char *const *words, int count)
{
	for (int i = 0; i < count; i++)
		if (strcmp(in->values[setting], words[i]) == 0)
			return;
	problem_add(in->problems, PROBLEM_ERROR, "bad_setting",
	            (struct place){.pointer = settings[setting].name}, in->values[setting],
	            "%s: %s is wanted", "%s：应为 %s", settings[setting].name,
	            settings[setting].meaning);
}

/* "127.0.0.1:8443", "[::1]:8443", ":8443" */
static void split_listen(struct reading *in, struct config *config)
{
	const char *colon = strrchr(config->listen, ':');
	bool bracketed = config->listen[0] == '[' && colon != NULL && colon[-1] == ']';
	char *end = NULL;
	long port = colon == NULL ? -1 : strtol(colon + 1, &end, 10);

	if (colon == NULL || end == colon + 1 || *end != '\0' || port < 0 || port > 65535) {
		problem_add(in->problems, PROBLEM_ERROR, "bad_setting",
		            (struct place){.pointer = "listen"}, config->listen,
		            "listen: ADDRESS:PORT is wanted", "listen：应为 地址:端口");
		return;
	}
	size_t length = (size_t)(colon - config->listen);

	config->port = (int)port;
	config->host = length == 0 ? "0.0.0.0"
	               : bracketed
	                   ? arena_strndup(in->problems->arena, config->listen + 1, length - 2)
	                   : arena_strndup(in->problems->arena, config->listen, length);
}

static void fill(struct reading *in, struct config *config)
{
	static const char *const yes_no[] = {"yes", "no"};
	static const char *const formats[] = {"json", "text"};
	static const char *const levels[] = {"debug", "info", "warn", "error"};
	const char **values = in->values;

	for (int i = 0; i < SETTING_COUNT; i++)
		values[i] = values[i] == NULL ? settings[i].fallback : values[i];
	one_of(in, SETTING_COMPARE_PUBLIC, yes_no, 2);
	one_of(in, SETTING_LOG_FORMAT, formats, 2);
	one_of(in, SETTING_LOG_LEVEL, levels, 4);
	*config = (struct config){
	    .listen = values[SETTING_LISTEN],
	    .data = values[SETTING_DATA],
	    .tls_cert = *values[SETTING_TLS_CERT] == '\0' ? NULL : values[SETTING_TLS_CERT],
	    .tls_key = *values[SETTING_TLS_KEY] == '\0' ? NULL : values[SETTING_TLS_KEY],
	    .compare_public = strcmp(values[SETTING_COMPARE_PUBLIC], "yes") == 0,
	    .log_format = values[SETTING_LOG_FORMAT],
	    .log_level = values[SETTING_LOG_LEVEL],
	    .requests_per_s = number(in, SETTING_REQUESTS_PER_S, 1e6),
	    .workers = (int)number(in, SETTING_WORKERS, 256),
	    .connections = (int)number(in, SETTING_CONNECTIONS, 1000000),
	    .connections_per_address = (int)number(in, SETTING_CONNECTIONS_PER_ADDRESS, 1000000),
	};
	split_listen(in, config);
	if ((config->tls_cert == NULL) != (config->tls_key == NULL))
		problem_add(in->problems, PROBLEM_ERROR, "bad_setting",
		            (struct place){.pointer = "tls-cert"}, NULL,
		            "tls-cert and tls-key are given together or not at all",
		            "tls-cert 与 tls-key 要么都给，要么都不给");
}

bool config_read(int argc, char **argv, struct problems *problems, struct config *config,
                 bool *help)
{
	struct reading in = {.problems = problems};
	const char *path = getenv("SUANJIA_CONFIG");

	*help = false;
	read_options(&in, argc, argv, &path, help);
	read_environment(&in);
	read_file(&in, path == NULL ? "/etc/suanjia/suanjia.conf" : path, path != NULL);
	fill(&in, config);
	return problems->errors == 0;
}

void config_print_help(const char *command)
{
	printf("usage: suanjia %s [--SETTING VALUE...]\n\n", command);
	for (int i = 0; i < SETTING_COUNT; i++)
		printf("  --%-23s  %s%s%s%s\n", settings[i].name, settings[i].meaning,
		       *settings[i].fallback == '\0' ? "" : " [", settings[i].fallback,
		       *settings[i].fallback == '\0' ? "" : "]");
	puts("  --config                   configuration file: lines \"setting = value\" "
	     "[/etc/suanjia/suanjia.conf]\n"
	     "\nEach is also an environment variable: --tls-cert is SUANJIA_TLS_CERT, or the value "
	     "is in the\nfile that SUANJIA_TLS_CERT_FILE names. Options go before variables, those "
	     "before the file.\n"
	     "\nSIGHUP reads the certificate again. SIGTERM takes no new connection and lets "
	     "answers "
	     "end for up\nto 20 seconds; a plan that is being computed then still ends first.");
}
