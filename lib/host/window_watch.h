// window_watch.h: what a trial's two processes and their cores did between two moments, from
// outside and the same for whoever ran.
#ifndef MR_HOST_WINDOW_WATCH_H
#define MR_HOST_WINDOW_WATCH_H

#include "core_use.h"
#include "foreign.h"
#include "host_facts.h"
#include "proc.h"
#include "thread_use.h"
#include "throttle.h"

#include <base/pin.h>

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

// Whom we watch. The generator's pid is 0 where there is none: its figures are unavailable.
enum mr_watched { MR_WATCHED_SERVER, MR_WATCHED_GENERATOR, MR_WATCHED_COUNT };

// A reading of everything at one moment.
struct mr_window_edge {
    uint64_t at_ns; // when the cores were read
    struct mr_core_use cores[MR_CORE_USE_MAX];
    struct mr_reading exec_ns[MR_WATCHED_COUNT]; // read together with the cores
    struct mr_reading others_exec_ns;            // of those that mr_window_watch_share() named
    struct mr_reading lab_exec_ns;               // of the process that watches
    struct mr_proc_usage usage[MR_WATCHED_COUNT];
    struct mr_thread_table threads[MR_WATCHED_COUNT];
    struct mr_host_counters host;
    struct mr_throttle throttle;
};

#define MR_WATCHED_OTHERS_MAX 64

// Large (some 100 KiB): not for the stack.
struct mr_window_watch {
    const char *root; // before /proc and /sys, where it is not of one process: "" for this machine
    struct mr_cores cores; // the trial's: the server's, then the generator's
    size_t server_cores_count;
    struct mr_ksoftirqd kernel;
    bool irq_is_measured;
    pid_t pid[MR_WATCHED_COUNT];
    bool peak_reset[MR_WATCHED_COUNT];
    pid_t others[MR_WATCHED_OTHERS_MAX];
    size_t others_count;
    struct mr_window_edge begin;
    struct mr_window_edge end;
};

// Gets ready: looks for the kernel's threads, so that the window's edges are cheap. `root` must
// outlive the watch. MR_CORE_USE_MAX cores at most (asserted).
void mr_window_watch_init(struct mr_window_watch *watch_out, const char *root,
                          const struct mr_cores *server, const struct mr_cores *generator);

// Before the window's begin: names those that run on the trial's cores in turn with it and are not
// foreign there, MR_WATCHED_OTHERS_MAX at most (asserted).
void mr_window_watch_share(struct mr_window_watch *watch, const pid_t *others, size_t count);

// At the window's begin: sets the peaks of memory back and reads everything, the cores last.
void mr_window_watch_begin(struct mr_window_watch *watch, pid_t server, pid_t generator);

// At its end: the cores first.
void mr_window_watch_end(struct mr_window_watch *watch);

// What one process did.
struct mr_process_use {
    struct mr_reading exec_ns;   // all threads, ended ones too; exact
    struct mr_reading user_ns;   // the split is a tick sample, in steps of 10 ms
    struct mr_reading system_ns; //
    struct mr_reading minor_faults;
    struct mr_reading major_faults;
    struct mr_threads_use threads;
    bool peak_reset;              // else the peak is that since its start
    struct mr_proc_status memory; // at the end; the peak is since the begin, of the process itself
    // The peak less what of it is mapped files now: those are page cache, which the kernel keeps
    // for whoever comes next.
    struct mr_reading peak_own_bytes;
};

// What happened in the window.
struct mr_window_use {
    uint64_t wall_ns; // between the two readings of the cores
    struct mr_process_use process[MR_WATCHED_COUNT];
    size_t cores_count;
    struct mr_core_use cores[MR_CORE_USE_MAX];
    bool irq_is_measured;
    struct mr_reading lab_exec_ns;
    struct mr_foreign foreign;
    struct mr_reading tcp_begin_bytes; // in TCP buffers of our network namespace, whosever
    struct mr_reading tcp_end_bytes;
    struct mr_reading swapped_pages; // in and out, of the machine
    struct mr_reading throttled_count;
    struct mr_reading throttled_ns;
};

// Works it out; needs begin and end.
void mr_window_watch_use(const struct mr_window_watch *watch, struct mr_window_use *use_out);

#endif
