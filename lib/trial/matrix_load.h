// matrix_load.h: the load that one contestant of a cell gets: plan, rate, limits of what is in
// flight.
//
// A rate is a number, or a share of the slowest contestant's maximum (measuring rule 2), which
// `run` measures once, before the first trial; mr_cell_load_resolve() then fixes it.
#ifndef MR_TRIAL_MATRIX_LOAD_H
#define MR_TRIAL_MATRIX_LOAD_H

#include "json_file.h"

#include <matchrace/attributes.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MR_LOAD_STEPS_MAX 16

// A rate in batches a second over all connections.
struct mr_rate {
    double share;   // of the slowest contestant's maximum; 0: given as a number
    uint64_t per_s; // 0: not known yet
};

// One stretch of the plan "steps": from one rate to another, straight.
struct mr_load_step {
    struct mr_rate from;
    struct mr_rate to; // equal to `from`: a step
    uint64_t length_ns;
};

struct mr_cell_load {
    const char *plan; // closed, open, poisson, bursts, steps
    uint64_t connections;
    uint64_t depth;      // batches in flight on each connection, at most
    uint64_t in_flight;  // over all connections, at most; 0: no limit but depth
    struct mr_rate rate; // open and poisson; bursts by share: the mean
    uint64_t burst_batches;
    uint64_t period_ns; // of bursts
    struct mr_load_step steps[MR_LOAD_STEPS_MAX];
    size_t steps_count;
    // Benchmarks of the generator switch these off; everywhere else they are true.
    bool verify; // replies, STATS and KEPT are checked
    bool record; // the times of batches are recorded
    bool vary;   // no two batches are alike
    // They may put the floor in the generator's place: false everywhere else.
    bool null_sender;
};

// Reads `object` (NULL: nothing is given) into *load_io, which holds what counts where a key is
// missing. The keys of plan and rate belong together: where one is given, all are. Faults go to
// `file`.
void mr_cell_load_read(struct mr_json_file *file, yyjson_val *object, struct mr_cell_load *load_io);

// The load where a matrix says nothing: closed, 16 connections, 4 batches in flight on each.
struct mr_cell_load mr_cell_load_default(void);

// Whether due times are fixed beforehand: every plan but "closed".
bool mr_cell_load_is_open(const struct mr_cell_load *load);

// Whether a rate of it is a share, so that a maximum must be known.
bool mr_cell_load_is_shared(const struct mr_cell_load *load);

// Whether everything is verified, recorded and varied, as it must be where contestants race.
bool mr_cell_load_is_whole(const struct mr_cell_load *load);

// Fixes every rate that is a share of `maximum` (batches/s, > 0), down to whole batches, at least
// one a second; bursts get as many batches as their period holds, at least one.
void mr_cell_load_resolve(struct mr_cell_load *load, double maximum);

// How long a trial's window is: as long as the steps where there are some, else `rules_ns`.
uint64_t mr_cell_load_window_ns(const struct mr_cell_load *load, uint64_t rules_ns);

// Whether the two mean the same to a server.
bool mr_cell_load_equal(const struct mr_cell_load *a, const struct mr_cell_load *b);

// The steps as `matchrace load --steps` takes them: "RATE:TIME,RATE-RATE:TIME". False: too long.
MR_NODISCARD bool mr_cell_load_steps_text(const struct mr_cell_load *load, char *text_out,
                                          size_t capacity);

#endif
