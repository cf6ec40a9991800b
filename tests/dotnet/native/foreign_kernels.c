// foreign_kernels.c: the table of kernels for tests of parsers in other languages: C's
// specification, and places for functions that are handed in at run time. Every test of
// tests/differential then holds for these.
#define mr_kernels       mr_kernels_const
#define mr_kernels_count mr_kernels_count_const
#include "kernels.h"
#undef mr_kernels
#undef mr_kernels_count

#include "foreign_kernels.h"

#include "base/mr_assert.h"

#define FOREIGN_MAX 6u

extern struct mr_kernel mr_kernels[];
extern size_t mr_kernels_count;

struct mr_kernel mr_kernels[1 + FOREIGN_MAX] = {
    {.name = "scalar", .needs = "", .features = 0, .parse = mr_record_scalar}};
size_t mr_kernels_count = 1;

static mr_foreign_parse foreign[FOREIGN_MAX];

static void parse_foreign(struct mr_parser *parser, const uint8_t *json, size_t json_bytes,
                          uint8_t *records_out, struct mr_result *result_out)
{
    size_t index = (size_t)(parser->kernel - mr_kernels) - 1;
    foreign[index](json, json_bytes, records_out, result_out);
}

void mr_foreign_kernel(const char *name, mr_foreign_parse parse)
{
    MR_ASSERT(mr_kernels_count <= FOREIGN_MAX);
    foreign[mr_kernels_count - 1] = parse;
    mr_kernels[mr_kernels_count++] =
        (struct mr_kernel){.name = name, .needs = "", .parse = parse_foreign};
}
