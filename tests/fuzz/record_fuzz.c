// record_fuzz.c: any bytes through every kernel, the oracle and the rivals that are linked in; ends
// the program when they disagree. Batches are changed as their grammar has it (mutator.h).
#include "checker.h"
#include "mutator.h"
#include "rivals.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define JSON_BYTES_MAX ((size_t)1 << 20)

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count);
size_t LLVMFuzzerCustomMutator(uint8_t *bytes, size_t count, size_t count_max, unsigned seed);
size_t LLVMFuzzerCustomCrossOver(const uint8_t *left, size_t left_count, const uint8_t *right,
                                 size_t right_count, uint8_t *out, size_t out_max, unsigned seed);
size_t LLVMFuzzerMutate(uint8_t *bytes, size_t count, size_t count_max);

static struct mr_checker checker;
static struct mr_rivals rivals;

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count)
{
    if (checker.parsers == 0) {
        checker = mr_checker_init(JSON_BYTES_MAX);
        rivals = mr_rivals_init();
        (void)fflush(stdout);
    }
    if (count > JSON_BYTES_MAX) {
        return -1; // not worth keeping
    }
    struct mr_result result;
    const char *complaint = mr_checker_all(&checker, bytes, count, &result);
    if (complaint == NULL) {
        complaint = mr_rivals_check(&rivals, &checker, bytes, count, &result);
    }
    if (complaint != NULL) {
        (void)fprintf(stderr, "DIFFERENCE: %s\n", complaint);
        // A kernel may remember what it read before; then the input alone shows nothing.
        struct mr_checker fresh = mr_checker_init(count);
        if (mr_checker_all(&fresh, bytes, count, NULL) == NULL) {
            (void)fprintf(stderr, "a parser that has read nothing before agrees\n");
        }
        abort();
    }
    return 0;
}

size_t LLVMFuzzerCustomMutator(uint8_t *bytes, size_t count, size_t count_max, unsigned seed)
{
    // Some of the time as a fuzzer does without knowing what it changes.
    return seed % 4 == 0 ? LLVMFuzzerMutate(bytes, count, count_max)
                         : mr_mutate(bytes, count, count_max, seed);
}

size_t LLVMFuzzerCustomCrossOver(const uint8_t *left, size_t left_count, const uint8_t *right,
                                 size_t right_count, uint8_t *out, size_t out_max, unsigned seed)
{
    size_t count = left_count < out_max ? left_count : out_max;
    memcpy(out, left, count);
    return mr_cross(out, count, out_max, right, right_count, seed);
}
