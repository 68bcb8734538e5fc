/* test_notify.c - what systemd is told, and what it tells. */
#include "tests/unit/unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/notify.h"

/* A socket as systemd's, named in NOTIFY_SOCKET; abstract, so nothing lies on disk. */
static int listen_for_states(void)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	char name[64];

	int length = snprintf(name, sizeof name, "@suanjia-test-%d", (int)getpid());

	memcpy(address.sun_path + 1, name + 1, (size_t)length - 1);
	int fd = socket(AF_UNIX, SOCK_DGRAM, 0);

	assert_int_equal(bind(fd, (const struct sockaddr *)&address,
	                      (socklen_t)(offsetof(struct sockaddr_un, sun_path) + (size_t)length)),
	                 0);
	setenv("NOTIFY_SOCKET", name, 1);
	return fd;
}

static const char *next_state(int fd, char text[static 256])
{
	ssize_t got = recv(fd, text, 255, MSG_DONTWAIT);

	text[got > 0 ? got : 0] = '\0';
	return text;
}

static void states_are_sent_in_systemds_words(void **state)
{
	char text[256];
	int fd = listen_for_states();

	(void)state;
	notify_ready("serving");
	assert_string_equal(next_state(fd, text), "READY=1\nSTATUS=serving");
	notify_reloading();
	assert_memory_equal(next_state(fd, text), "RELOADING=1\nMONOTONIC_USEC=", 27);
	notify_watchdog();
	assert_string_equal(next_state(fd, text), "WATCHDOG=1");
	notify_stopping();
	assert_string_equal(next_state(fd, text), "STOPPING=1");
	close(fd);
	notify_ready("nobody listens any more");
	unsetenv("NOTIFY_SOCKET");
	notify_ready("without systemd");
}

static void the_watchdog_counts_only_for_this_process(void **state)
{
	char pid[16];

	(void)state;
	snprintf(pid, sizeof pid, "%d", (int)getpid());
	unsetenv("WATCHDOG_USEC");
	assert_true(notify_watchdog_us() == 0);
	setenv("WATCHDOG_USEC", "30000000", 1);
	assert_true(notify_watchdog_us() == 30000000);
	setenv("WATCHDOG_PID", pid, 1);
	assert_true(notify_watchdog_us() == 30000000);
	setenv("WATCHDOG_PID", "1", 1);
	assert_true(notify_watchdog_us() == 0);
	unsetenv("WATCHDOG_PID");
	setenv("WATCHDOG_USEC", "soon", 1);
	assert_true(notify_watchdog_us() == 0);
	unsetenv("WATCHDOG_USEC");
}

static void a_socket_is_inherited_only_when_it_is_meant_for_this_process(void **state)
{
	char pid[16];

	(void)state;
	snprintf(pid, sizeof pid, "%d", (int)getpid());
	assert_int_equal(notify_listen_fd(), -1);
	setenv("LISTEN_FDS", "1", 1);
	assert_int_equal(notify_listen_fd(), -1);
	setenv("LISTEN_PID", "1", 1);
	assert_int_equal(notify_listen_fd(), -1);
	setenv("LISTEN_PID", pid, 1);
	assert_int_equal(notify_listen_fd(), 3);
	setenv("LISTEN_FDS", "0", 1);
	assert_int_equal(notify_listen_fd(), -1);
	unsetenv("LISTEN_PID");
	unsetenv("LISTEN_FDS");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(states_are_sent_in_systemds_words),
	    cmocka_unit_test(the_watchdog_counts_only_for_this_process),
	    cmocka_unit_test(a_socket_is_inherited_only_when_it_is_meant_for_this_process),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
