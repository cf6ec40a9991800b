// thread_use.c: see thread_use.h.
#include "thread_use.h"

#include <base/mr_assert.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

void mr_thread_table_read(pid_t pid, struct mr_thread_table *table_out)
{
    size_t count = 0;
    table_out->known = mr_proc_threads_read(pid, table_out->thread, MR_THREAD_USE_MAX, &count) == 0;
    table_out->count = count < MR_THREAD_USE_MAX ? count : MR_THREAD_USE_MAX;
    table_out->left_out = count - table_out->count;
}

// The same thread before: its number may have been given again, to one that has done less.
static const struct mr_proc_thread *find(const struct mr_thread_table *table,
                                         const struct mr_proc_thread *now)
{
    for (size_t i = 0; i < table->count; i++) {
        const struct mr_proc_thread *before = &table->thread[i];
        if (before->tid == now->tid && before->exec_ns.value <= now->exec_ns.value) {
            return before;
        }
    }
    return NULL;
}

static void subtract(const struct mr_proc_thread *before, const struct mr_proc_thread *now,
                     struct mr_thread_use *use_out)
{
    *use_out = (struct mr_thread_use){
        .tid = now->tid,
        .began = before == NULL,
        .core = now->core,
        .exec_ns = now->exec_ns,
        .run_delay_ns = now->run_delay_ns,
        .user_ns = now->user_ns,
        .system_ns = now->system_ns,
        .voluntary_switches = now->voluntary_switches,
        .involuntary_switches = now->involuntary_switches,
    };
    memcpy(use_out->name, now->name, sizeof use_out->name);
    if (before != NULL) {
        use_out->exec_ns = mr_reading_since(before->exec_ns, now->exec_ns);
        use_out->run_delay_ns = mr_reading_since(before->run_delay_ns, now->run_delay_ns);
        use_out->user_ns = mr_reading_since(before->user_ns, now->user_ns);
        use_out->system_ns = mr_reading_since(before->system_ns, now->system_ns);
        use_out->voluntary_switches =
            mr_reading_since(before->voluntary_switches, now->voluntary_switches);
        use_out->involuntary_switches =
            mr_reading_since(before->involuntary_switches, now->involuntary_switches);
    }
}

static int busier(const void *left, const void *right)
{
    const struct mr_thread_use *a = left;
    const struct mr_thread_use *b = right;
    if (a->exec_ns.value != b->exec_ns.value) {
        return a->exec_ns.value < b->exec_ns.value ? 1 : -1;
    }
    return (a->tid > b->tid) - (a->tid < b->tid);
}

// A sum is available only while every part was.
static void add(struct mr_reading *sum, struct mr_reading part)
{
    sum->known &= part.known;
    sum->value += part.value;
}

static void add_up(struct mr_threads_use *use)
{
    bool whole = use->count > 0 && use->left_out == 0;
    struct mr_reading *const sums[] = {&use->exec_ns, &use->run_delay_ns, &use->run_delay_max_ns,
                                       &use->voluntary_switches, &use->involuntary_switches};
    for (size_t i = 0; i < sizeof sums / sizeof sums[0]; i++) {
        *sums[i] = (struct mr_reading){.known = whole};
    }
    for (size_t i = 0; i < use->count; i++) {
        const struct mr_thread_use *thread = &use->thread[i];
        add(&use->exec_ns, thread->exec_ns);
        add(&use->run_delay_ns, thread->run_delay_ns);
        add(&use->voluntary_switches, thread->voluntary_switches);
        add(&use->involuntary_switches, thread->involuntary_switches);
        use->run_delay_max_ns.known &= thread->run_delay_ns.known;
        if (thread->run_delay_ns.value > use->run_delay_max_ns.value) {
            use->run_delay_max_ns.value = thread->run_delay_ns.value;
        }
    }
}

static double imbalance_of(const struct mr_threads_use *use, size_t cores_count)
{
    size_t n = use->count < cores_count ? use->count : cores_count;
    double sum_ns = 0;
    for (size_t i = 0; i < n; i++) {
        sum_ns += (double)use->thread[i].exec_ns.value;
    }
    return use->exec_ns.known && sum_ns > 0
               ? (double)use->thread[0].exec_ns.value * (double)n / sum_ns
               : NAN;
}

void mr_threads_use_since(const struct mr_thread_table *earlier,
                          const struct mr_thread_table *later, size_t cores_count,
                          struct mr_threads_use *use_out)
{
    MR_ASSERT(cores_count > 0);
    memset(use_out, 0, sizeof *use_out);
    use_out->imbalance = NAN;
    use_out->known = earlier->known && later->known;
    if (!use_out->known) {
        return;
    }
    size_t stayed = 0;
    for (size_t i = 0; i < later->count; i++) {
        const struct mr_proc_thread *before = find(earlier, &later->thread[i]);
        stayed += before != NULL;
        subtract(before, &later->thread[i], &use_out->thread[i]);
    }
    use_out->count = later->count;
    use_out->left_out = later->left_out > earlier->left_out ? later->left_out : earlier->left_out;
    use_out->ended_count = earlier->count - stayed;
    qsort(use_out->thread, use_out->count, sizeof use_out->thread[0], busier);
    add_up(use_out);
    use_out->imbalance = imbalance_of(use_out, cores_count);
}
