// verify.h: what the contestant must answer, have counted and have kept: computed from the
// dataset's own values, never from a reply.
#ifndef MR_LOAD_VERIFY_H
#define MR_LOAD_VERIFY_H

#include "outstanding.h"

#include "dataset/dataset.h"
#include "dataset/dataset_sums.h"
#include "wire/wire.h"

#include <matchrace/attributes.h>
#include <matchrace/contract.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// The last accepted batches of one connection, as the contestant must have kept them.
struct mr_kept_model {
    uint64_t digest[MR_RING_PLACES];
    uint32_t records[MR_RING_PLACES];
    uint64_t accepted; // batches since the start
};

// Notes an accepted batch; the oldest leaves when MR_RING_PLACES are there.
void mr_kept_model_push(struct mr_kept_model *model, const struct mr_ack *answer);

// Adds what the connection keeps now to *kept_io.
void mr_kept_model_add(const struct mr_kept_model *model, struct mr_kept *kept_io);

// What the replies seen so far add up to. One thread's; totals of threads merge.
struct mr_expected {
    enum mr_mode mode;
    const struct mr_dataset *dataset;
    struct mr_totals drained; // mode drain
    struct mr_sums sums;      // the other modes
    uint64_t replies;         // verified
    bool unchecked;           // for benchmarks: nothing is compared, added or counted
};

// 0 or -ENOMEM; on success the caller ends it with mr_expected_fini().
MR_NODISCARD int mr_expected_init(struct mr_expected *expected_out, enum mr_mode mode,
                                  const struct mr_dataset *dataset);
void mr_expected_fini(struct mr_expected *expected);

// Adds what the replies add up to.
void mr_expected_add_totals(const struct mr_expected *expected, struct mr_totals *totals_io);

// The right answer to `edit` in `mode`: in drain nobody looks into a batch, so accepted, 0, 0.
struct mr_ack mr_expected_answer(enum mr_mode mode, const struct mr_edit *edit);

// Adds a batch that was answered to the totals and to `kept`, as the right answer has it.
void mr_expected_add(struct mr_expected *expected, const struct mr_request *request,
                     struct mr_kept_model *kept);

// Whether `got` is the right answer to `request`; then it is added to the totals and to `kept`.
bool mr_expected_check(struct mr_expected *expected, const struct mr_request *request,
                       const struct mr_ack *got, struct mr_kept_model *kept);

// Writes "accepted, 256 records, digest 00…" or "rejected"; always ends with a zero byte.
void mr_ack_text(const struct mr_ack *ack, char *text_out, size_t capacity);

// Writes every total that differs: "records 1000, got 990; digest …"; always ends with a zero byte.
void mr_totals_difference(const struct mr_totals *expected, const struct mr_totals *got,
                          char *text_out, size_t capacity);

#endif
