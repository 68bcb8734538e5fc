/*
 * notify.h - the part of systemd's protocol that a service needs (sd_notify(3), sd_listen_fds(3)).
 *
 * Without systemd (no NOTIFY_SOCKET) every function does nothing.
 */
#ifndef BASE_NOTIFY_H
#define BASE_NOTIFY_H

#include <stdint.h>

/* The service serves; STATUS is what `systemctl status` shows. */
void notify_ready(const char *status);

/* A reload begins; notify_ready() ends it. */
void notify_reloading(void);

/* The service is draining. */
void notify_stopping(void);

/* The service is alive. To be called at least every notify_watchdog_us() / 2. */
void notify_watchdog(void);

/* How long the service may stay silent, in microseconds; 0 = nobody watches. */
int64_t notify_watchdog_us(void);

/* The first socket that systemd listens on for this process (LISTEN_FDS), or -1. */
int notify_listen_fd(void);

#endif
