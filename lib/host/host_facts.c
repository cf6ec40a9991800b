// host_facts.c: see host_facts.h.
#define _GNU_SOURCE
#include "host_facts.h"

#include "cpu_quota.h"
#include "slurp.h"

#include <base/clock.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct mr_reading_text read_huge_pages(const char *root)
{
    char *text;
    char word[MR_READING_TEXT_MAX];
    int result = mr_slurp(&text, "%s/sys/kernel/mm/transparent_hugepage/enabled", root);
    bool known = result == 0 && mr_bracketed_word(text, word, sizeof word);
    free(text);
    return mr_reading_text_of(known ? word : NULL);
}

static struct mr_reading_text read_governor(const char *root, const struct mr_cores *cores)
{
    struct mr_reading_text common = mr_reading_text_of(NULL);
    for (size_t i = 0; i < cores->count; i++) {
        struct mr_reading_text one = mr_slurp_line(
            "%s/sys/devices/system/cpu/cpu%u/cpufreq/scaling_governor", root, cores->core[i]);
        if (!one.known) {
            return one;
        }
        if (i > 0 && strcmp(one.text, common.text) != 0) {
            return mr_reading_text_of("mixed");
        }
        common = one;
    }
    return common;
}

void mr_host_facts_read(const char *root, const struct mr_cores *cores,
                        struct mr_host_facts *facts_out)
{
    *facts_out = (struct mr_host_facts){
        .kernel = mr_slurp_line("%s/proc/sys/kernel/osrelease", root),
        .boot_id = mr_slurp_line("%s/proc/sys/kernel/random/boot_id", root),
        .huge_pages = read_huge_pages(root),
        .governor = read_governor(root, cores),
        .clock_source = mr_slurp_line(
            "%s/sys/devices/system/clocksource/clocksource0/current_clocksource", root),
        .tcp_congestion = mr_slurp_line("%s/proc/sys/net/ipv4/tcp_congestion_control", root),
        .quota_millicores = mr_cpu_quota_read(root),
    };
    char *text;
    if (mr_slurp(&text, "%s/proc/meminfo", root) == 0) {
        facts_out->memory_bytes = mr_proc_key(text, "MemTotal");
        facts_out->available_bytes = mr_proc_key(text, "MemAvailable");
        facts_out->swap_bytes = mr_proc_key(text, "SwapTotal");
    }
    free(text);
}

static struct mr_reading tcp_buffer_bytes(const char *root)
{
    char *text;
    struct mr_reading pages = {0};
    if (mr_slurp(&text, "%s/proc/net/sockstat", root) == 0) {
        pages = mr_sockstat_tcp_pages(text);
    }
    free(text);
    long page_bytes = sysconf(_SC_PAGESIZE);
    if (!pages.known || page_bytes <= 0) {
        return (struct mr_reading){0};
    }
    return mr_reading_of(pages.value * (uint64_t)page_bytes);
}

void mr_host_counters_read(const char *root, struct mr_host_counters *counters_out)
{
    *counters_out = (struct mr_host_counters){.at_ns = mr_clock_ns(),
                                              .tcp_buffer_bytes = tcp_buffer_bytes(root)};
    char *text;
    if (mr_slurp(&text, "%s/proc/vmstat", root) == 0) {
        counters_out->swapped_in_pages = mr_proc_key(text, "pswpin");
        counters_out->swapped_out_pages = mr_proc_key(text, "pswpout");
    }
    free(text);
}

int mr_core_ticks_read(const char *root, struct mr_core_ticks *cores, size_t capacity,
                       size_t *count_out)
{
    char *text;
    *count_out = 0;
    int result = mr_slurp(&text, "%s/proc/stat", root);
    if (result == 0) {
        *count_out = mr_core_ticks_parse(text, cores, capacity);
        result = *count_out == 0 ? -EPROTO : 0;
    }
    free(text);
    return result;
}

struct mr_reading mr_core_frequency_khz(const char *root, unsigned core)
{
    return mr_slurp_number("%s/sys/devices/system/cpu/cpu%u/cpufreq/scaling_cur_freq", root, core);
}
