/* notify.c - see notify.h. */
#include "base/notify.h"

#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/clock.h"

#define FIRST_LISTEN_FD 3

static void send_state(const char *state)
{
	const char *path = getenv("NOTIFY_SOCKET");
	struct sockaddr_un address = {.sun_family = AF_UNIX};

	if (path == NULL || (path[0] != '/' && path[0] != '@') ||
	    strlen(path) >= sizeof address.sun_path)
		return;
	socklen_t length = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + strlen(path));

	memcpy(address.sun_path, path, strlen(path));
	if (path[0] == '@') /* an abstract socket */
		address.sun_path[0] = '\0';
	int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);

	if (fd < 0)
		return;
	/* systemd not listening is not a reason to fail. */
	sendto(fd, state, strlen(state), MSG_NOSIGNAL, (const struct sockaddr *)&address, length);
	close(fd);
}

void notify_ready(const char *status)
{
	char state[256];

	snprintf(state, sizeof state, "READY=1\nSTATUS=%s", status);
	send_state(state);
}

void notify_reloading(void)
{
	char state[64];

	snprintf(state, sizeof state, "RELOADING=1\nMONOTONIC_USEC=%lld",
	         (long long)clock_monotonic_us());
	send_state(state);
}

void notify_stopping(void)
{
	send_state("STOPPING=1");
}

void notify_watchdog(void)
{
	send_state("WATCHDOG=1");
}

/* The number in environment variable NAME, or -1. */
static long long environment_number(const char *name)
{
	const char *text = getenv(name);
	char *end = NULL;
	long long value = text == NULL ? -1 : strtoll(text, &end, 10);

	return end == NULL || end == text || *end != '\0' ? -1 : value;
}

int64_t notify_watchdog_us(void)
{
	long long pid = environment_number("WATCHDOG_PID");
	long long value = environment_number("WATCHDOG_USEC");

	return value > 0 && (pid == -1 || pid == getpid()) ? value : 0;
}

int notify_listen_fd(void)
{
	if (environment_number("LISTEN_PID") != getpid() || environment_number("LISTEN_FDS") < 1)
		return -1;
	fcntl(FIRST_LISTEN_FD, F_SETFD, FD_CLOEXEC);
	return FIRST_LISTEN_FD;
}
