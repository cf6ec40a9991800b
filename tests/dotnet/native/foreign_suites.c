// foreign_suites.c: see foreign_kernels.h; the programs of tests/differential are compiled with
// other names for main().
#include "foreign_kernels.h"

#include "base/mr_assert.h"
#include "parser.h"
#include "power_table.h"
#include "schema_tables.h"
#include "set_bits.h"
#include "words.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <stdlib.h>
#include <string.h>

// One line each: MR_SUITE(strings) and so on; CMakeLists.txt lists them.
#define MR_SUITE(name) int name##_test_main(void);
MR_SUITES
#undef MR_SUITE

struct suite {
    const char *name;
    int (*run)(void);
};

static const struct suite suites[] = {
#define MR_SUITE(name) {#name, name##_test_main},
    MR_SUITES
#undef MR_SUITE
};
#define SUITES (sizeof suites / sizeof suites[0])

int mr_foreign_suite(const char *name)
{
    for (size_t i = 0; i < SUITES; i++) {
        if (strcmp(suites[i].name, name) == 0) {
            return suites[i].run();
        }
    }
    return -1;
}

const char *mr_foreign_suite_name(size_t index)
{
    return index < SUITES ? suites[index].name : NULL;
}

struct mr_checker *mr_foreign_checker(size_t json_bytes_max)
{
    struct mr_checker *checker = malloc(sizeof *checker);
    MR_ASSERT(checker != NULL);
    *checker = mr_checker_init(json_bytes_max);
    return checker;
}

void mr_foreign_checker_end(struct mr_checker *checker)
{
    mr_checker_fini(checker);
    free(checker);
}

const char *mr_foreign_check(struct mr_checker *checker, const uint8_t *json, size_t json_bytes)
{
    return mr_checker_all(checker, json, json_bytes, NULL);
}

const char *mr_foreign_same(struct mr_checker *checker, const uint8_t *json, size_t json_bytes)
{
    return mr_checker_kernels(checker, json, json_bytes, NULL);
}

struct table {
    const char *name;
    const void *at;
    size_t bytes;
};

static const struct table tables[] = {
    {"mr_key_table", &mr_key_table, sizeof mr_key_table},
    {"mr_kind_table", &mr_kind_table, sizeof mr_kind_table},
    {"mr_flag_table", &mr_flag_table, sizeof mr_flag_table},
    {"mr_stream_templates", mr_stream_templates, sizeof mr_stream_templates},
    {"mr_record_styles", mr_record_styles, sizeof mr_record_styles},
    {"mr_all", mr_all, sizeof mr_all},
    {"mr_key_literals", mr_key_literals, sizeof mr_key_literals},
    {"mr_key_literals_multiplier", &mr_key_literals_multiplier, sizeof mr_key_literals_multiplier},
    {"mr_set_bits", mr_set_bits, sizeof mr_set_bits},
    {"mr_powers_of_five", mr_powers_of_five, sizeof mr_powers_of_five},
    {"XXH3_kSecret", XXH3_kSecret, sizeof XXH3_kSecret},
};

const void *mr_foreign_table(const char *name, size_t *bytes_out)
{
    if (strcmp(name, "mr_key_words") == 0) {
        *bytes_out = MR_KEY_COUNT * sizeof *mr_key_words.word;
        return mr_key_words.word;
    }
    if (strcmp(name, "mr_kind_words") == 0 || strcmp(name, "mr_flag_words") == 0) {
        *bytes_out = 8 * sizeof *mr_kind_words.word;
        return name[3] == 'k' ? mr_kind_words.word : mr_flag_words.word;
    }
    for (size_t i = 0; i < sizeof tables / sizeof tables[0]; i++) {
        if (strcmp(tables[i].name, name) == 0) {
            *bytes_out = tables[i].bytes;
            return tables[i].at;
        }
    }
    return NULL;
}

#define OFFSET(type, field) (uint32_t) offsetof(struct type, field)

size_t mr_foreign_layout(uint32_t layout_out[32])
{
    const uint32_t layout[] = {
        sizeof(struct mr_record),           OFFSET(mr_record, message_bytes),
        sizeof(struct mr_result),           OFFSET(mr_result, error_offset),
        OFFSET(mr_result, totals),          sizeof(struct mr_totals),
        OFFSET(mr_totals, value_sum),       sizeof(struct mr_scratch),
        OFFSET(mr_scratch, position),       OFFSET(mr_scratch, copy),
        OFFSET(mr_scratch, keep),           OFFSET(mr_scratch, digits),
        OFFSET(mr_scratch, unit_at),        OFFSET(mr_scratch, unit_text),
        OFFSET(mr_scratch, marks),          OFFSET(mr_scratch, marked),
        OFFSET(mr_scratch, outside),        OFFSET(mr_scratch, beyond_ascii),
        OFFSET(mr_scratch, escaped),        OFFSET(mr_scratch, touched),
        OFFSET(mr_scratch, escaped_blocks), sizeof(struct mr_word_slot),
        sizeof(struct mr_record_style),
    };
    memcpy(layout_out, layout, sizeof layout);
    return sizeof layout / sizeof layout[0];
}

uint64_t mr_foreign_xxh3(const void *bytes, size_t count)
{
    return XXH3_64bits(bytes, count);
}
