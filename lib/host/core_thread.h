// core_thread.h: a thread that begins its life on one core.
#ifndef MR_HOST_CORE_THREAD_H
#define MR_HOST_CORE_THREAD_H

#include <matchrace/attributes.h>

#include <pthread.h>

typedef void *mr_core_work(void *context);

// Starts `work` on `core` alone, with every signal blocked, so that handlers run in other threads.
// 0, or a negative errno (−EINVAL: no such core, or we may not run there).
MR_NODISCARD int mr_core_thread_start(pthread_t *thread_out, unsigned core, mr_core_work *work,
                                      void *context);

// Waits for its end.
void mr_core_thread_join(pthread_t thread);

#endif
