// timed_calls.c: preloaded into a program, counts what its threads call that may wait or allocate.
//
// Every thread but the first is watched from its first instruction to its return. At the end the
// counts go to the file that MR_TIMED_CALLS names, as JSON: allocations and frees, locks (mutexes,
// read-write locks, spinlocks, conditions, semaphores), and how many threads were watched; and the
// first thread's allocations, which show that the counting works. For glibc.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

// glibc's own names of its allocator.
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *block, size_t size);
void *__libc_memalign(size_t alignment, size_t size);
void __libc_free(void *block);

static _Thread_local bool watched;
static atomic_ulong threads;
static atomic_ulong allocations;
static atomic_ulong frees;
static atomic_ulong locks;
static atomic_ulong first_allocations;

static void note_allocation(void)
{
    atomic_fetch_add(watched ? &allocations : &first_allocations, 1);
}

static void note_lock(void)
{
    if (watched) {
        atomic_fetch_add(&locks, 1);
    }
}

void *malloc(size_t size)
{
    note_allocation();
    return __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
    note_allocation();
    return __libc_calloc(count, size);
}

void *realloc(void *block, size_t size)
{
    note_allocation();
    return __libc_realloc(block, size);
}

void *aligned_alloc(size_t alignment, size_t size)
{
    note_allocation();
    return __libc_memalign(alignment, size);
}

void free(void *block)
{
    if (watched && block != NULL) {
        atomic_fetch_add(&frees, 1);
    }
    __libc_free(block);
}

struct start {
    void *(*routine)(void *);
    void *argument;
};

static void *watch(void *argument)
{
    struct start start = *(struct start *)argument;
    __libc_free(argument);
    atomic_fetch_add(&threads, 1);
    watched = true;
    void *result = start.routine(start.argument);
    watched = false;
    return result;
}

// The next definition of `name`, which must be there.
static void *real(const char *name)
{
    void *found = dlsym(RTLD_NEXT, name);
    if (found == NULL) {
        abort();
    }
    return found;
}

// Casts between object and function pointers are POSIX's, not C's: through a union.
#define REAL(type, name)                                                                           \
    static union {                                                                                 \
        void *object;                                                                              \
        type call;                                                                                 \
    } next;                                                                                        \
    if (next.object == NULL) {                                                                     \
        next.object = real(name);                                                                  \
    }

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*routine)(void *),
                   void *argument)
{
    typedef int (*create)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
    REAL(create, "pthread_create")
    struct start *start = __libc_malloc(sizeof *start);
    if (start == NULL) {
        abort();
    }
    *start = (struct start){.routine = routine, .argument = argument};
    return next.call(thread, attributes, watch, start);
}

#define LOCK(name, object)                                                                         \
    int name(object *what)                                                                         \
    {                                                                                              \
        typedef int (*lock)(object *);                                                             \
        REAL(lock, #name)                                                                          \
        note_lock();                                                                               \
        return next.call(what);                                                                    \
    }

LOCK(pthread_mutex_lock, pthread_mutex_t)
LOCK(pthread_mutex_trylock, pthread_mutex_t)
LOCK(pthread_rwlock_rdlock, pthread_rwlock_t)
LOCK(pthread_rwlock_wrlock, pthread_rwlock_t)
LOCK(pthread_cond_signal, pthread_cond_t)
LOCK(pthread_cond_broadcast, pthread_cond_t)
LOCK(sem_wait, sem_t)
LOCK(sem_post, sem_t)

int pthread_spin_lock(pthread_spinlock_t *what)
{
    typedef int (*lock)(pthread_spinlock_t *);
    REAL(lock, "pthread_spin_lock")
    note_lock();
    return next.call(what);
}

__attribute__((destructor)) static void report(void)
{
    const char *path = getenv("MR_TIMED_CALLS");
    FILE *file = path == NULL ? NULL : fopen(path, "we");
    if (file == NULL) {
        return;
    }
    (void)fprintf(file,
                  "{\"threads\": %lu, \"allocations\": %lu, \"frees\": %lu, \"locks\": %lu, "
                  "\"first_allocations\": %lu}\n",
                  atomic_load(&threads), atomic_load(&allocations), atomic_load(&frees),
                  atomic_load(&locks), atomic_load(&first_allocations));
    (void)fclose(file);
}
