// record_fuzz.c: any bytes through every kernel and the oracle; ends the program when they
// disagree.
#include "checker.h"

#include <stdio.h>
#include <stdlib.h>

#define JSON_BYTES_MAX ((size_t)1 << 20)

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count)
{
    static struct mr_checker checker;
    if (checker.parsers == 0) {
        checker = mr_checker_init(JSON_BYTES_MAX);
    }
    if (count > JSON_BYTES_MAX) {
        return -1; // not worth keeping
    }
    const char *complaint = mr_checker_all(&checker, bytes, count, NULL);
    if (complaint != NULL) {
        (void)fprintf(stderr, "%s\n", complaint);
        abort();
    }
    return 0;
}
