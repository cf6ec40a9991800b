// environment.c: the machine as the manifest has it, and what follows from what it lacks.
#define _GNU_SOURCE
#include "manifest.h"

#include "core_lock.h"

#include "base/cpu.h"
#include "host/cpu_quota.h"
#include "host/host_facts.h"

#include <linux/perf_event.h>
#include <math.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

// Whether this process could count retired instructions: a performance monitoring unit that we may
// use.
static bool has_counters(void)
{
    struct perf_event_attr attributes;
    memset(&attributes, 0, sizeof attributes);
    attributes.size = sizeof attributes;
    attributes.type = PERF_TYPE_HARDWARE;
    attributes.config = PERF_COUNT_HW_INSTRUCTIONS;
    attributes.exclude_kernel = 1;
    long fd = syscall(SYS_perf_event_open, &attributes, 0, -1, -1, 0);
    if (fd >= 0) {
        (void)close((int)fd);
    }
    return fd >= 0;
}

static void add_reading(yyjson_mut_doc *doc, yyjson_mut_val *object, const char *key,
                        struct mr_reading reading)
{
    if (reading.known) {
        yyjson_mut_obj_add_uint(doc, object, key, reading.value);
    } else {
        yyjson_mut_obj_add_str(doc, object, key, "unavailable");
    }
}

static void add_cores(yyjson_mut_doc *doc, yyjson_mut_val *object, const char *key,
                      const struct mr_cores *cores)
{
    char text[256];
    mr_cores_text(cores, text, sizeof text);
    yyjson_mut_obj_add_strcpy(doc, object, key, cores->count == 0 ? "none" : text);
}

static void add_lacks(const struct mr_race *race, yyjson_mut_doc *doc, yyjson_mut_val *object,
                      const struct mr_host_facts *facts)
{
    yyjson_mut_val *lacks = yyjson_mut_obj_add_arr(doc, object, "lacks");
    if (race->cores.grade == MR_GRADE_C) {
        yyjson_mut_arr_add_str(doc, lacks,
                               "a spare core: what else runs here runs on the racers' cores");
    }
    if (!has_counters()) {
        yyjson_mut_arr_add_str(doc, lacks,
                               "hardware counters: cycles and instructions cannot be told");
    }
    if (!facts->governor.known) {
        yyjson_mut_arr_add_str(doc, lacks,
                               "frequency control: the clock rate can neither be read nor fixed");
    }
    if (mr_cpu_is_virtual()) {
        yyjson_mut_arr_add_str(
            doc, lacks, "bare metal: a hypervisor may run other guests on the same cores, unseen");
    }
    if (race->beside_over_alone >= 1.3) {
        yyjson_mut_arr_add_str(doc, lacks,
                               "cores of their own for server and generator: work on one slows the "
                               "other, as hyper-threads"
                               " of one core do. Ratios are those of such a pair");
    }
    if (!race->topology.siblings_known) {
        yyjson_mut_arr_add_str(
            doc, lacks, "known hyper-threads: two cores may share one set of execution units");
    }
}

void mr_manifest_environment(const struct mr_race *race, yyjson_mut_doc *doc,
                             yyjson_mut_val *parent)
{
    yyjson_mut_val *object = yyjson_mut_obj_add_obj(doc, parent, "environment");
    struct mr_host_facts facts;
    mr_host_facts_read("", &race->cores.server, &facts);
    char grade[2] = {mr_grade_letter(race->cores.grade), '\0'};
    char model[128];
    char features[256];
    mr_cpu_model(model, sizeof model);
    mr_cpu_features_text(mr_cpu_features(), features, sizeof features);
    yyjson_mut_obj_add_strcpy(doc, object, "grade", grade);
    yyjson_mut_obj_add_strcpy(doc, object, "cpu_model", model);
    yyjson_mut_obj_add_strcpy(doc, object, "cpu_features", features);
    yyjson_mut_obj_add_uint(doc, object, "cores_usable", race->topology.count);
    add_cores(doc, object, "cores_server", &race->cores.server);
    add_cores(doc, object, "cores_generator", &race->cores.generator);
    add_cores(doc, object, "cores_spare", &race->cores.spare);
    if (mr_core_lock_is_waived()) {
        yyjson_mut_obj_add_bool(doc, object, "cores_shared_with_other_runs", true);
    }
    if (isfinite(race->beside_over_alone)) {
        yyjson_mut_obj_add_real(doc, object, "server_core_time_beside_busy_generator_core",
                                race->beside_over_alone);
    } else {
        yyjson_mut_obj_add_str(doc, object, "server_core_time_beside_busy_generator_core",
                               "unavailable");
    }
    if (race->probe.loops > 0) {
        yyjson_mut_obj_add_real(doc, object, "fixed_work_spread", race->probe.spread);
    } else {
        yyjson_mut_obj_add_str(doc, object, "fixed_work_spread", "not measured");
    }
    add_reading(doc, object, "last_level_cache_bytes", race->topology.llc_bytes);
    add_reading(doc, object, "memory_bytes", facts.memory_bytes);
    add_reading(doc, object, "swap_bytes", facts.swap_bytes);
    if (facts.quota_millicores.known && facts.quota_millicores.value == MR_QUOTA_NONE) {
        yyjson_mut_obj_add_str(doc, object, "cpu_quota_millicores", "none");
    } else {
        add_reading(doc, object, "cpu_quota_millicores", facts.quota_millicores);
    }
    yyjson_mut_obj_add_strcpy(doc, object, "kernel", facts.kernel.text);
    yyjson_mut_obj_add_strcpy(doc, object, "boot_id", facts.boot_id.text);
    yyjson_mut_obj_add_strcpy(doc, object, "huge_pages", facts.huge_pages.text);
    yyjson_mut_obj_add_strcpy(doc, object, "frequency_governor", facts.governor.text);
    yyjson_mut_obj_add_strcpy(doc, object, "clock_source", facts.clock_source.text);
    yyjson_mut_obj_add_strcpy(doc, object, "tcp_congestion_control", facts.tcp_congestion.text);
    yyjson_mut_obj_add_bool(doc, object, "virtual_machine", mr_cpu_is_virtual());
    yyjson_mut_obj_add_bool(doc, object, "hardware_counters", has_counters());
    add_lacks(race, doc, object, &facts);
}
