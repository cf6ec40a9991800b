// load_failure.h: how a run ended, and when it was not well: which gate failed, where, in words.
#ifndef MR_LOAD_FAILURE_H
#define MR_LOAD_FAILURE_H

#include <matchrace/attributes.h>

#include <stdbool.h>
#include <stdint.h>

// What a run checks. A gate fails once; the first failure ends the run.
enum mr_load_gate {
    MR_LOAD_ANSWERS,  // sequence, status, records and digest of every reply
    MR_LOAD_EARLY,    // no batch is accepted before its last byte was sent
    MR_LOAD_LOST,     // no connection ends before we end it
    MR_LOAD_STATS,    // the totals at the end are those of the batches sent
    MR_LOAD_KEPT,     // KEPT at the end is the last 64 accepted batches of each connection
    MR_LOAD_PROTOCOL, // frames are well formed, expected, and none is an ERROR
};
#define MR_LOAD_GATE_COUNT 6

enum mr_load_verdict {
    MR_LOAD_OK,
    MR_LOAD_WRONG,       // a gate failed
    MR_LOAD_STALLED,     // the server stopped answering
    MR_LOAD_INTERRUPTED, // SIGINT or SIGTERM
    MR_LOAD_FAILED,      // the environment: no memory, no descriptor, connection refused
};

// The batch in question.
struct mr_load_place {
    uint32_t connection;
    uint64_t sequence;
    uint64_t batch;
    uint64_t turn;
};

// Gates that a proof has switched off (--without-gate), so that what they are there for is seen to
// get through: what they would have failed is counted instead.
struct mr_load_gates_off {
    bool off[MR_LOAD_GATE_COUNT];
    uint64_t overlooked[MR_LOAD_GATE_COUNT];
};

struct mr_load_failure {
    enum mr_load_verdict verdict;
    enum mr_load_gate gate; // see mr_load_is_the_servers()
    bool has_place;
    struct mr_load_place place;
    char text[640]; // for people; empty while verdict is MR_LOAD_OK
    struct mr_load_gates_off gates;
};

// Records a failure unless there is one already. Returns false, for `return mr_load_fail(…)`.
// `gate` means nothing where the server is not to blame. Where it is wrong and `gate` is switched
// off, this only counts, and returns true: the caller goes on as if nothing had been seen.
MR_PRINTF(4, 5)
bool mr_load_fail(struct mr_load_failure *failure, enum mr_load_verdict verdict,
                  enum mr_load_gate gate, const char *format, ...);

// Like mr_load_fail(), but a gate failed at `place` (copied).
MR_PRINTF(4, 5)
bool mr_load_fail_at(struct mr_load_failure *failure, enum mr_load_gate gate,
                     const struct mr_load_place *place, const char *format, ...);

// Takes over what one thread's `part_io` holds: its failure where *whole has none, and what it has
// overlooked, which is zeroed there.
void mr_load_failure_take(struct mr_load_failure *whole, struct mr_load_failure *part_io);

// Reads names of gates, parted by commas. False: *name_out is where one that there is not begins.
MR_NODISCARD bool mr_load_gates_off_parse(const char *names, struct mr_load_gates_off *gates_out,
                                          const char **name_out);

// Whether any gate is switched off: such a run is never verified.
bool mr_load_any_gate_off(const struct mr_load_failure *failure);

// Whether the server is to blame, so that `gate` names what it did: wrong, or stalled (its answers
// are missing).
bool mr_load_is_the_servers(const struct mr_load_failure *failure);

// "answers", …, "protocol"; constant.
const char *mr_load_gate_name(enum mr_load_gate gate);

// "ok", "wrong", …; "not verified" for a run that went well with a gate switched off; constant.
const char *mr_load_verdict_name(const struct mr_load_failure *failure);

#endif
