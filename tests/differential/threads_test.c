// threads_test.c: several parsers of every kernel on several threads at once give what they give
// alone; made for the thread sanitizer.
#include "builder.h"
#include "checker.h"

#include "base/mr_assert.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define THREADS 4
#define BATCHES 16
#define TURNS   200

// What every thread reads and none writes: texts with their results.
struct shared {
    struct mr_builder padded[BATCHES];
    struct mr_result expected[BATCHES];
};

struct worker {
    const struct shared *shared;
    unsigned number;
    unsigned wrong;
};

static void build_shared(struct shared *shared)
{
    struct mr_checker checker = mr_checker_init(65536);
    for (size_t i = 0; i < BATCHES; i++) {
        struct mr_builder *padded = &shared->padded[i];
        mr_put_times(padded, '"', MR_PAD_FRONT);
        for (size_t record = 0; record <= i; record++) {
            char value[64];
            (void)snprintf(value, sizeof value, "%zu.%zu00000000000000000000%zu", i, record, i * 7);
            mr_puts(padded, record == 0 ? "[" : ",");
            mr_put_record_with(padded, MR_KEY_VALUE, value, strlen(value));
        }
        mr_puts(padded, i % 4 == 3 ? "," : "]");
        size_t json_bytes = padded->count - MR_PAD_FRONT;
        mr_put_times(padded, ']', MR_PAD_BACK);
        assert_null(mr_checker_all(&checker, padded->bytes + MR_PAD_FRONT, json_bytes,
                                   &shared->expected[i]));
    }
    mr_checker_fini(&checker);
}

// Parses every batch again and again with a parser of its own, made anew now and then.
static void *work(void *argument)
{
    struct worker *worker = argument;
    const struct shared *shared = worker->shared;
    uint8_t *records = aligned_alloc(64, 65536);
    MR_ASSERT(records != NULL);
    for (unsigned turn = 0; turn < TURNS; turn++) {
        struct mr_kernel_info kernel =
            mr_kernel_by_index((worker->number + turn) % mr_kernel_count());
        struct mr_parser *parser;
        int failed = mr_parser_create(kernel.supported ? kernel.name : NULL, &parser);
        MR_ASSERT(failed == 0);
        for (size_t i = 0; i < BATCHES; i++) {
            const struct mr_builder *padded = &shared->padded[(i + worker->number) % BATCHES];
            const struct mr_result *expected = &shared->expected[(i + worker->number) % BATCHES];
            struct mr_result result;
            memset(&result, 0, sizeof result);
            mr_parser_parse(parser, padded->bytes + MR_PAD_FRONT,
                            padded->count - MR_PAD_FRONT - MR_PAD_BACK, records, &result);
            worker->wrong += result.error != expected->error ||
                                     result.records != expected->records ||
                                     result.digest != expected->digest ||
                                     result.error_offset != expected->error_offset
                                 ? 1
                                 : 0;
        }
        mr_parser_destroy(parser);
    }
    free(records);
    return NULL;
}

static void test_parsers_do_not_meet(void **context)
{
    (void)context;
    struct shared shared = {0};
    build_shared(&shared);
    pthread_t threads[THREADS];
    struct worker workers[THREADS];
    for (unsigned i = 0; i < THREADS; i++) {
        workers[i] = (struct worker){.shared = &shared, .number = i};
        assert_int_equal(pthread_create(&threads[i], NULL, work, &workers[i]), 0);
    }
    for (unsigned i = 0; i < THREADS; i++) {
        assert_int_equal(pthread_join(threads[i], NULL), 0);
        assert_int_equal(workers[i].wrong, 0);
    }
    for (size_t i = 0; i < BATCHES; i++) {
        mr_builder_fini(&shared.padded[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_parsers_do_not_meet)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
