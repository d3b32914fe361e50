#ifndef TL_BASE_THREADS_H
#define TL_BASE_THREADS_H

#include "base/mem.h"

#include <pthread.h>

// Threads that work together now and then, and sleep between.  Whoever opened
// the team is one of them, number 0; signals are left to that thread.
typedef struct tl_threads tl_threads;

// A team of so many, or of fewer if the system gives no more.
tl_status tl_threads_open (tl_threads **, tl_mem *, unsigned threads);
void tl_threads_close (tl_threads *);
unsigned tl_threads_size (const tl_threads *);

// Each calls work (context, its number); returns when all have returned.
void tl_threads_run (tl_threads *, void (*work) (void *context, unsigned who),
                     void *context);

// Has the pages of a map be there up to byte `need`, and some more at once: up
// to `*ready` they are.  New memory is cleared by the system page by page,
// which takes as long as using it; by all threads it is sooner done.
void tl_threads_touch (tl_threads *, const tl_map *, size_t *ready,
                       size_t need);

// Locks what others have for a moment only: looks for a while before it sleeps,
// for to be woken takes longer than that.
void tl_lock_soon (pthread_mutex_t *);

#endif
