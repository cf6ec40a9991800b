// data_fault.c: the table of faults: every kind that the contract's section 1 rejects, in variants.
#include "data_fault.h"

#include "data_fault_op.h"

#include "base/mr_assert.h"

#include <string.h>

#define COUNT_OF(array) (sizeof(array) / sizeof(array)[0])

const struct mr_fault_kind mr_fault_kinds[] = {
    {"behind-the-array", "something but white space behind the array", false, false},
    {"bom", "the text begins with a byte order mark", false, false},
    {"bracket", "a bracket or brace is missing or the wrong one", false, false},
    {"colon", "a colon is missing, double, or something else", false, false},
    {"comma", "a comma is missing, double, or before a closing bracket", false, false},
    {"comment", "a comment", false, false},
    {"control-character", "a raw byte below 0x20 in a string", false, false},
    {"cut-off", "the text ends within a record", false, false},
    {"escape-cut-off", "an escape without all its digits", false, false},
    {"escape-unknown", "an escape that JSON does not have", false, false},
    {"exponent-incomplete", "an exponent without digits", false, false},
    {"flag-twice", "a flag is there twice", false, false},
    {"flag-twice-escaped", "a flag is there twice, once with an escape", false, false},
    {"flag-unknown", "a flag that is none of the eight", false, false},
    {"id-range", "id above 2^63 - 1", false, false},
    {"integer-form", "a sign, point or exponent in an integer", false, false},
    {"key-case", "a key in other letters' case", false, false},
    {"key-missing", "a key is missing", false, false},
    {"key-twice", "a key is there twice", false, false},
    {"key-twice-escaped", "a key is there twice, once with an escape", false, false},
    {"key-type", "a key that is no string", false, false},
    {"key-unknown", "an eighth key", false, false},
    {"kind-case", "a kind in other letters' case", false, false},
    {"kind-unknown", "a kind that is none of the eight", false, false},
    {"leading-zero", "a number with a leading zero", false, false},
    {"lone-surrogate", "an escape names a lone surrogate", false, false},
    {"lone-surrogate-key", "the same in a key", false, false},
    {"message-long", "message above 4,096 bytes", false, false},
    {"nested", "something nests deeper than flags", false, false},
    {"not-a-number", "NaN, Infinity, hex digits and the like", false, false},
    {"not-an-array", "the text is no array of records", false, false},
    {"null", "null", false, false},
    {"plus-sign", "a number with a plus sign", false, false},
    {"point-bare", "a point without digits on both sides", false, false},
    {"quotes", "a string without its quotes, or with others", false, false},
    {"record-type", "a record that is no object", false, false},
    {"source-empty", "an empty source", false, false},
    {"source-long", "source above 64 bytes", false, false},
    {"source-long-escaped", "source above 64 bytes after unescaping", false, false},
    {"timestamp-range", "timestamp beyond the year 9999", false, false},
    {"type", "a value of another type", false, false},
    {"utf8-beyond", "a code point past U+10FFFF", false, false},
    {"utf8-cut-off", "a character without all its bytes", false, false},
    {"utf8-outside", "bytes beyond ASCII outside strings", false, false},
    {"utf8-overlong", "a character in more bytes than it needs", false, false},
    {"utf8-stray", "a byte that begins no character", false, false},
    {"utf8-surrogate", "a surrogate encoded as UTF-8", false, false},
    {"value-missing", "nothing where a value must be", false, false},
    {"value-overflow", "a number too large for a double", false, false},
    {"value-range", "value beyond 1e15", false, false},
    {"white-space", "white space that JSON does not have", false, false},
    {"empty", "an empty text, or only white space", true, false},
    {"records-max", "more than 65,535 records", false, true},
};
const size_t mr_fault_kinds_count = COUNT_OF(mr_fault_kinds);
_Static_assert(COUNT_OF(mr_fault_kinds) <= MR_FAULT_KINDS_MAX, "counters have a place for each");

// Rows: kind, op, key, text. TEXT() counts the bytes, so that zero bytes may be among them.
#define TEXT(literal)    (literal), sizeof(literal) - 1, 0
#define FILL(literal, n) (literal), sizeof(literal) - 1, (n)
#define ANY              MR_FAULT_ANY_KEY
static const struct mr_fault_variant variants[] = {
    {"behind-the-array", MR_FAULT_BEHIND, ANY, TEXT("x")},
    {"behind-the-array", MR_FAULT_BEHIND, ANY, TEXT("[]")},
    {"behind-the-array", MR_FAULT_BEHIND, ANY, TEXT("]")},
    {"behind-the-array", MR_FAULT_BEHIND, ANY, TEXT(",")},
    {"behind-the-array", MR_FAULT_BEHIND, ANY, TEXT("\n0")},
    {"behind-the-array", MR_FAULT_BEHIND, ANY, TEXT("\0")},

    {"bom", MR_FAULT_BEFORE, ANY, TEXT("\xEF\xBB\xBF")},

    {"bracket", MR_FAULT_OPEN, ANY, TEXT("")},
    {"bracket", MR_FAULT_OPEN, ANY, TEXT("[")},
    {"bracket", MR_FAULT_OPEN, ANY, TEXT("{{")},
    {"bracket", MR_FAULT_CLOSE, ANY, TEXT("")},
    {"bracket", MR_FAULT_CLOSE, ANY, TEXT("]")},
    {"bracket", MR_FAULT_CLOSE, ANY, TEXT("}}")},
    {"bracket", MR_FAULT_FIRST, ANY, TEXT("")},
    {"bracket", MR_FAULT_LAST, ANY, TEXT("")},
    {"bracket", MR_FAULT_LAST, ANY, TEXT("}")},
    {"bracket", MR_FAULT_VALUE, MR_KEY_FLAGS, TEXT("[\"urgent\"")},
    {"bracket", MR_FAULT_VALUE, MR_KEY_FLAGS, TEXT("\"urgent\"]")},

    {"colon", MR_FAULT_COLON, ANY, TEXT(" ")},
    {"colon", MR_FAULT_COLON, ANY, TEXT("::")},
    {"colon", MR_FAULT_COLON, ANY, TEXT("=")},
    {"colon", MR_FAULT_COLON, ANY, TEXT(",")},

    {"comma", MR_FAULT_COMMA, ANY, TEXT(" ")},
    {"comma", MR_FAULT_COMMA, ANY, TEXT(",,")},
    {"comma", MR_FAULT_COMMA, ANY, TEXT(";")},
    {"comma", MR_FAULT_CLOSE, ANY, TEXT(",}")},
    {"comma", MR_FAULT_OPEN, ANY, TEXT("{,")},
    {"comma", MR_FAULT_FIRST, ANY, TEXT("[,")},
    {"comma", MR_FAULT_LAST, ANY, TEXT(",]")},
    {"comma", MR_FAULT_VALUE, MR_KEY_FLAGS, TEXT("[\"urgent\",]")},
    {"comma", MR_FAULT_VALUE, MR_KEY_FLAGS, TEXT("[,\"urgent\"]")},
    {"comma", MR_FAULT_VALUE, MR_KEY_FLAGS, TEXT("[\"urgent\" \"retry\"]")},

    {"comment", MR_FAULT_GAP, ANY, TEXT("/* note */")},
    {"comment", MR_FAULT_GAP, ANY, TEXT("// note\n")},
    {"comment", MR_FAULT_GAP, ANY, TEXT("# note\n")},

    {"control-character", MR_FAULT_STRING, ANY, TEXT("\n")},
    {"control-character", MR_FAULT_STRING, ANY, TEXT("\t")},
    {"control-character", MR_FAULT_STRING, ANY, TEXT("\0")},
    {"control-character", MR_FAULT_STRING, ANY, TEXT("\x1f")},

    {"cut-off", MR_FAULT_CUT, ANY, TEXT("")},

    {"escape-cut-off", MR_FAULT_STRING, ANY, TEXT("\\u ")},
    {"escape-cut-off", MR_FAULT_STRING, ANY, TEXT("\\u12 ")},
    {"escape-cut-off", MR_FAULT_STRING, ANY, TEXT("\\u123g")},
    {"escape-cut-off", MR_FAULT_STRING, ANY, TEXT("\\u00\\n")},
    {"escape-cut-off", MR_FAULT_STRING_END, ANY, TEXT("\\u004\"")},
    {"escape-cut-off", MR_FAULT_STRING_END, ANY, TEXT("\\\"")},

    {"escape-unknown", MR_FAULT_STRING, ANY, TEXT("\\x41")},
    {"escape-unknown", MR_FAULT_STRING, ANY, TEXT("\\'")},
    {"escape-unknown", MR_FAULT_STRING, ANY, TEXT("\\a")},
    {"escape-unknown", MR_FAULT_STRING, ANY, TEXT("\\0")},
    {"escape-unknown", MR_FAULT_STRING, ANY, TEXT("\\U0041")},
    {"escape-unknown", MR_FAULT_STRING, ANY, TEXT("\\N")},
    {"escape-unknown", MR_FAULT_STRING, ANY, TEXT("\\\xC3\xA9")},

    {"exponent-incomplete", MR_FAULT_VALUE, MR_KEY_VALUE, TEXT("1e")},
    {"exponent-incomplete", MR_FAULT_VALUE, MR_KEY_VALUE, TEXT("2.5E+")},
    {"exponent-incomplete", MR_FAULT_VALUE, MR_KEY_VALUE, TEXT("-3e-")},
    {"exponent-incomplete", MR_FAULT_VALUE, MR_KEY_VALUE, TEXT("4e1.5")},

    {"flag-twice", MR_FAULT_VALUE, MR_KEY_FLAGS, TEXT("[\"retry\",\"retry\"]")},
    {"flag-twice", MR_FAULT_VALUE, MR_KEY_FLAGS,
     TEXT("[\"urgent\",\"sampled\",\"retry\",\"internal\",\"encrypted\",\"batched\",\"partial\","
          "\"replayed\",\"urgent\"]")},
    {"flag-twice-escaped", MR_FAULT_VALUE, MR_KEY_FLAGS, TEXT("[\"retry\",\"\\u0072etry\"]")},
    {"flag-twice-escaped", MR_FAULT_VALUE, MR_KEY_FLAGS,
     TEXT("[\"partia\\u006C\",\"urgent\",\"partial\"]")},

    {"flag-unknown", MR_FAULT_VALUE, MR_KEY_FLAGS, TEXT("[\"urgen\"]")},
    {"flag-unknown", MR_FAULT_VALUE, MR_KEY_FLAGS, TEXT("[\"Urgent\"]")},
    {"flag-unknown", MR_FAULT_VALUE, MR_KEY_FLAGS, TEXT("[\"urgent\",\"\"]")},
    {"flag-unknown", MR_FAULT_VALUE, MR_KEY_FLAGS, TEXT("[\"urgent\\u0000\"]")},

    {"id-range", MR_FAULT_VALUE, MR_KEY_ID, TEXT("9223372036854775808")},
    {"id-range", MR_FAULT_VALUE, MR_KEY_ID, TEXT("18446744073709551615")},
    {"id-range", MR_FAULT_VALUE, MR_KEY_ID, TEXT("18446744073709551616")},
    {"id-range", MR_FAULT_VALUE, MR_KEY_ID, TEXT("100000000000000000000000000000000000007")},

    {"integer-form", MR_FAULT_VALUE, MR_KEY_ID, TEXT("%.0")},
    {"integer-form", MR_FAULT_VALUE, MR_KEY_ID, TEXT("-%")},
    {"integer-form", MR_FAULT_VALUE, MR_KEY_ID, TEXT("-0")},
    {"integer-form", MR_FAULT_VALUE, MR_KEY_ID, TEXT("1e3")},
    {"integer-form", MR_FAULT_VALUE, MR_KEY_TIMESTAMP, TEXT("%.0")},
    {"integer-form", MR_FAULT_VALUE, MR_KEY_TIMESTAMP, TEXT("%E0")},
    {"integer-form", MR_FAULT_VALUE, MR_KEY_TIMESTAMP, TEXT("-1")},

    {"key-case", MR_FAULT_KEY, MR_KEY_ID, TEXT("\"Id\"")},
    {"key-case", MR_FAULT_KEY, MR_KEY_TIMESTAMP, TEXT("\"timeStamp\"")},
    {"key-case", MR_FAULT_KEY, MR_KEY_MESSAGE, TEXT("\"MESSAGE\"")},

    {"key-missing", MR_FAULT_DROP, ANY, TEXT("")},
    {"key-missing", MR_FAULT_RECORD, ANY, TEXT("{}")},

    {"key-twice", MR_FAULT_TWICE, ANY, TEXT("")},
    {"key-twice-escaped", MR_FAULT_TWICE_ESCAPED, ANY, TEXT("")},

    {"key-type", MR_FAULT_MEMBER, ANY, TEXT("5:1")},
    {"key-type", MR_FAULT_MEMBER, ANY, TEXT("null:1")},
    {"key-type", MR_FAULT_MEMBER, ANY, TEXT("[]:1")},

    {"key-unknown", MR_FAULT_MEMBER, ANY, TEXT("\"extra\":1")},
    {"key-unknown", MR_FAULT_MEMBER, ANY, TEXT("\"\":\"\"")},
    {"key-unknown", MR_FAULT_MEMBER, ANY, TEXT("\"ids\":7")},
    {"key-unknown", MR_FAULT_MEMBER, ANY, TEXT("\"id\\u0000\":7")},
    {"key-unknown", MR_FAULT_MEMBER, ANY, TEXT("\"messag\":\"\"")},
    {"key-unknown", MR_FAULT_MEMBER, ANY, TEXT("\"v\xC3\xA4lue\":0")},

    {"kind-case", MR_FAULT_VALUE, MR_KEY_KIND, TEXT("\"Event\"")},
    {"kind-case", MR_FAULT_VALUE, MR_KEY_KIND, TEXT("\"AUDIT\"")},
    {"kind-unknown", MR_FAULT_VALUE, MR_KEY_KIND, TEXT("\"\"")},
    {"kind-unknown", MR_FAULT_VALUE, MR_KEY_KIND, TEXT("\"metrics\"")},
    {"kind-unknown", MR_FAULT_VALUE, MR_KEY_KIND, TEXT("\"spa\"")},
    {"kind-unknown", MR_FAULT_VALUE, MR_KEY_KIND, TEXT("\" log\"")},
    {"kind-unknown", MR_FAULT_VALUE, MR_KEY_KIND, TEXT("\"state\\u0000\"")},

    {"leading-zero", MR_FAULT_VALUE, MR_KEY_ID, TEXT("0%")},
    {"leading-zero", MR_FAULT_VALUE, MR_KEY_TIMESTAMP, TEXT("00%")},
    {"leading-zero", MR_FAULT_VALUE, MR_KEY_VALUE, TEXT("01.5")},
    {"leading-zero", MR_FAULT_VALUE, MR_KEY_VALUE, TEXT("-00")},

    {"lone-surrogate", MR_FAULT_STRING, ANY, TEXT("\\ud800")},
    {"lone-surrogate", MR_FAULT_STRING, ANY, TEXT("\\uDBFF")},
    {"lone-surrogate", MR_FAULT_STRING, ANY, TEXT("\\udc00")},
    {"lone-surrogate", MR_FAULT_STRING, ANY, TEXT("\\uDFFF")},
    {"lone-surrogate", MR_FAULT_STRING, ANY, TEXT("\\ude00\\ud83d")},
    {"lone-surrogate", MR_FAULT_STRING, ANY, TEXT("\\ud83d\\u0041")},
    {"lone-surrogate", MR_FAULT_STRING, ANY, TEXT("\\ud83d\\n")},
    {"lone-surrogate-key", MR_FAULT_MEMBER, ANY, TEXT("\"\\ud800\":1")},
    {"lone-surrogate-key", MR_FAULT_MEMBER, ANY, TEXT("\"id\\udfff\":1")},

    {"message-long", MR_FAULT_LONG, MR_KEY_MESSAGE, FILL("m", 4097)},
    {"message-long", MR_FAULT_LONG, MR_KEY_MESSAGE, FILL("\\n", 4097)},
    {"message-long", MR_FAULT_LONG, MR_KEY_MESSAGE, FILL("\xE4\xBA\xAC", 1366)},

    {"nested", MR_FAULT_ARRAY, ANY, TEXT("[%]")},
    {"nested", MR_FAULT_RECORD, ANY, TEXT("[%]")},
    {"nested", MR_FAULT_VALUE, MR_KEY_FLAGS, TEXT("[%]")},
    {"nested", MR_FAULT_VALUE, MR_KEY_FLAGS, TEXT("[{}]")},
    {"nested", MR_FAULT_DEEP, MR_KEY_MESSAGE, FILL("]", 2000)},
    {"nested", MR_FAULT_DEEP, MR_KEY_FLAGS, FILL("", 2000)},

    {"not-a-number", MR_FAULT_VALUE, MR_KEY_VALUE, TEXT("NaN")},
    {"not-a-number", MR_FAULT_VALUE, MR_KEY_VALUE, TEXT("-Infinity")},
    {"not-a-number", MR_FAULT_VALUE, MR_KEY_VALUE, TEXT("0x1F")},
    {"not-a-number", MR_FAULT_VALUE, MR_KEY_VALUE, TEXT("-")},
    {"not-a-number", MR_FAULT_VALUE, MR_KEY_VALUE, TEXT("--1")},
    {"not-a-number", MR_FAULT_VALUE, MR_KEY_VALUE, TEXT("1_000")},
    {"not-a-number", MR_FAULT_VALUE, MR_KEY_VALUE, TEXT("1 000")},
    {"not-a-number", MR_FAULT_VALUE, MR_KEY_VALUE, TEXT("1.2.3")},
    {"not-a-number", MR_FAULT_VALUE, MR_KEY_VALUE, TEXT("5f")},
    {"not-a-number", MR_FAULT_VALUE, MR_KEY_ID, TEXT("0b1")},

    {"not-an-array", MR_FAULT_ARRAY, ANY, TEXT("{\"records\":%}")},
    {"not-an-array", MR_FAULT_ARRAY, ANY, TEXT("\"\"%")},
    {"not-an-array", MR_FAULT_ARRAY, ANY, TEXT("null%")},

    {"null", MR_FAULT_VALUE, ANY, TEXT("null")},
    {"null", MR_FAULT_VALUE, MR_KEY_FLAGS, TEXT("[null]")},

    {"type", MR_FAULT_VALUE, MR_KEY_SOURCE, TEXT("17")},
    {"type", MR_FAULT_VALUE, MR_KEY_KIND, TEXT("1")},
    {"type", MR_FAULT_VALUE, MR_KEY_MESSAGE, TEXT("true")},
    {"type", MR_FAULT_VALUE, MR_KEY_MESSAGE, TEXT("[\"text\"]")},
    {"type", MR_FAULT_VALUE, MR_KEY_FLAGS, TEXT("[0]")},
    {"type", MR_FAULT_VALUE, MR_KEY_VALUE, TEXT("false")},

    {"plus-sign", MR_FAULT_VALUE, MR_KEY_ID, TEXT("+%")},
    {"plus-sign", MR_FAULT_VALUE, MR_KEY_TIMESTAMP, TEXT("+%")},
    {"plus-sign", MR_FAULT_VALUE, MR_KEY_VALUE, TEXT("+1.5")},

    {"point-bare", MR_FAULT_VALUE, MR_KEY_VALUE, TEXT("1.")},
    {"point-bare", MR_FAULT_VALUE, MR_KEY_VALUE, TEXT(".5")},
    {"point-bare", MR_FAULT_VALUE, MR_KEY_VALUE, TEXT("-.5")},
    {"point-bare", MR_FAULT_VALUE, MR_KEY_VALUE, TEXT("1.e3")},

    {"quotes", MR_FAULT_KEY, ANY, TEXT("%")},
    {"quotes", MR_FAULT_KEY, ANY, TEXT("'%'")},
    {"quotes", MR_FAULT_VALUE, MR_KEY_KIND, TEXT("'event'")},
    {"quotes", MR_FAULT_VALUE, MR_KEY_KIND, TEXT("event")},
    {"quotes", MR_FAULT_STRING_END, ANY, TEXT("")},
    {"quotes", MR_FAULT_STRING_END, ANY, TEXT("\"\"")},

    {"record-type", MR_FAULT_RECORD, ANY, TEXT("null")},
    {"record-type", MR_FAULT_RECORD, ANY, TEXT("17")},
    {"record-type", MR_FAULT_RECORD, ANY, TEXT("\"record\"")},
    {"record-type", MR_FAULT_RECORD, ANY, TEXT("[]")},

    {"source-empty", MR_FAULT_VALUE, MR_KEY_SOURCE, TEXT("\"\"")},
    {"source-long", MR_FAULT_LONG, MR_KEY_SOURCE, FILL("s", 65)},
    {"source-long", MR_FAULT_LONG, MR_KEY_SOURCE, FILL("\xC3\xA9", 33)},
    {"source-long-escaped", MR_FAULT_LONG, MR_KEY_SOURCE, FILL("\\t", 65)},
    {"source-long-escaped", MR_FAULT_LONG, MR_KEY_SOURCE, FILL("\\u00e9", 33)},
    {"source-long-escaped", MR_FAULT_LONG, MR_KEY_SOURCE, FILL("\\ud83d\\ude80", 17)},

    {"type", MR_FAULT_VALUE, MR_KEY_ID, TEXT("\"%\"")},
    {"type", MR_FAULT_VALUE, MR_KEY_TIMESTAMP, TEXT("\"%\"")},
    {"type", MR_FAULT_VALUE, MR_KEY_VALUE, TEXT("\"%\"")},
    {"type", MR_FAULT_VALUE, MR_KEY_FLAGS, TEXT("\"urgent\"")},
    {"type", MR_FAULT_VALUE, MR_KEY_FLAGS, TEXT("{\"urgent\":true}")},

    {"timestamp-range", MR_FAULT_VALUE, MR_KEY_TIMESTAMP, TEXT("253402300800000000")},
    {"timestamp-range", MR_FAULT_VALUE, MR_KEY_TIMESTAMP, TEXT("1764054335349840000")},
    {"timestamp-range", MR_FAULT_VALUE, MR_KEY_TIMESTAMP, TEXT("18446744073709551617")},

    {"utf8-beyond", MR_FAULT_STRING, ANY, TEXT("\xF4\x90\x80\x80")},
    {"utf8-beyond", MR_FAULT_STRING, ANY, TEXT("\xF5\x80\x80\x80")},
    {"utf8-beyond", MR_FAULT_STRING, ANY, TEXT("\xF8\x88\x80\x80\x80")},

    {"utf8-cut-off", MR_FAULT_STRING, ANY, TEXT("\xC3")},
    {"utf8-cut-off", MR_FAULT_STRING, ANY, TEXT("\xE2\x82")},
    {"utf8-cut-off", MR_FAULT_STRING, ANY, TEXT("\xF0\x9F\x98")},
    {"utf8-cut-off", MR_FAULT_STRING_END, ANY, TEXT("\xF0\x9F\"")},

    {"utf8-outside", MR_FAULT_GAP, ANY, TEXT("\xC3\xA9")},
    {"utf8-outside", MR_FAULT_GAP, ANY, TEXT("\xFF")},
    {"utf8-outside", MR_FAULT_GAP, ANY, TEXT("\xEF\xBB\xBF")},

    {"utf8-overlong", MR_FAULT_STRING, ANY, TEXT("\xC0\x80")},
    {"utf8-overlong", MR_FAULT_STRING, ANY, TEXT("\xC1\xBF")},
    {"utf8-overlong", MR_FAULT_STRING, ANY, TEXT("\xE0\x80\xAF")},
    {"utf8-overlong", MR_FAULT_STRING, ANY, TEXT("\xE0\x9F\xBF")},
    {"utf8-overlong", MR_FAULT_STRING, ANY, TEXT("\xF0\x80\x80\x80")},
    {"utf8-overlong", MR_FAULT_STRING, ANY, TEXT("\xF0\x8F\xBF\xBF")},

    {"utf8-stray", MR_FAULT_STRING, ANY, TEXT("\x80")},
    {"utf8-stray", MR_FAULT_STRING, ANY, TEXT("\xBF")},
    {"utf8-stray", MR_FAULT_STRING, ANY, TEXT("\xFE")},
    {"utf8-stray", MR_FAULT_STRING, ANY, TEXT("\xFF")},

    {"utf8-surrogate", MR_FAULT_STRING, ANY, TEXT("\xED\xA0\x80")},
    {"utf8-surrogate", MR_FAULT_STRING, ANY, TEXT("\xED\xBF\xBF")},
    {"utf8-surrogate", MR_FAULT_STRING, ANY, TEXT("\xED\xA0\xBD\xED\xB8\x80")},

    {"value-missing", MR_FAULT_VALUE, ANY, TEXT("")},

    {"value-overflow", MR_FAULT_VALUE, MR_KEY_VALUE, TEXT("1e400")},
    {"value-overflow", MR_FAULT_VALUE, MR_KEY_VALUE, TEXT("-1.5E+999999999999999999999")},

    {"value-range", MR_FAULT_VALUE, MR_KEY_VALUE, TEXT("1000000000000000.1")},
    {"value-range", MR_FAULT_VALUE, MR_KEY_VALUE, TEXT("-1000000000000000.0625000000000000001")},
    {"value-range", MR_FAULT_VALUE, MR_KEY_VALUE, TEXT("-1e16")},
    {"value-range", MR_FAULT_VALUE, MR_KEY_VALUE, TEXT("1.7976931348623157e308")},
    {"value-range", MR_FAULT_VALUE, MR_KEY_VALUE, TEXT("9223372036854775808")},

    {"white-space", MR_FAULT_GAP, ANY, TEXT("\x0b")},
    {"white-space", MR_FAULT_GAP, ANY, TEXT("\x0c")},
    {"white-space", MR_FAULT_GAP, ANY, TEXT("\0")},
    {"white-space", MR_FAULT_GAP, ANY, TEXT("\xC2\xA0")},
    {"white-space", MR_FAULT_GAP, ANY, TEXT("\xE2\x80\xA8")},

    {"empty", MR_FAULT_WHOLE, ANY, TEXT("")},
    {"empty", MR_FAULT_WHOLE, ANY, TEXT(" \t\r\n")},

    {"records-max", MR_FAULT_MANY, ANY, TEXT("")},
};

size_t mr_fault_variants(size_t kind)
{
    MR_ASSERT(kind < mr_fault_kinds_count);
    size_t count = 0;
    for (size_t i = 0; i < COUNT_OF(variants); i++) {
        count += strcmp(variants[i].kind, mr_fault_kinds[kind].name) == 0;
    }
    MR_ASSERT(count > 0);
    return count;
}

const struct mr_fault_variant *mr_fault_variant(size_t kind, size_t variant)
{
    MR_ASSERT(kind < mr_fault_kinds_count);
    for (size_t i = 0; i < COUNT_OF(variants); i++) {
        if (strcmp(variants[i].kind, mr_fault_kinds[kind].name) == 0 && variant-- == 0) {
            return &variants[i];
        }
    }
    MR_ASSERT(false && "there is no such variant");
    return NULL;
}
