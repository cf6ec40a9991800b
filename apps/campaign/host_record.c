// host_record.c: see host_record.h.
#include "host_record.h"

#include "host/proc.h"

#include <math.h>

void mr_record_reading(yyjson_mut_doc *doc, yyjson_mut_val *object, const char *key,
                       struct mr_reading reading)
{
    if (reading.known) {
        yyjson_mut_obj_add_uint(doc, object, key, reading.value);
    } else {
        yyjson_mut_obj_add_null(doc, object, key);
    }
}

void mr_record_number(yyjson_mut_doc *doc, yyjson_mut_val *object, const char *key, double number)
{
    if (isfinite(number)) {
        yyjson_mut_obj_add_real(doc, object, key, number);
    } else {
        yyjson_mut_obj_add_null(doc, object, key);
    }
}

// One table of names for all figures of a kind: a figure is written in one way only.
struct figure {
    const char *key;
    struct mr_reading reading;
};

static void add_figures(yyjson_mut_doc *doc, yyjson_mut_val *object, const struct figure *figures,
                        size_t count)
{
    for (size_t i = 0; i < count; i++) {
        mr_record_reading(doc, object, figures[i].key, figures[i].reading);
    }
}

static void add_memory(yyjson_mut_doc *doc, yyjson_mut_val *process,
                       const struct mr_process_use *use)
{
    yyjson_mut_val *object = yyjson_mut_obj_add_obj(doc, process, "memory");
    const struct figure figures[] = {
        {"peak_bytes", use->memory.peak_bytes},
        {"peak_without_files_bytes", use->peak_own_bytes},
        {"resident_bytes", use->memory.resident_bytes},
        {"anonymous_bytes", use->memory.anon_bytes},
        {"file_bytes", use->memory.file_bytes},
        {"shared_bytes", use->memory.shared_bytes},
        {"swapped_bytes", use->memory.swapped_bytes},
    };
    yyjson_mut_obj_add_bool(doc, object, "peak_reset_at_window_start", use->peak_reset);
    add_figures(doc, object, figures, sizeof figures / sizeof figures[0]);
}

static void add_thread(yyjson_mut_doc *doc, yyjson_mut_val *threads,
                       const struct mr_thread_use *use)
{
    yyjson_mut_val *object = yyjson_mut_arr_add_obj(doc, threads);
    const struct figure figures[] = {
        {"core", use->core},
        {"exec_ns", use->exec_ns},
        {"user_ns", use->user_ns},
        {"system_ns", use->system_ns},
        {"run_delay_ns", use->run_delay_ns},
        {"voluntary_switches", use->voluntary_switches},
        {"involuntary_switches", use->involuntary_switches},
    };
    yyjson_mut_obj_add_int(doc, object, "tid", use->tid);
    yyjson_mut_obj_add_strcpy(doc, object, "name", use->name);
    yyjson_mut_obj_add_bool(doc, object, "began_in_window", use->began);
    add_figures(doc, object, figures, sizeof figures / sizeof figures[0]);
}

static void add_threads(yyjson_mut_doc *doc, yyjson_mut_val *process,
                        const struct mr_threads_use *use)
{
    const struct figure figures[] = {
        {"run_delay_ns", use->run_delay_ns},
        {"run_delay_longest_thread_ns", use->run_delay_max_ns},
        {"voluntary_switches", use->voluntary_switches},
        {"involuntary_switches", use->involuntary_switches},
        {"living_threads_exec_ns", use->exec_ns},
    };
    add_figures(doc, process, figures, sizeof figures / sizeof figures[0]);
    mr_record_number(doc, process, "threads_imbalance", use->imbalance);
    if (!use->known) {
        yyjson_mut_obj_add_null(doc, process, "threads");
        return;
    }
    yyjson_mut_obj_add_uint(doc, process, "threads_ended", use->ended_count);
    yyjson_mut_obj_add_uint(doc, process, "threads_left_out", use->left_out);
    yyjson_mut_val *threads = yyjson_mut_obj_add_arr(doc, process, "threads");
    for (size_t i = 0; i < use->count; i++) {
        add_thread(doc, threads, &use->thread[i]);
    }
}

static void add_process(yyjson_mut_doc *doc, yyjson_mut_val *object, const char *key,
                        const struct mr_process_use *use)
{
    yyjson_mut_val *process = yyjson_mut_obj_add_obj(doc, object, key);
    const struct figure figures[] = {
        {"exec_ns", use->exec_ns},           {"user_ns", use->user_ns},
        {"system_ns", use->system_ns},       {"minor_faults", use->minor_faults},
        {"major_faults", use->major_faults},
    };
    add_figures(doc, process, figures, sizeof figures / sizeof figures[0]);
    add_memory(doc, process, use);
    add_threads(doc, process, &use->threads);
}

static void add_core(yyjson_mut_doc *doc, yyjson_mut_val *cores, const struct mr_core_use *use)
{
    yyjson_mut_val *object = yyjson_mut_arr_add_obj(doc, cores);
    const struct figure figures[] = {
        {"user_ns", use->user_ns},
        {"system_ns", use->system_ns},
        {"idle_ns", use->idle_ns},
        {"irq_ns", use->irq_ns},
        {"softirq_ns", use->softirq_ns},
        {"steal_ns", use->steal_ns},
        {"tasks_ns", use->tasks_ns},
        {"ksoftirqd_ns", use->ksoftirqd_ns},
        {"frequency_khz", use->frequency_khz},
    };
    yyjson_mut_obj_add_uint(doc, object, "core", use->core);
    add_figures(doc, object, figures, sizeof figures / sizeof figures[0]);
}

static void add_foreign(yyjson_mut_doc *doc, yyjson_mut_val *object,
                        const struct mr_foreign *foreign)
{
    yyjson_mut_val *value = yyjson_mut_obj_add_obj(doc, object, "foreign");
    yyjson_mut_obj_add_str(doc, value, "source", mr_foreign_source_name(foreign->source));
    mr_record_number(doc, value, "ns", foreign->ns);
    mr_record_number(doc, value, "ns_before_clamping", foreign->signed_ns);
    mr_record_number(doc, value, "network_ns", foreign->network_ns);
    mr_record_number(doc, value, "share", foreign->share);
    mr_record_number(doc, value, "step_share", foreign->step_share);
}

void mr_record_window(yyjson_mut_doc *doc, yyjson_mut_val *object, const struct mr_window_use *use)
{
    const struct figure figures[] = {
        {"lab_exec_ns", use->lab_exec_ns},
        {"tcp_buffers_begin_bytes", use->tcp_begin_bytes},
        {"tcp_buffers_end_bytes", use->tcp_end_bytes},
        {"swapped_pages", use->swapped_pages},
        {"throttled_count", use->throttled_count},
        {"throttled_ns", use->throttled_ns},
    };
    yyjson_mut_obj_add_uint(doc, object, "wall_ns", use->wall_ns);
    yyjson_mut_obj_add_uint(doc, object, "tick_sample_ns", mr_tick_ns());
    yyjson_mut_obj_add_bool(doc, object, "interrupts_are_measured", use->irq_is_measured);
    add_figures(doc, object, figures, sizeof figures / sizeof figures[0]);
    add_foreign(doc, object, &use->foreign);
    add_process(doc, object, "server", &use->process[MR_WATCHED_SERVER]);
    add_process(doc, object, "generator", &use->process[MR_WATCHED_GENERATOR]);
    yyjson_mut_val *cores = yyjson_mut_obj_add_arr(doc, object, "cores");
    for (size_t i = 0; i < use->cores_count; i++) {
        add_core(doc, cores, &use->cores[i]);
    }
}
