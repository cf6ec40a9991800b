// abi.c: see include/matchrace/abi.h.
#include <matchrace/abi.h>

#include <matchrace/contract.h>
#include <matchrace/record.h>
#include <matchrace/result.h>

#include <stddef.h>

static const struct mr_abi abi = {
    .version = MR_ABI_VERSION,
    .abi_bytes = sizeof(struct mr_abi),
    .record_bytes = sizeof(struct mr_record),
    .record_last = offsetof(struct mr_record, message_bytes),
    .result_bytes = sizeof(struct mr_result),
    .result_last = offsetof(struct mr_result, totals),
    .totals_bytes = sizeof(struct mr_totals),
    .totals_last = offsetof(struct mr_totals, value_sum),
    .pad_front_bytes = MR_PAD_FRONT,
    .pad_back_bytes = MR_PAD_BACK,
    .slack_bytes = MR_RECORDS_SLACK,
};

const struct mr_abi *mr_abi(void)
{
    return &abi;
}
