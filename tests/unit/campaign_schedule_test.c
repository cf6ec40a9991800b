// campaign_schedule_test.c: every order equally often, rows of all cells in turn, the same for the
// same seed.

#include "schedule.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

static struct mr_matrix matrix; // large

static void make_matrix(uint64_t seed, uint64_t rows_a, size_t entries_a, uint64_t rows_b,
                        size_t entries_b)
{
    matrix = (struct mr_matrix){.seed = seed, .cells_count = 2};
    matrix.cells[0] = (struct mr_cell){.name = "a", .rows = rows_a, .entries_count = entries_a};
    matrix.cells[1] = (struct mr_cell){.name = "b", .rows = rows_b, .entries_count = entries_b};
}

static void test_rows_in_turn(void **state)
{
    (void)state;
    make_matrix(1, 4, 2, 2, 2);
    struct mr_schedule schedule;
    assert_int_equal(mr_schedule_init(&schedule, &matrix), 0);
    assert_int_equal(schedule.count, 6);
    static const size_t cells[] = {0, 1, 0, 1, 0, 0};
    static const uint64_t rows[] = {0, 0, 1, 1, 2, 3};
    for (size_t i = 0; i < 6; i++) {
        assert_int_equal(schedule.rows[i].cell, cells[i]);
        assert_int_equal(schedule.rows[i].row, rows[i]);
    }
    mr_schedule_fini(&schedule);
}

// Controls with fewer rows than the race have them over all of its time; with more, several a
// round.
static void test_controls_are_spread(void **state)
{
    (void)state;
    static const struct {
        uint64_t race;
        uint64_t controls;
        const char *cells;
    } rows[] = {{6, 2, "abaaabaa"}, {2, 6, "abbbabbb"}, {3, 2, "ababa"}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        make_matrix(1, rows[i].race, 2, rows[i].controls, 2);
        matrix.cells[1].is_control = true;
        struct mr_schedule schedule;
        assert_int_equal(mr_schedule_init(&schedule, &matrix), 0);
        assert_int_equal(schedule.count, rows[i].race + rows[i].controls);
        for (size_t k = 0; k < schedule.count; k++) {
            assert_int_equal(schedule.rows[k].cell, rows[i].cells[k] - 'a');
        }
        mr_schedule_fini(&schedule);
    }
}

// For two: AB BA or BA AB in every two rows.
static void test_abba(void **state)
{
    (void)state;
    make_matrix(5, 20, 2, 2, 2);
    struct mr_schedule schedule;
    assert_int_equal(mr_schedule_init(&schedule, &matrix), 0);
    const unsigned *firsts[20];
    size_t count = 0;
    for (size_t i = 0; i < schedule.count; i++) {
        if (schedule.rows[i].cell == 0) {
            firsts[count++] = schedule.rows[i].order;
        }
    }
    assert_int_equal(count, 20);
    if (count != 20) {
        return; // for readers that do not know that the assertion ends the test
    }
    unsigned begun_with_0 = 0;
    for (size_t i = 0; i < 20; i += 2) {
        assert_int_equal(firsts[i][0] + firsts[i][1], 1);
        assert_int_equal(firsts[i][0], firsts[i + 1][1]);
        assert_int_equal(firsts[i][1], firsts[i + 1][0]);
        begun_with_0 += firsts[i][0] == 0;
    }
    assert_in_range(begun_with_0, 1, 9); // both kinds come: the seed draws each block anew
    mr_schedule_fini(&schedule);
}

// For four: over four rows every entry stands once in every place, and every ordered pair once side
// by side.
static void test_williams(void **state)
{
    (void)state;
    make_matrix(9, 8, 4, 2, 2);
    struct mr_schedule schedule;
    assert_int_equal(mr_schedule_init(&schedule, &matrix), 0);
    unsigned place[4][4] = {{0}};
    unsigned beside[4][4] = {{0}};
    for (size_t i = 0; i < schedule.count; i++) {
        if (schedule.rows[i].cell != 0) {
            continue;
        }
        for (size_t k = 0; k < 4; k++) {
            place[schedule.rows[i].order[k]][k]++;
            if (k > 0) {
                beside[schedule.rows[i].order[k - 1]][schedule.rows[i].order[k]]++;
            }
        }
    }
    for (size_t a = 0; a < 4; a++) {
        for (size_t b = 0; b < 4; b++) {
            assert_int_equal(place[a][b], 2);
            assert_int_equal(beside[a][b], a == b ? 0 : 2);
        }
    }
    mr_schedule_fini(&schedule);
}

static void test_seed(void **state)
{
    (void)state;
    struct mr_schedule schedules[3];
    static const uint64_t seeds[3] = {3, 3, 4};
    for (size_t i = 0; i < 3; i++) {
        make_matrix(seeds[i], 24, 4, 24, 4);
        assert_int_equal(mr_schedule_init(&schedules[i], &matrix), 0);
    }
    size_t bytes = schedules[0].count * sizeof schedules[0].rows[0];
    assert_memory_equal(schedules[0].rows, schedules[1].rows, bytes);
    assert_memory_not_equal(schedules[0].rows, schedules[2].rows, bytes);
    for (size_t i = 0; i < 3; i++) {
        mr_schedule_fini(&schedules[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows_in_turn), cmocka_unit_test(test_controls_are_spread),
        cmocka_unit_test(test_abba),         cmocka_unit_test(test_williams),
        cmocka_unit_test(test_seed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
