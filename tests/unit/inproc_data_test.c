// inproc_data_test.c: the data of the job `notes`: digests of texts as the design fixed them, and
// variants.
#define XXH_INLINE_ALL
#include <xxhash.h>

#include "inproc/notes_data.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

struct anchor {
    enum mr_corpus corpus;
    size_t count;
    enum mr_notes_profile profile;
    size_t bytes;
    uint64_t digest;
};

// Computed by the reference from the design's page.
static const struct anchor anchors[] = {
    {MR_CORPUS_ASCII, 3, MR_NOTES_REQUIRED, 418, 0xea3c305a74eb2f89},
    {MR_CORPUS_ASCII, 1000, MR_NOTES_HTML, 155307, 0x96c96eda46de4a03},
    {MR_CORPUS_MIXED, 1000, MR_NOTES_REQUIRED, 165024, 0xbb1cabcdab44d515},
    {MR_CORPUS_MIXED, 1000, MR_NOTES_REQUIRED_UPPER, 165024, 0xb5f93e440b2d9d8b},
    {MR_CORPUS_MIXED, 1000, MR_NOTES_HTML, 185668, 0x677e8b4c891ee2e0},
};

static struct mr_notes_data make(enum mr_corpus corpus, size_t count)
{
    struct mr_notes_data data;
    struct mr_notes_data_params params = {.count = count, .corpus = corpus, .seed = 42};
    assert_int_equal(mr_notes_data_init(&data, &params), 0);
    assert_int_equal(data.count, count);
    return data;
}

static void test_anchors(void **context)
{
    (void)context;
    for (size_t i = 0; i < sizeof anchors / sizeof anchors[0]; i++) {
        struct mr_notes_data data = make(anchors[i].corpus, anchors[i].count);
        struct mr_notes_job job = {NULL, data.notes, data.count, anchors[i].profile};
        assert_int_equal(mr_notes_kernel_choose(NULL, &job.kernel), 0);
        size_t capacity = mr_notes_bound(data.notes, data.count);
        void *out = malloc(capacity);
        assert_non_null(out);
        struct mr_notes_result result;
        assert_int_equal(mr_notes_write(&job, out, capacity, &result), MR_NOTES_WRITTEN);
        assert_int_equal(result.length, anchors[i].bytes);
        assert_int_equal(XXH3_64bits(out, result.length), anchors[i].digest);
        free(out);
        mr_notes_data_fini(&data);
    }
}

static bool is_same(const struct mr_note *one, const struct mr_note *other)
{
    return one->id == other->id && one->title == other->title && one->text == other->text &&
           one->title_bytes == other->title_bytes && one->text_bytes == other->text_bytes;
}

// Each variant is one of the original, whatever was set before; at counts where the two notes meet,
// are one, or are not there.
static void test_variants(void **context)
{
    (void)context;
    for (size_t count = 1; count <= 40; count++) {
        struct mr_notes_data data = make(MR_CORPUS_MIXED, count);
        struct mr_note original[40];
        memcpy(original, data.notes, count * sizeof original[0]);
        for (unsigned step = 0; step < 3 * MR_NOTES_VARIANTS; step++) {
            unsigned k = 7 * step % MR_NOTES_VARIANTS;
            struct mr_note expected[40];
            memcpy(expected, original, sizeof expected);
            expected[0].id = (int32_t)(1 + k);
            if (k > 0 && count > k) {
                expected[k].text = original[count - 1 - k].text;
                expected[k].text_bytes = original[count - 1 - k].text_bytes;
                expected[count - 1 - k].text = original[k].text;
                expected[count - 1 - k].text_bytes = original[k].text_bytes;
            }
            mr_notes_data_set_variant(&data, k);
            for (size_t i = 0; i < count; i++) {
                assert_true(is_same(&data.notes[i], &expected[i]));
            }
        }
        mr_notes_data_fini(&data);
    }
    struct mr_notes_data none = make(MR_CORPUS_ASCII, 0);
    mr_notes_data_set_variant(&none, 3);
    mr_notes_data_fini(&none);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_anchors),
        cmocka_unit_test(test_variants),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
