// controls.c: see controls.h.
#include "controls.h"

#include "pairs.h"

#include "base/mr_assert.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#define CPU_METRIC "server_cpu_s_per_million_records"

// A dose whose measured CPU time lies wholly beyond these multiples of it is not of its size.
#define SIZE_LOW  0.5
#define SIZE_HIGH 1.5

// Compares the baseline with a control by `metric`. 0 or -ENOMEM.
static int compare(const struct mr_trial_table *table, const struct mr_cell *cell,
                   const char *metric, const struct mr_control_outcome *outcome,
                   struct mr_paired *paired_out, bool *estimated_out)
{
    struct mr_pairs pairs;
    size_t place;
    if (mr_pairs_init(&pairs, table, cell, metric, outcome->baseline, outcome->entry) != 0) {
        return -ENOMEM;
    }
    const struct mr_paired_params params = {.a = pairs.a,
                                            .b = pairs.b,
                                            .count = pairs.count,
                                            .alpha = outcome->alpha,
                                            .scratch = pairs.scratch};
    enum mr_paired_status status = mr_paired_estimate(&params, paired_out, &place);
    MR_ASSERT(status != MR_PAIRED_NOT_POSITIVE); // mr_pairs_init() takes no such value
    *estimated_out = status == MR_PAIRED_OK;
    mr_pairs_fini(&pairs);
    return 0;
}

static size_t count_of(const struct mr_matrix *matrix, enum mr_control control)
{
    size_t count = 0;
    for (size_t cell = 0; cell < matrix->cells_count; cell++) {
        for (size_t i = 0; i < matrix->cells[cell].entries_count; i++) {
            count += matrix->cells[cell].control[i] == control;
        }
    }
    return count;
}

// The level at which a control is looked at.
static double level_of(const struct mr_matrix *matrix, enum mr_control control)
{
    size_t comparisons = control == MR_CONTROL_DOSE ? matrix->primary_count
                                                    : count_of(matrix, MR_CONTROL_TWIN) +
                                                          count_of(matrix, MR_CONTROL_OBJECT_ORDER);
    return matrix->rules.alpha / (double)(comparisons == 0 ? 1 : comparisons);
}

// CPU time is the reading that a dose of a known size must show in.
static int measure_cpu(const struct mr_trial_table *table, const struct mr_cell *cell,
                       struct mr_control_outcome *outcome)
{
    struct mr_paired cpu;
    bool measured;
    int result = compare(table, cell, CPU_METRIC, outcome, &cpu, &measured);
    outcome->cpu_extra = NAN;
    if (result != 0 || !measured) {
        return result;
    }
    outcome->cpu_extra = expm1(cpu.log_ratio);
    outcome->cpu_log = cpu.logs;
    double dose = (double)cell->dose_ppm[outcome->entry] / 1e6;
    outcome->off_size =
        outcome->control == MR_CONTROL_DOSE && cpu.logs.known &&
        (cpu.logs.high < log1p(SIZE_LOW * dose) || cpu.logs.low > log1p(SIZE_HIGH * dose));
    return 0;
}

static void judge_pair(struct mr_control_outcome *outcome, const struct mr_matrix *matrix)
{
    const struct mr_interval *logs = &outcome->paired.logs;
    bool apart = outcome->estimated && logs->known && (logs->low > 0 || logs->high < 0);
    if (outcome->control == MR_CONTROL_DOSE) {
        outcome->found = apart && logs->low > 0 && !outcome->off_size;
    } else if (outcome->control == MR_CONTROL_OBJECT_ORDER) {
        struct mr_verdict_rules rules = {.better = MR_BETTER_HIGHER,
                                         .margin = matrix->rules.margin};
        outcome->is_same =
            outcome->estimated &&
            mr_judge(logs, outcome->paired.log_ratio, &rules).verdict == MR_VERDICT_SAME;
        outcome->differs = apart && !outcome->is_same;
    } else {
        outcome->differs = apart;
    }
}

static void judge_liar(struct mr_control_outcome *outcome, const struct mr_entry_summary *summary)
{
    // What the generator caught begins with the gate's word; who did not start told no lie.
    const char *reason = summary->wrong == NULL ? "" : summary->wrong->reason;
    outcome->lie = reason[strcspn(reason, " :")] == ':' ? summary->wrong : NULL;
    outcome->believed = summary->wrong == NULL && summary->counted > 0;
}

static int add_cell(struct mr_controls *controls, const struct mr_matrix *matrix, size_t number,
                    const struct mr_trial_table *table, const struct mr_cell_estimate *estimate)
{
    const struct mr_cell *cell = &matrix->cells[number];
    size_t baseline = 0;
    while (cell->control[baseline] != MR_CONTROL_BASELINE) {
        baseline++;
        MR_ASSERT(baseline < cell->entries_count);
    }
    int result = 0;
    for (size_t i = 0; result == 0 && i < cell->entries_count; i++) {
        if (i == baseline) {
            continue;
        }
        MR_ASSERT(controls->count < MR_CONTROLS_MAX);
        struct mr_control_outcome *outcome = &controls->outcomes[controls->count++];
        *outcome = (struct mr_control_outcome){
            .cell = number, .entry = i, .baseline = baseline, .control = cell->control[i]};
        if (outcome->control == MR_CONTROL_LIAR) {
            judge_liar(outcome, &estimate->entries[i]);
            continue;
        }
        outcome->alpha = level_of(matrix, outcome->control);
        result = compare(table, cell, NULL, outcome, &outcome->paired, &outcome->estimated);
        result = result == 0 ? measure_cpu(table, cell, outcome) : result;
        judge_pair(outcome, matrix);
    }
    return result;
}

// The smallest dose of one cell from which on all were found; NAN: none.
static double smallest_in(const struct mr_controls *controls, const struct mr_matrix *matrix,
                          size_t cell)
{
    uint64_t missed_ppm = 0;
    for (size_t i = 0; i < controls->count; i++) {
        const struct mr_control_outcome *one = &controls->outcomes[i];
        uint64_t dose_ppm = matrix->cells[cell].dose_ppm[one->entry];
        if (one->cell == cell && one->control == MR_CONTROL_DOSE && !one->found) {
            missed_ppm = dose_ppm > missed_ppm ? dose_ppm : missed_ppm;
        }
    }
    uint64_t smallest_ppm = UINT64_MAX;
    for (size_t i = 0; i < controls->count; i++) {
        const struct mr_control_outcome *one = &controls->outcomes[i];
        uint64_t dose_ppm = matrix->cells[cell].dose_ppm[one->entry];
        if (one->cell == cell && one->control == MR_CONTROL_DOSE && dose_ppm > missed_ppm) {
            smallest_ppm = dose_ppm < smallest_ppm ? dose_ppm : smallest_ppm;
        }
    }
    return smallest_ppm == UINT64_MAX ? NAN : (double)smallest_ppm / 1e6;
}

static bool has_doses(const struct mr_controls *controls, size_t cell)
{
    bool has = false;
    for (size_t i = 0; i < controls->count; i++) {
        has |= controls->outcomes[i].cell == cell && controls->outcomes[i].estimated &&
               controls->outcomes[i].control == MR_CONTROL_DOSE;
    }
    return has;
}

static double largest_dose(const struct mr_matrix *matrix)
{
    uint64_t largest_ppm = 0;
    for (size_t cell = 0; cell < matrix->cells_count; cell++) {
        for (size_t i = 0; i < matrix->cells[cell].entries_count; i++) {
            uint64_t dose_ppm = matrix->cells[cell].dose_ppm[i];
            largest_ppm = dose_ppm > largest_ppm ? dose_ppm : largest_ppm;
        }
    }
    return (double)largest_ppm / 1e6;
}

// A claim must be as large as what was found beside every baseline that ran; where not even the
// largest dose was, it must lie beyond that and beyond all that twins showed of each other.
static void find_sensitivity(struct mr_controls *controls, const struct mr_matrix *matrix)
{
    controls->smallest_found = 0;
    for (size_t cell = 0; cell < matrix->cells_count; cell++) {
        if (has_doses(controls, cell)) {
            double smallest = smallest_in(controls, matrix, cell);
            controls->doses_ran = true;
            controls->smallest_found = isnan(smallest) || isnan(controls->smallest_found)
                                           ? NAN
                                           : fmax(controls->smallest_found, smallest);
        }
    }
    if (!controls->doses_ran) {
        controls->smallest_found = NAN;
    }
    if (largest_dose(matrix) > 0) { // planted, whether it ran or not
        controls->limits.smallest = isnan(controls->smallest_found)
                                        ? fmax(largest_dose(matrix), controls->noise.floor)
                                        : controls->smallest_found;
    }
}

static void find_noise(struct mr_controls *controls)
{
    struct mr_interval twins[MR_CONTROLS_MAX];
    size_t count = 0;
    for (size_t i = 0; i < controls->count; i++) {
        const struct mr_control_outcome *one = &controls->outcomes[i];
        if (one->control == MR_CONTROL_TWIN && one->estimated) {
            twins[count++] = one->paired.logs;
        }
        controls->limits.void_table |= one->differs || one->believed;
        controls->lies_told += one->lie != NULL || one->believed;
        controls->lies_caught += one->lie != NULL;
    }
    controls->noise = mr_noise_floor(twins, count);
}

int mr_controls_open(struct mr_controls *controls_out, const struct mr_matrix *matrix,
                     const struct mr_trial_table *table, const struct mr_estimates *estimates,
                     const bool *finished)
{
    *controls_out = (struct mr_controls){.finished = true};
    int result = 0;
    for (size_t cell = 0; result == 0 && cell < matrix->cells_count; cell++) {
        if (matrix->cells[cell].is_control) {
            controls_out->asked = true;
            controls_out->finished &= finished[cell];
            result = add_cell(controls_out, matrix, cell, table, &estimates->cells[cell]);
        }
    }
    find_noise(controls_out);
    find_sensitivity(controls_out, matrix);
    return result;
}
