// host_facts.h: the machine that a campaign runs on: what it is, how it is set, what its cores did.
#ifndef MR_HOST_FACTS_H
#define MR_HOST_FACTS_H

#include "proc_text.h"
#include "reading.h"

#include <matchrace/attributes.h>
#include <base/pin.h>

#include <stddef.h>

// What should not change within a campaign. `root`-read from /proc and /sys.
struct mr_host_facts {
    struct mr_reading_text kernel;     // release, as uname -r
    struct mr_reading_text boot_id;    // changes with every boot
    struct mr_reading_text huge_pages; // transparent huge pages: always, madvise or never
    struct mr_reading_text governor;   // frequency governor of the usable cores; "mixed" where they
                                       // differ
    struct mr_reading_text clock_source;
    struct mr_reading_text tcp_congestion; // what new TCP connections are controlled by
    struct mr_reading memory_bytes;        // MemTotal
    struct mr_reading available_bytes;     // MemAvailable, now
    struct mr_reading swap_bytes;          // SwapTotal
    struct mr_reading quota_millicores;    // mr_cpu_quota_read()
};

// Reads the facts; `cores` are those whose governors count. What cannot be read is unavailable.
// `root` is put before /proc and /sys: "" for this machine, a folder with a made-up tree in tests.
void mr_host_facts_read(const char *root, const struct mr_cores *cores,
                        struct mr_host_facts *facts_out);

// What the whole machine has counted since boot; take two and subtract with mr_reading_since().
struct mr_host_counters {
    uint64_t at_ns;                     // mr_clock_ns()
    struct mr_reading tcp_buffer_bytes; // now in TCP buffers of our network namespace
    struct mr_reading swapped_in_pages;
    struct mr_reading swapped_out_pages;
};

// Reads the counters; what cannot be read is unavailable.
void mr_host_counters_read(const char *root, struct mr_host_counters *counters_out);

// Reads what each core did since boot, in ticks of mr_tick_ns(). Fills at most `capacity` of
// `cores`; *count_out is how many are online. 0, or a negative errno (−EPROTO: not understood).
MR_NODISCARD int mr_core_ticks_read(const char *root, struct mr_core_ticks *cores, size_t capacity,
                                    size_t *count_out);

// The frequency that a core runs at now in kHz, where the kernel tells.
struct mr_reading mr_core_frequency_khz(const char *root, unsigned core);

#endif
