// data_split_test.c: the pieces of arrays and of lines, and what is at fault around them.
#include "data_test_support.h"

#include "data_split.h"

// Splits `text` and writes what comes: "<piece>" each, "!OFFSET" for a fault.
static void assert_split(const char *text, const char *expected)
{
    char got[512] = "";
    size_t used = 0;
    struct mr_splitter splitter = mr_splitter_init((const uint8_t *)text, strlen(text));
    struct mr_piece piece;
    enum mr_split split;
    while ((split = mr_splitter_next(&splitter, &piece)) != MR_SPLIT_END) {
        if (split == MR_SPLIT_FAULT) {
            assert_non_null(piece.why);
            used += (size_t)snprintf(got + used, sizeof got - used, "!%zu", piece.start);
        } else {
            used += (size_t)snprintf(got + used, sizeof got - used, "<%.*s>",
                                     (int)(piece.end - piece.start), text + piece.start);
        }
    }
    assert_string_equal(got, expected);
    assert_int_equal(mr_splitter_next(&splitter, &piece), MR_SPLIT_END); // and stays there
}

static void test_arrays(void **state)
{
    (void)state;
    assert_split("[]", "");
    assert_split(" \n[ ] \t", "");
    assert_split("[{}]", "<{}>");
    assert_split("[ {\"a\":[1,2]} ,\r\n{\"b\":\"],\\\"}\"}\n]",
                 "<{\"a\":[1,2]}><{\"b\":\"],\\\"}\"}>");
    assert_split("[1,x,\"\"]", "<1><x><\"\">"); // whether a piece is a record is not asked here
    assert_split("[\"a\\\\\",2]", "<\"a\\\\\"><2>");
    assert_split("[{]}]", "<{]}>"); // nonsense goes to the parsers as one piece
}

static void test_faults_of_arrays(void **state)
{
    (void)state;
    assert_split("[", "!1");
    assert_split("[{}", "!3");
    assert_split("[{},", "<{}>!4");
    assert_split("[{\"a\":\"x}]", "!10");
    assert_split("[\"\\", "!3");
    assert_split("[,{}]", "!1");
    assert_split("[{},,{}]", "<{}>!4");
    assert_split("[{}, ]", "<{}>!5");
    assert_split("[{}] x", "<{}>!5");
    assert_split("[][]", "!2");
}

static void test_lines(void **state)
{
    (void)state;
    assert_split("", "");
    assert_split(" \n\r\n", "");
    assert_split("{}", "<{}>");
    assert_split("{\"a\":1}\n{\"b\":2}\r\n\n  {} \n", "<{\"a\":1}><{\"b\":2}><{}>");
    assert_split("{\n}\n", "<{><}>"); // a record a line
    assert_split("x", "<x>");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_arrays),
        cmocka_unit_test(test_faults_of_arrays),
        cmocka_unit_test(test_lines),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
