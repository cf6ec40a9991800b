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

struct mr_load_failure {
    enum mr_load_verdict verdict;
    enum mr_load_gate gate; // see mr_load_is_the_servers()
    bool has_place;
    struct mr_load_place place;
    char text[640]; // for people; empty while verdict is MR_LOAD_OK
};

// Records a failure unless there is one already. Returns false, for `return mr_load_fail(…)`.
// `gate` means nothing where the server is not to blame.
MR_PRINTF(4, 5)
bool mr_load_fail(struct mr_load_failure *failure, enum mr_load_verdict verdict,
                  enum mr_load_gate gate, const char *format, ...);

// Like mr_load_fail(), but a gate failed at `place` (copied).
MR_PRINTF(4, 5)
bool mr_load_fail_at(struct mr_load_failure *failure, enum mr_load_gate gate,
                     const struct mr_load_place *place, const char *format, ...);

// Whether the server is to blame, so that `gate` names what it did: wrong, or stalled (its answers
// are missing).
bool mr_load_is_the_servers(const struct mr_load_failure *failure);

// "answers", …, "protocol" and "ok", "wrong", …; constant.
const char *mr_load_gate_name(enum mr_load_gate gate);
const char *mr_load_verdict_name(enum mr_load_verdict verdict);

#endif
