/* thread.c - see thread.h. */
#include "base/thread.h"

#include <signal.h>

bool thread_start(pthread_t *thread, void *(*run)(void *), void *context)
{
	sigset_t all;
	sigset_t before;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	bool started = pthread_create(thread, NULL, run, context) == 0;

	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return started;
}
