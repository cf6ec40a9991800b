// mr_assert.c: says which check failed and ends the program.
#include "mr_assert.h"

#include <stdio.h>
#include <stdlib.h>

void mr_assert_failed(const char *condition, const char *file, int line)
{
    (void)fprintf(stderr, "matchrace: internal error at %s:%d: %s\n", file, line, condition);
    abort();
}
