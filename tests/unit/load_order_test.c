// load_order_test.c: no two sends of a run are alike, every batch has its turn, and none stays with
// one connection.
#include "load_dataset.h"

#include <order.h>

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#define BATCHES_MAX 96

static void make(struct mr_dataset *dataset, size_t count)
{
    struct load_batch batches[BATCHES_MAX];
    for (size_t i = 0; i < count; i++) {
        batches[i] = (struct load_batch){.records = 1, .digits_count = 16};
    }
    load_dataset_make(dataset, batches, count);
}

// Every pass is a permutation and its number is the turn: no (batch, turn) comes twice.
static void test_no_two_alike(void **state)
{
    (void)state;
    static const size_t counts[] = {1, 2, 7, 16, 17, 31, 32, 48, 96};
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        struct mr_dataset dataset;
        make(&dataset, counts[i]);
        for (uint32_t connections = 1; connections <= 20; connections++) {
            struct mr_order order;
            assert_int_equal(mr_order_init(&order, &dataset, connections, i), 0);
            assert_int_equal(order.count, counts[i]);
            for (uint64_t pass = 0; pass < 5; pass++) {
                int seen[BATCHES_MAX] = {0};
                for (uint64_t k = 0; k < order.count; k++) {
                    struct mr_order_item item = mr_order_at(&order, pass * order.count + k);
                    assert_int_equal(item.turn, pass);
                    assert_int_equal(seen[item.batch]++, 0);
                }
            }
            mr_order_fini(&order);
        }
        load_dataset_drop(&dataset);
    }
}

// A batch that stays with its connection would make one connection's work heavier than the others'.
// In any run of as many passes as there are connections each batch visits each of them once.
static void test_batches_rotate(void **state)
{
    (void)state;
    for (size_t count = 1; count <= 50; count++) {
        struct mr_dataset dataset;
        make(&dataset, count);
        for (uint32_t connections = 1; connections <= 20; connections++) {
            struct mr_order order;
            assert_int_equal(mr_order_init(&order, &dataset, connections, 3), 0);
            for (uint64_t first = 0; first < 3; first++) {
                int visits[BATCHES_MAX][20] = {{0}};
                uint64_t begin = first * connections * count;
                for (uint64_t number = begin; number < begin + connections * count; number++) {
                    visits[mr_order_at(&order, number).batch][number % connections]++;
                }
                for (size_t batch = 0; batch < count; batch++) {
                    for (uint32_t connection = 0; connection < connections; connection++) {
                        assert_int_equal(visits[batch][connection], 1);
                    }
                }
            }
            mr_order_fini(&order);
        }
        load_dataset_drop(&dataset);
    }
}

static void test_seed(void **state)
{
    (void)state;
    struct mr_dataset dataset;
    struct mr_order first;
    struct mr_order again;
    struct mr_order other;
    make(&dataset, 64);
    assert_int_equal(mr_order_init(&first, &dataset, 16, 1), 0);
    assert_int_equal(mr_order_init(&again, &dataset, 16, 1), 0);
    assert_int_equal(mr_order_init(&other, &dataset, 16, 2), 0);
    assert_memory_equal(first.batch, again.batch, 64 * sizeof *first.batch);
    assert_memory_not_equal(first.batch, other.batch, 64 * sizeof *first.batch);
    mr_order_fini(&first);
    mr_order_fini(&again);
    mr_order_fini(&other);
    load_dataset_drop(&dataset);
}

static void test_batches_without_variation(void **state)
{
    (void)state;
    const struct load_batch batches[] = {{.records = 0},
                                         {.records = 2, .digits_count = 12},
                                         {.records = 0},
                                         {.records = 1, .digits_count = 2, .rejected = 1}};
    struct mr_dataset dataset;
    struct mr_order order;
    load_dataset_make(&dataset, batches, 4);
    assert_int_equal(mr_order_init(&order, &dataset, 3, 1), 0);
    assert_int_equal(order.count, 2);
    assert_int_equal(order.left_out, 2);
    for (uint64_t number = 0; number < 40; number++) {
        assert_true(mr_order_at(&order, number).batch % 2 == 1);
    }
    mr_order_fini(&order);
    load_dataset_drop(&dataset);
    load_dataset_make(&dataset, batches, 1);
    assert_int_equal(mr_order_init(&order, &dataset, 3, 1), -ENODATA);
    load_dataset_drop(&dataset);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_no_two_alike),
        cmocka_unit_test(test_batches_rotate),
        cmocka_unit_test(test_seed),
        cmocka_unit_test(test_batches_without_variation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
