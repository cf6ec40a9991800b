// parts.c: the table of parts, and passes of a kernel that leaves something out.
#include "ablated_kernels.h"
#include "floor.h"
#include "part.h"

#include "record/kernels.h"

#include <string.h>

// What a machine does in the same time as ever while nothing disturbs it: multiplications, each of
// which needs the one before. Some ten milliseconds.
static uint64_t fixed_work_pass(const struct mr_part *part, struct mr_part_data *data)
{
    (void)part;
    uint64_t value = data->totals.records + 1;
    for (uint32_t i = 0; i < 10000000; i++) {
        value = value * 6364136223846793005u + 1442695040888963407u;
    }
    return value;
}

// As a contestant's pass in mode totals: parse and keep the books.
static uint64_t parse_pass(const struct mr_part *part, struct mr_part_data *data)
{
    uint64_t digest = 0;
    for (size_t i = 0; i < data->batches; i++) {
        uint32_t json_bytes = data->batch[i].json_bytes;
        struct mr_result result;
        part->kernel(data->parser, data->batch[i].json, json_bytes, data->place, &result);
        if (!part->totals) {
            digest += result.digest;
        } else if (result.error == MR_OK) {
            mr_totals_accept_result(&data->totals, data->place, &result, json_bytes);
            digest += result.digest;
        } else {
            mr_totals_reject(&data->totals);
        }
    }
    return digest;
}

#define PARSE(part_name, part_kernel, part_about)                                                  \
    {                                                                                              \
        .name = part_name, .about = part_about, .needs_kernel = true, .totals = true,              \
        .kernel = part_kernel, .pass = parse_pass                                                  \
    }

#define BATCHES_OF(part_name, number)                                                              \
    {                                                                                              \
        .name = part_name,                                                                         \
        .about = "all of the work on the same records in batches of other sizes",                  \
        .needs_kernel = true, .batch_records = (number), .totals = true,                           \
        .kernel = mr_record_avx512, .pass = parse_pass                                             \
    }

const struct mr_part mr_parts[] = {
    {.name = "fixed-work",
     .about = "multiplications: how fast the machine is just now",
     .pass = fixed_work_pass},
    {.name = "floor",
     .about = "reading, UTF-8 check and digest, one loop after the other",
     .needs_canonical = true,
     .pass = mr_floor_all},
    {.name = "floor-read", .about = "the sum of all words of the text", .pass = mr_floor_read},
    {.name = "floor-utf8", .about = "the UTF-8 check by a library", .pass = mr_floor_utf8},
    {.name = "floor-digest",
     .about = "XXH3 of records that are typed already",
     .needs_canonical = true,
     .pass = mr_floor_digest},
    PARSE("whole", mr_record_avx512, "all of the work with the vector kernel"),
    PARSE("without-digest", mr_record_without_digest, "the same without XXH3"),
    PARSE("without-utf8", mr_record_without_utf8, "without the UTF-8 check behind the index"),
    PARSE("without-copies", mr_record_without_copies, "without copying text to its place"),
    PARSE("without-guess", mr_record_without_guess, "without the guess path: all by the index"),
    {.name = "without-totals",
     .about = "without making the totals, by the kernel on its way or behind it",
     .needs_kernel = true,
     .kernel = mr_record_without_totals,
     .pass = parse_pass},
    {.name = "rejected",
     .about = "all of the work on batches with a fault in their last record",
     .needs_kernel = true,
     .spoils = true,
     .totals = true,
     .kernel = mr_record_avx512,
     .pass = parse_pass},
    BATCHES_OF("batches-of-16", 16),
    BATCHES_OF("batches-of-64", 64),
    BATCHES_OF("batches-of-256", 256),
    BATCHES_OF("batches-of-1024", 1024),
    BATCHES_OF("batches-of-4096", 4096),
    {0},
};

const struct mr_part *mr_part_by_name(const char *name)
{
    for (const struct mr_part *part = mr_parts; part->name != NULL; part++) {
        if (strcmp(part->name, name) == 0) {
            return part;
        }
    }
    return NULL;
}
