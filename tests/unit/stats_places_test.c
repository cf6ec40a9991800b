// stats_places_test.c: places in a table, from who was found ahead of whom.
#include <stats/paired.h>
#include <stats/places.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

// `findings`: pairs of letters, "ab" for "a was found ahead of b". `places`: one digit a
// contestant.
static void check(size_t count, const char *findings, const char *places)
{
    bool ahead[MR_PLACES_MAX * MR_PLACES_MAX] = {false};
    size_t place[MR_PLACES_MAX];
    for (const char *at = findings; *at != '\0'; at += at[2] == ' ' ? 3 : 2) {
        ahead[(size_t)(at[0] - 'a') * count + (size_t)(at[1] - 'a')] = true;
    }
    mr_places(ahead, count, place);
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(place[i], places[i] - '0');
    }
}

static void test_clear_tables(void **state)
{
    (void)state;
    check(1, "", "1");
    check(2, "", "11");
    check(2, "ba", "21");
    check(3, "ab ac bc", "123");
    check(3, "ca cb ab", "231");
    check(4, "", "1111");
}

// The place after a shared one is counted from all who are before it.
static void test_shared(void **state)
{
    (void)state;
    check(3, "ac bc", "113");
    check(3, "ab ac", "122");
    check(4, "ac ad bc bd", "1133");
    check(4, "ab ac ad bd cd", "1224");
}

// a = b and b = c, but a is ahead of c: b ties all three.
static void test_chain(void **state)
{
    (void)state;
    check(3, "ac", "111");
    check(4, "ac ad bd cd", "1114");
    check(4, "ac ad bd", "1111");
}

static void test_circle(void **state)
{
    (void)state;
    check(3, "ab bc ca", "111");
    check(4, "ab bc ca ad bd cd", "1114");
    // a and b are not distinguished, and c stands between them.
    check(3, "ac cb", "111");
}

// Who is called what may not matter: every permutation of a table gives the permuted places.
static void test_names_do_not_matter(void **state)
{
    (void)state;
    const bool ahead[16] = {false, true,  true,  true, false, false, false, true,
                            false, false, false, true, false, false, false, false};
    const size_t expected[4] = {1, 2, 2, 4};
    for (size_t code = 0; code < 256; code++) {
        const size_t of[4] = {code & 3, code >> 2 & 3, code >> 4 & 3, code >> 6 & 3};
        if ((1u << of[0] | 1u << of[1] | 1u << of[2] | 1u << of[3]) != 15) {
            continue;
        }
        bool permuted[16];
        size_t place[4];
        for (size_t i = 0; i < 4; i++) {
            for (size_t j = 0; j < 4; j++) {
                permuted[i * 4 + j] = ahead[of[i] * 4 + of[j]];
            }
        }
        mr_places(permuted, 4, place);
        for (size_t i = 0; i < 4; i++) {
            assert_int_equal(place[i], expected[of[i]]);
        }
    }
}

// The rows that the rules ask for resolve all pairs of a table: 8 for 4, 12 for 6.
static void test_level(void **state)
{
    (void)state;
    assert_true(mr_places_level(2, 0.05) == 0.05);
    assert_true(fabs(mr_places_level(4, 0.05) - 0.05 / 6) < 1e-15);
    assert_true(mr_sign_order(8, mr_places_level(4, 0.05)) == 1);
    assert_true(mr_sign_order(12, mr_places_level(6, 0.05)) == 1);
    assert_true(mr_sign_order(8, mr_places_level(6, 0.05)) == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_clear_tables),
        cmocka_unit_test(test_shared),
        cmocka_unit_test(test_chain),
        cmocka_unit_test(test_circle),
        cmocka_unit_test(test_names_do_not_matter),
        cmocka_unit_test(test_level),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
