// window_watch.c: see window_watch.h.
#define _GNU_SOURCE
#include "window_watch.h"

#include <base/clock.h>
#include <base/mr_assert.h>

#include <string.h>
#include <unistd.h>

void mr_window_watch_init(struct mr_window_watch *watch_out, const char *root,
                          const struct mr_cores *server, const struct mr_cores *generator)
{
    MR_ASSERT(server->count + generator->count <= MR_CORE_USE_MAX);
    memset(watch_out, 0, sizeof *watch_out);
    watch_out->root = root;
    watch_out->cores = *server;
    for (size_t i = 0; i < generator->count; i++) {
        watch_out->cores.core[watch_out->cores.count++] = generator->core[i];
    }
    watch_out->server_cores_count = server->count;
    mr_ksoftirqd_find(root, &watch_out->cores, &watch_out->kernel);
    struct mr_core_use now[MR_CORE_USE_MAX];
    mr_core_use_read(root, &watch_out->cores, &watch_out->kernel, now);
    for (size_t i = 0; i < watch_out->cores.count; i++) {
        watch_out->irq_is_measured |= mr_core_irq_is_measured(&now[i]);
    }
}

void mr_window_watch_share(struct mr_window_watch *watch, const pid_t *others, size_t count)
{
    MR_ASSERT(count <= MR_WATCHED_OTHERS_MAX);
    memcpy(watch->others, others, count * sizeof watch->others[0]);
    watch->others_count = count;
}

static struct mr_reading sum_of(struct mr_reading a, struct mr_reading b)
{
    return a.known && b.known ? mr_reading_of(a.value + b.value) : (struct mr_reading){0};
}

static struct mr_reading exec_of_others(const struct mr_window_watch *watch)
{
    struct mr_reading sum = mr_reading_of(0);
    for (size_t i = 0; i < watch->others_count; i++) {
        sum = sum_of(sum, mr_proc_exec_ns(watch->others[i]));
    }
    return sum;
}

// Our own last: reading a clock brings it up to now, and what the reading itself takes is ours.
static void read_cores(const struct mr_window_watch *watch, struct mr_window_edge *edge)
{
    for (int i = 0; i < MR_WATCHED_COUNT; i++) {
        edge->exec_ns[i] =
            watch->pid[i] == 0 ? (struct mr_reading){0} : mr_proc_exec_ns(watch->pid[i]);
    }
    edge->others_exec_ns = exec_of_others(watch);
    edge->lab_exec_ns = mr_proc_exec_ns(getpid());
    edge->at_ns = mr_clock_ns();
    mr_core_use_read(watch->root, &watch->cores, &watch->kernel, edge->cores);
}

static void read_rest(const struct mr_window_watch *watch, struct mr_window_edge *edge)
{
    for (int i = 0; i < MR_WATCHED_COUNT; i++) {
        if (watch->pid[i] == 0) {
            continue;
        }
        if (mr_proc_process_read(watch->pid[i], &edge->usage[i]) != 0) {
            edge->usage[i] = (struct mr_proc_usage){0}; // it is gone: all of it unavailable
        }
        mr_thread_table_read(watch->pid[i], &edge->threads[i]);
    }
    mr_host_counters_read(watch->root, &edge->host);
    mr_throttle_read(watch->root, &edge->throttle);
}

void mr_window_watch_begin(struct mr_window_watch *watch, pid_t server, pid_t generator)
{
    watch->pid[MR_WATCHED_SERVER] = server;
    watch->pid[MR_WATCHED_GENERATOR] = generator;
    for (int i = 0; i < MR_WATCHED_COUNT; i++) {
        watch->peak_reset[i] = watch->pid[i] != 0 && mr_proc_reset_peak(watch->pid[i]) == 0;
    }
    read_rest(watch, &watch->begin);
    read_cores(watch, &watch->begin);
}

void mr_window_watch_end(struct mr_window_watch *watch)
{
    read_cores(watch, &watch->end);
    read_rest(watch, &watch->end);
}

// A peak that lies below the files of now has them from before the reset.
static struct mr_reading peak_less_files(const struct mr_proc_status *memory)
{
    return mr_reading_since(memory->file_bytes, memory->peak_bytes);
}

static void process_use(const struct mr_window_watch *watch, enum mr_watched who,
                        struct mr_process_use *use_out)
{
    const struct mr_proc_usage *begin = &watch->begin.usage[who];
    const struct mr_proc_usage *end = &watch->end.usage[who];
    use_out->exec_ns = mr_reading_since(watch->begin.exec_ns[who], watch->end.exec_ns[who]);
    use_out->user_ns = mr_reading_since(begin->user_ns, end->user_ns);
    use_out->system_ns = mr_reading_since(begin->system_ns, end->system_ns);
    use_out->minor_faults = mr_reading_since(begin->minor_faults, end->minor_faults);
    use_out->major_faults = mr_reading_since(begin->major_faults, end->major_faults);
    use_out->peak_reset = watch->peak_reset[who];
    use_out->memory = end->memory;
    use_out->peak_own_bytes = peak_less_files(&end->memory);
    size_t cores_count = who == MR_WATCHED_SERVER ? watch->server_cores_count
                                                  : watch->cores.count - watch->server_cores_count;
    mr_threads_use_since(&watch->begin.threads[who], &watch->end.threads[who],
                         cores_count == 0 ? 1 : cores_count, &use_out->threads);
}

static void foreign_use(const struct mr_window_watch *watch, struct mr_window_use *use)
{
    bool alone = watch->pid[MR_WATCHED_GENERATOR] == 0;
    struct mr_reading own =
        sum_of(use->process[MR_WATCHED_SERVER].exec_ns,
               mr_reading_since(watch->begin.others_exec_ns, watch->end.others_exec_ns));
    const struct mr_foreign_parts parts = {
        .wall_ns = use->wall_ns,
        .cores = use->cores,
        .cores_count = use->cores_count,
        .own_ns = alone ? own : sum_of(own, use->process[MR_WATCHED_GENERATOR].exec_ns),
        .irq_is_measured = watch->irq_is_measured,
        .stat_step_ns = mr_tick_ns(),
        .tasks_step_ns = mr_kernel_tick_ns(),
    };
    mr_foreign_work_out(&parts, &use->foreign);
}

void mr_window_watch_use(const struct mr_window_watch *watch, struct mr_window_use *use_out)
{
    const struct mr_window_edge *begin = &watch->begin;
    const struct mr_window_edge *end = &watch->end;
    memset(use_out, 0, sizeof *use_out);
    use_out->wall_ns = end->at_ns - begin->at_ns;
    use_out->irq_is_measured = watch->irq_is_measured;
    use_out->lab_exec_ns = mr_reading_since(begin->lab_exec_ns, end->lab_exec_ns);
    use_out->cores_count = watch->cores.count;
    for (size_t i = 0; i < watch->cores.count; i++) {
        mr_core_use_since(&begin->cores[i], &end->cores[i], &use_out->cores[i]);
    }
    for (int i = 0; i < MR_WATCHED_COUNT; i++) {
        process_use(watch, (enum mr_watched)i, &use_out->process[i]);
    }
    foreign_use(watch, use_out);
    use_out->tcp_begin_bytes = begin->host.tcp_buffer_bytes;
    use_out->tcp_end_bytes = end->host.tcp_buffer_bytes;
    use_out->swapped_pages =
        sum_of(mr_reading_since(begin->host.swapped_in_pages, end->host.swapped_in_pages),
               mr_reading_since(begin->host.swapped_out_pages, end->host.swapped_out_pages));
    use_out->throttled_count = mr_reading_since(begin->throttle.count, end->throttle.count);
    use_out->throttled_ns = mr_reading_since(begin->throttle.ns, end->throttle.ns);
}
