// thread_use.h: what each thread of a process did in a window, and how evenly they shared the work.
#ifndef MR_HOST_THREAD_USE_H
#define MR_HOST_THREAD_USE_H

#include "proc.h"

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

// Threads of one process that are told apart; of more than these only the sums are incomplete, and
// `left_out` says so.
#define MR_THREAD_USE_MAX 128

// The living threads of a process at one moment.
struct mr_thread_table {
    struct mr_proc_thread thread[MR_THREAD_USE_MAX];
    size_t count;
    size_t left_out;
    bool known; // false: they could not be read
};

// Reads the table; `known` tells whether it worked.
void mr_thread_table_read(pid_t pid, struct mr_thread_table *table_out);

// One thread in the window. `began`: not there at its begin, so that all it did counts.
struct mr_thread_use {
    pid_t tid;
    char name[MR_PROC_NAME_MAX];
    bool began;
    struct mr_reading core; // last
    struct mr_reading exec_ns;
    struct mr_reading run_delay_ns; // ready, and waiting for a core
    struct mr_reading user_ns;      // tick samples
    struct mr_reading system_ns;    //
    struct mr_reading voluntary_switches;
    struct mr_reading involuntary_switches;
};

// All that live at the window's end. What threads did that ended in it, apart from CPU time (the
// process keeps that), is lost: `ended_count` says how many they were.
struct mr_threads_use {
    bool known;
    struct mr_thread_use thread[MR_THREAD_USE_MAX]; // the busiest first
    size_t count;
    size_t left_out;
    size_t ended_count;
    struct mr_reading exec_ns; // sums
    struct mr_reading run_delay_ns;
    struct mr_reading run_delay_max_ns; // of the thread that waited longest
    struct mr_reading voluntary_switches;
    struct mr_reading involuntary_switches;
    // CPU time of the busiest thread over the mean of the n busiest, n being the smaller of threads
    // and cores: 1 is even, n means that one did it all. NAN where nothing was done or read.
    double imbalance;
};

// later − earlier, thread by thread. `cores_count` is how many could work at a time (≥ 1).
void mr_threads_use_since(const struct mr_thread_table *earlier,
                          const struct mr_thread_table *later, size_t cores_count,
                          struct mr_threads_use *use_out);

#endif
