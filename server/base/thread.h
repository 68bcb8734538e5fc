/*
 * thread.h - threads that leave the signals to the main thread.
 */
#ifndef BASE_THREAD_H
#define BASE_THREAD_H

#include <pthread.h>
#include <stdbool.h>

/*
 * Starts a thread that runs RUN(CONTEXT) with every signal blocked; join it with pthread_join().
 *
 *   Returned  thread  the new one
 *   Result    false when none could be had
 */
bool thread_start(pthread_t *thread, void *(*run)(void *), void *context);

#endif
