// data_number_test.c: every number token is JSON, says what its bits say, and the mix is what it
// claims to be.
#include "data_test_support.h"

#include "data_number.h"

#include "base/rng.h"

#include <yyjson.h>

#define NUMBERS 60000

static uint64_t bits_of(double number)
{
    uint64_t bits;
    memcpy(&bits, &number, sizeof bits);
    return bits;
}

// A token of the contract: JSON's grammar by a library, the value by the C library.
static void check_token(struct mr_buffer *token, uint64_t bits)
{
    mr_buffer_byte(token, '\0');
    const char *text = (const char *)token->bytes;
    yyjson_doc *doc = yyjson_read(text, token->length - 1, YYJSON_READ_NOFLAG);
    if (doc == NULL || !yyjson_is_num(yyjson_doc_get_root(doc))) {
        fail_msg("no JSON number: %s", text);
    }
    yyjson_doc_free(doc);
    if (bits_of(strtod(text, NULL)) != bits) {
        fail_msg("%s is not 0x%016llx", text, (unsigned long long)bits);
    }
    double value = strtod(text, NULL);
    assert_true(value >= -1e15 && value <= 1e15);
}

static void test_messy_numbers(void **state)
{
    (void)state;
    struct mr_rng rng = mr_rng_seeded(3);
    struct mr_buffer token = {0};
    size_t lengths[32] = {0};
    size_t zeros[2] = {0};
    size_t subnormals = 0;
    size_t limits = 0;
    size_t big_e = 0;
    for (int i = 0; i < NUMBERS; i++) {
        token.length = 0;
        uint64_t bits = mr_number_messy(&rng, &token);
        check_token(&token, bits);
        size_t length = token.length - 1;
        lengths[length < 32 ? length : 31]++;
        zeros[1] += bits == 1ull << 63;
        zeros[0] += bits == 0;
        subnormals += (bits & ~(1ull << 63)) - 1 < (1ull << 52) - 1;
        limits += (bits & ~(1ull << 63)) == bits_of(1e15);
        big_e += memchr(token.bytes, 'E', length) != NULL;
    }
    for (size_t length = 1; length < 32; length++) {
        assert_true(lengths[length] > 0);
    }
    assert_true(zeros[0] > 100 && zeros[1] > 100 && subnormals > 100 && limits > 100 &&
                big_e > 100);
    mr_buffer_fini(&token);
}

static void test_simple_numbers(void **state)
{
    (void)state;
    struct mr_rng rng = mr_rng_seeded(4);
    struct mr_buffer token = {0};
    for (int i = 0; i < 5000; i++) {
        token.length = 0;
        uint64_t bits = mr_number_simple(&rng, &token);
        check_token(&token, bits);
        assert_in_range(token.length - 1, 6, 9);
        assert_null(memchr(token.bytes, 'e', token.length));
    }
    mr_buffer_fini(&token);
}

// Each number of digits up to the limit's occurs, and the limit is never passed.
static void test_integers_of_all_lengths(void **state)
{
    (void)state;
    static const uint64_t limits[] = {9, 10, 12345, 253402300799999999ull, 9223372036854775807ull};
    struct mr_rng rng = mr_rng_seeded(5);
    for (size_t i = 0; i < sizeof limits / sizeof limits[0]; i++) {
        unsigned seen = 0;
        unsigned wanted = 0;
        char text[32];
        int digits = snprintf(text, sizeof text, "%llu", (unsigned long long)limits[i]);
        for (int digit = 1; digit <= digits; digit++) {
            wanted |= 1u << digit;
        }
        for (int draw = 0; draw < 2000; draw++) {
            uint64_t number = mr_number_of_digits(&rng, limits[i]);
            assert_true(number <= limits[i]);
            seen |= 1u << snprintf(text, sizeof text, "%llu", (unsigned long long)number);
        }
        assert_int_equal(seen, wanted);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_messy_numbers),
        cmocka_unit_test(test_simple_numbers),
        cmocka_unit_test(test_integers_of_all_lengths),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
