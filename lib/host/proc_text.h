// proc_text.h: the texts of /proc taken apart; pure functions over text that ends with a zero byte.
// Formats: proc(5) and Documentation/filesystems/proc.rst of the Linux kernel.
#ifndef MR_HOST_PROC_TEXT_H
#define MR_HOST_PROC_TEXT_H

#include "reading.h"

#include <matchrace/attributes.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Reads a decimal number at *at, spaces before it skipped, and moves *at behind it. False, *at
// unchanged, where there is none or it exceeds 64 bits.
MR_NODISCARD bool mr_proc_number(const char **at, uint64_t *number_out);

#define MR_PROC_NAME_MAX 64

// What we use of /proc/PID/stat and /proc/PID/task/TID/stat. Times are in clock ticks (sysconf
// _SC_CLK_TCK), sampled at the kernel's tick.
struct mr_proc_stat {
    char name[MR_PROC_NAME_MAX]; // the name between the outermost parentheses, cut
    char state;                  // R, S, D, Z, T …
    uint64_t minor_faults;
    uint64_t major_faults;
    uint64_t user_ticks;
    uint64_t system_ticks;
    uint64_t threads_count;
    uint64_t start_ticks;   // since boot: with the pid it names one process for good
    struct mr_reading core; // the core that it last ran on; old kernels lack it
};

// Takes a line of /proc/PID/stat apart; the name may hold spaces, parentheses and newlines. False
// where it is no such line.
MR_NODISCARD bool mr_proc_stat_parse(const char *text, struct mr_proc_stat *stat_out);

// What we use of /proc/PID/status. Memory lines are missing for kernel threads and zombies: then
// they are unavailable.
struct mr_proc_status {
    struct mr_reading peak_bytes;     // VmHWM
    struct mr_reading resident_bytes; // VmRSS = anonymous + file + shared
    struct mr_reading anon_bytes;     // RssAnon
    struct mr_reading file_bytes;     // RssFile: mapped files, that is page cache
    struct mr_reading shared_bytes;   // RssShmem
    struct mr_reading swapped_bytes;  // VmSwap
    struct mr_reading threads_count;
    struct mr_reading voluntary_switches;   // of the one thread that the file belongs to,
    struct mr_reading involuntary_switches; // not of its process
};

// Takes /proc/PID/status apart; what is missing or malformed is unavailable.
void mr_proc_status_parse(const char *text, struct mr_proc_status *status_out);

// /proc/PID/schedstat, of one thread: time on a core, time spent waiting for one, both in ns, and
// the number of time slices.
struct mr_proc_schedstat {
    uint64_t exec_ns;
    uint64_t run_delay_ns;
    uint64_t slices_count;
};

// False where the text is not three numbers.
MR_NODISCARD bool mr_proc_schedstat_parse(const char *text, struct mr_proc_schedstat *out);

// One core's line of /proc/stat, in clock ticks. `user` and `nice` contain guest time.
struct mr_core_ticks {
    unsigned core;
    uint64_t user;
    uint64_t nice;
    uint64_t system;
    uint64_t idle;
    uint64_t iowait; // idle too, while some request of this core's was out
    uint64_t irq;
    uint64_t softirq;
    struct mr_reading steal; // time that the hypervisor gave to others
};

// Takes the cpuN lines of /proc/stat apart, cores that are offline having none. Fills at most
// `capacity` of `cores` (ascending as the file is) and returns how many there are; 0 where the text
// is no such file or a line is broken.
size_t mr_core_ticks_parse(const char *text, struct mr_core_ticks *cores, size_t capacity);

// The number behind `key` at the start of a line, as in /proc/meminfo ("MemTotal:  123 kB"), where
// a unit of kB multiplies by 1024, or /proc/vmstat ("pswpin 7"); a colon behind the key is skipped.
// Unavailable where there is no such line.
struct mr_reading mr_proc_key(const char *text, const char *key);

// The word in brackets of "always [madvise] never" in `word_out`, cut at `capacity`. False where
// there is none.
MR_NODISCARD bool mr_bracketed_word(const char *text, char *word_out, size_t capacity);

// Pages of TCP buffers in the kernel, from /proc/net/sockstat: "TCP: inuse 1 … mem 207".
struct mr_reading mr_sockstat_tcp_pages(const char *text);

// One line of /proc/PID/maps that maps a file: moves *at behind it and hands out the path (not
// ended by zero), without the mark " (deleted)". False at the end.
MR_NODISCARD bool mr_maps_next_file(const char **at, const char **path_out, size_t *length_out);

// Whether a path is a library that a program loaded: its name ends with .so or .dll (the managed
// ones) or has ".so." in it.
bool mr_is_library(const char *path, size_t length);

#endif
