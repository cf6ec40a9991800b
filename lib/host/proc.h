// proc.h: what a process used, read from outside and the same for every contestant.
#ifndef MR_HOST_PROC_H
#define MR_HOST_PROC_H

#include "proc_text.h"
#include "reading.h"

#include <matchrace/attributes.h>

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

// A snapshot of one process. Counters grow from its start: take two and subtract with
// mr_reading_since(). Whatever the kernel does not tell is unavailable.
struct mr_proc_usage {
    uint64_t at_ns;              // mr_clock_ns() when the reading began
    struct mr_reading exec_ns;   // CPU time of all threads, ended ones included, exact to ns: its
                                 // process clock
    struct mr_reading user_ns;   // of that, by tick samples: the split is a
    struct mr_reading system_ns; // sample, in steps of 10 ms
    struct mr_reading threads_exec_ns;        // CPU time of the threads that live (schedstat)
    struct mr_reading busiest_thread_exec_ns; // of the one among them that used most
    struct mr_reading run_delay_ns;           // time that living threads waited for a core
    struct mr_reading voluntary_switches;     // of living threads
    struct mr_reading involuntary_switches;   //
    struct mr_reading minor_faults;           // of all threads, ended ones included
    struct mr_reading major_faults;           //
    struct mr_reading threads_count;
    struct mr_reading start_ticks; // since boot: with the pid it names one process for good
    struct mr_proc_status memory;  // its memory fields; of the whole process
};

// Reads the snapshot. 0; −ESRCH: no such process (a zombie still is one, without memory).
// Allocates and opens about four files and three for each thread: not for the inside of a loop that
// is timed.
MR_NODISCARD int mr_proc_usage_read(pid_t pid, struct mr_proc_usage *usage_out);

// The same without the sums over living threads, which stay unavailable: about three files.
MR_NODISCARD int mr_proc_process_read(pid_t pid, struct mr_proc_usage *usage_out);

// CPU time of all threads of a process, ended ones included, exact to ns: its process clock.
struct mr_reading mr_proc_exec_ns(pid_t pid);

// How long the first thread of a process has waited for a core while it could have run, since its
// start: one small file.
struct mr_reading mr_proc_run_delay_ns(pid_t pid);

// One thread. Times as above.
struct mr_proc_thread {
    pid_t tid;
    char name[MR_PROC_NAME_MAX];
    struct mr_reading exec_ns;
    struct mr_reading run_delay_ns;
    struct mr_reading user_ns;
    struct mr_reading system_ns;
    struct mr_reading voluntary_switches;
    struct mr_reading involuntary_switches;
    struct mr_reading core; // that it last ran on
};

// Reads the living threads, ascending by number as the kernel lists them. Fills at most `capacity`
// of `threads`; *count_out is how many there are. 0, or −ESRCH.
MR_NODISCARD int mr_proc_threads_read(pid_t pid, struct mr_proc_thread *threads, size_t capacity,
                                      size_t *count_out);

// Sets the peak of resident memory (VmHWM) back to what is resident now. 0, or a negative errno
// (−ESRCH: no such process; −EACCES: not ours; −EINVAL: a kernel before 4.0).
MR_NODISCARD int mr_proc_reset_peak(pid_t pid);

// Length of the kernel's tick sample as /proc shows it, in ns (10 ms nearly everywhere): the step
// of every figure that comes from ticks.
uint64_t mr_tick_ns(void);

#endif
