// dataset_open_test.c: a whole dataset opens; whatever is wrong with one of its files is named.
#include "data_test_support.h"

#include "data_buffer.h"

#include "base/rng.h"
#include "dataset/dataset.h"
#include "dataset/file_hash.h"

#include <errno.h>
#include <sys/stat.h>

static struct test_folder folder;

static int set_up(void **state)
{
    (void)state;
    test_folder_init(&folder);
    test_make(&folder, "rejects", 12, 8);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    test_folder_fini(&folder);
    return 0;
}

static const char *file_path(const char *end)
{
    static char path[128];
    (void)snprintf(path, sizeof path, "%s.%s", folder.dataset, end);
    return path;
}

static void read_file(const char *end, struct mr_buffer *out)
{
    FILE *file = fopen(file_path(end), "rb");
    assert_non_null(file);
    out->length = 0;
    assert_true(mr_buffer_reserve(out, 1 << 20));
    out->length = fread(out->bytes, 1, 1 << 20, file);
    assert_int_equal(fclose(file), 0);
}

static void write_file(const char *end, const struct mr_buffer *bytes)
{
    FILE *file = fopen(file_path(end), "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes->bytes, 1, bytes->length, file), bytes->length);
    assert_int_equal(fclose(file), 0);
}

// The dataset does not open, and the fault names file `end` and says `word`.
static void assert_fault(int error, const char *end, const char *word)
{
    struct mr_dataset dataset;
    struct mr_dataset_fault fault;
    assert_int_equal(mr_dataset_init(&dataset, folder.dataset, &fault), error);
    if (strncmp(fault.text, file_path(end), strlen(file_path(end))) != 0 ||
        strstr(fault.text, word) == NULL) {
        fail_msg("not about .%s with \"%s\": %s", end, word, fault.text);
    }
}

static void test_whole(void **state)
{
    (void)state;
    struct mr_dataset dataset;
    struct mr_dataset_fault fault;
    assert_int_equal(mr_dataset_init(&dataset, folder.dataset, &fault), 0);
    assert_string_equal(dataset.name, "set");
    assert_string_equal(dataset.shape, "rejects");
    assert_int_equal(strlen(dataset.sha256), 64);
    assert_int_equal(dataset.frames.count, 12);
    uint64_t records = 0;
    size_t rejected = 0;
    for (size_t i = 0; i < 12; i++) {
        records += dataset.answers[i].records;
        rejected += dataset.answers[i].status;
        assert_int_equal(dataset.notes[i].totals.batches_accepted, 1 - dataset.answers[i].status);
    }
    assert_int_equal(rejected, 6);
    assert_int_equal(dataset.records, records);
    mr_dataset_fini(&dataset);

    // The names of two of its files do as well.
    assert_int_equal(mr_dataset_init(&dataset, file_path("json"), &fault), 0);
    assert_string_equal(dataset.name, "set");
    mr_dataset_fini(&dataset);
    assert_int_equal(mr_dataset_init(&dataset, file_path("batches"), &fault), 0);
    mr_dataset_fini(&dataset);
}

static void test_missing(void **state)
{
    (void)state;
    static const char *const ends[] = {"edits", "answers", "batches", "json"};
    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++) {
        assert_int_equal(unlink(file_path(ends[i])), 0);
        assert_fault(-ENOENT, ends[i], "No such file");
    }
    struct mr_dataset dataset;
    struct mr_dataset_fault fault;
    assert_int_equal(mr_dataset_init(&dataset, "", &fault), -ENOENT);
    assert_non_null(strstr(fault.text, "names no dataset"));
    assert_int_equal(mr_dataset_init(&dataset, "/tmp/", &fault), -ENOENT);
    assert_non_null(strstr(fault.text, "names no dataset"));
}

static void test_truncated_and_longer(void **state)
{
    (void)state;
    static const char *const ends[] = {"batches", "answers", "edits"};
    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++) {
        struct mr_buffer bytes = {0};
        read_file(ends[i], &bytes);
        bytes.length--;
        write_file(ends[i], &bytes);
        assert_fault(-EBADMSG, ends[i], "truncated");
        bytes.length++;
        mr_buffer_byte(&bytes, 'x');
        write_file(ends[i], &bytes);
        assert_fault(-EBADMSG, ends[i], "something was added");
        bytes.length = 0;
        write_file(ends[i], &bytes);
        assert_fault(-EBADMSG, ends[i], "truncated");
        mr_buffer_fini(&bytes);
        test_make(&folder, "rejects", 12, 8);
    }
}

// One changed byte anywhere: in a text, in a header, in an answer, in a canonical form.
static void test_changed(void **state)
{
    (void)state;
    static const char *const ends[] = {"batches", "answers", "edits"};
    struct mr_rng rng = mr_rng_seeded(1);
    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++) {
        struct mr_buffer bytes = {0};
        read_file(ends[i], &bytes);
        for (int turn = 0; turn < 40; turn++) {
            uint64_t at = mr_rng_below(&rng, bytes.length);
            uint8_t kept = bytes.bytes[at];
            bytes.bytes[at] ^= (uint8_t)(1u << mr_rng_below(&rng, 8));
            write_file(ends[i], &bytes);
            assert_fault(-EBADMSG, ends[i], "");
            bytes.bytes[at] = kept;
        }
        write_file(ends[i], &bytes);
        mr_buffer_fini(&bytes);
    }
}

// Opened on trust, a changed digit of a text passes (nobody looks at it), a file of another size
// does not.
static void test_trusted(void **state)
{
    (void)state;
    struct mr_dataset dataset;
    struct mr_dataset_fault fault;
    struct mr_buffer bytes = {0};
    read_file("batches", &bytes);
    uint8_t kept = bytes.bytes[MR_FRAME_HEAD_BYTES + 1];
    bytes.bytes[MR_FRAME_HEAD_BYTES + 1] ^= 1;
    write_file("batches", &bytes);
    assert_fault(-EBADMSG, "batches", "");
    assert_int_equal(mr_dataset_init_trusted(&dataset, folder.dataset, &fault), 0);
    mr_dataset_fini(&dataset);
    bytes.bytes[MR_FRAME_HEAD_BYTES + 1] = kept;
    bytes.length--;
    write_file("batches", &bytes);
    assert_int_equal(mr_dataset_init_trusted(&dataset, folder.dataset, &fault), -EBADMSG);
    bytes.length++;
    write_file("batches", &bytes);
    mr_buffer_fini(&bytes);
}

// Puts `text` in place of `old` in the manifest.
static void edit_manifest(const char *old, const char *text)
{
    struct mr_buffer bytes = {0};
    read_file("json", &bytes);
    mr_buffer_byte(&bytes, '\0');
    const char *found = strstr((const char *)bytes.bytes, old);
    assert_non_null(found);
    bytes.length--;
    mr_buffer_splice(&bytes, (size_t)(found - (const char *)bytes.bytes), strlen(old), text,
                     strlen(text));
    write_file("json", &bytes);
    mr_buffer_fini(&bytes);
}

static void test_manifest(void **state)
{
    (void)state;
    static const struct {
        const char *old;
        const char *text;
        const char *file;
        const char *word;
    } edits[] = {
        {"matchrace/dataset/1", "matchrace/dataset/9", "json", "schema"},
        {"\"schema\"", "\"scheme\"", "json", "\"schema\" is missing"},
        {"\"batches\": 12", "\"batches\": 13", "batches", "manifest says 13"},
        {"\"batches\": 12", "\"batches\": \"12\"", "json", "\"batches\" is missing or not"},
        {"\"records_accepted\": 48", "\"records_accepted\": 49", "answers", "manifest says 49"},
        {"{", "[", "json", "no manifest"},
        {"\"sha256\": \"", "\"sha256\": \"0", "json", "\"sha256\" is missing"},
    };
    for (size_t i = 0; i < sizeof edits / sizeof edits[0]; i++) {
        edit_manifest(edits[i].old, edits[i].text);
        assert_fault(-EBADMSG, edits[i].file, edits[i].word);
        test_make(&folder, "rejects", 12, 8);
    }
}

// The hash that the manifest claims for `end`, exchanged for that of the file as it is now: what a
// careful hand would do. The files still have to agree with each other.
static void forge_hash(const char *end)
{
    struct mr_buffer bytes = {0};
    read_file(end, &bytes);
    struct mr_file_hash hash;
    char text[MR_HASH_TEXT_BYTES];
    mr_file_hash_init(&hash);
    mr_file_hash_add(&hash, bytes.bytes, bytes.length);
    mr_file_hash_text(&hash, text);
    struct mr_buffer manifest = {0};
    read_file("json", &manifest);
    mr_buffer_byte(&manifest, '\0');
    char key[32];
    (void)snprintf(key, sizeof key, "\"%s\": {", end);
    char *at = strstr((char *)manifest.bytes, key);
    assert_non_null(at);
    at = strstr(at, "\"sha256\": \"");
    assert_non_null(at);
    memcpy(at + strlen("\"sha256\": \""), text, 64);
    manifest.length--;
    write_file("json", &manifest);
    mr_buffer_fini(&manifest);
    mr_buffer_fini(&bytes);
}

// Files that were swapped or changed by somebody who fixed the manifest as well.
static void test_forged_answers(void **state)
{
    (void)state;
    struct mr_buffer bytes = {0};
    read_file("answers", &bytes);
    uint8_t kept[32];
    size_t first = 0;
    while (bytes.bytes[first * 32] != 0) { // an accepted batch
        first++;
    }
    size_t other = first + 1;
    while (bytes.bytes[other * 32] != 0) {
        other++;
    }
    memcpy(kept, bytes.bytes + first * 32, 32);
    memcpy(bytes.bytes + first * 32, bytes.bytes + other * 32, 32);
    memcpy(bytes.bytes + other * 32, kept, 32);
    write_file("answers", &bytes);
    assert_fault(-EBADMSG, "answers", "not those of the manifest");
    forge_hash("answers");
    assert_fault(-EBADMSG, "edits", "totals");

    test_make(&folder, "rejects", 12, 8);
    read_file("answers", &bytes);
    bytes.bytes[0] = 2; // neither accepted nor rejected
    write_file("answers", &bytes);
    forge_hash("answers");
    assert_fault(-EBADMSG, "answers", "answer 0 is none of the contract's");
    mr_buffer_fini(&bytes);
}

static void test_forged_edits(void **state)
{
    (void)state;
    struct mr_buffer bytes = {0};
    read_file("edits", &bytes);
    char size[2][32];
    (void)snprintf(size[0], sizeof size[0], "\"bytes\": %zu,", bytes.length);
    (void)snprintf(size[1], sizeof size[1], "\"bytes\": %zu,", bytes.length + 8);
    mr_buffer_fill(&bytes, 0, 8);
    write_file("edits", &bytes);
    edit_manifest(size[0], size[1]);
    forge_hash("edits");
    assert_fault(-EBADMSG, "edits", "8 bytes stand behind the entry of the last batch");

    test_make(&folder, "rejects", 12, 8);
    read_file("edits", &bytes);
    bytes.bytes[0] ^= 1;
    write_file("edits", &bytes);
    forge_hash("edits");
    assert_fault(-EBADMSG, "edits", "MREDITS1");

    // Another timestamp in a canonical form than in the text.
    test_make(&folder, "rejects", 12, 8);
    read_file("answers", &bytes);
    size_t accepted = 0;
    while (bytes.bytes[accepted * 32] != 0) {
        accepted++;
    }
    read_file("edits", &bytes);
    size_t entry = 8;
    for (size_t i = 0; i < accepted; i++) {
        uint32_t entry_bytes;
        memcpy(&entry_bytes, bytes.bytes + entry, sizeof entry_bytes);
        entry += entry_bytes;
    }
    uint32_t record_offset;
    memcpy(&record_offset, bytes.bytes + entry + 232 + 8, sizeof record_offset);
    bytes.bytes[entry + record_offset + 8] ^= 1;
    write_file("edits", &bytes);
    forge_hash("edits");
    assert_fault(-EBADMSG, "edits", "no timestamp of a record");

    mr_buffer_fini(&bytes);
}

// One word of the edits set to nonsense: found, and never followed out of the file.
static void check_nonsense(struct mr_buffer *bytes, size_t at, uint32_t nonsense)
{
    uint8_t word[4];
    memcpy(word, bytes->bytes + at, sizeof word);
    memcpy(bytes->bytes + at, &nonsense, sizeof word);
    write_file("edits", bytes);
    memcpy(bytes->bytes + at, word, sizeof word);
    forge_hash("edits");
    struct mr_dataset dataset;
    struct mr_dataset_fault fault;
    int result = mr_dataset_init(&dataset, folder.dataset, &fault);
    if (result != 0) {
        assert_int_equal(result, -EBADMSG);
        return;
    }
    for (size_t index = 0; index < 3; index++) { // totals that only the emitter knows, or a text
        for (uint64_t turn = 0; turn < 8; turn++) {
            struct mr_edit edit;
            (void)!mr_edit_make(&dataset, index, turn, &edit);
        }
    }
    mr_dataset_fini(&dataset);
}

static void test_nonsense_in_edits(void **state)
{
    (void)state;
    // All ones; the multiple of 8 whose sum with anything wraps; nothing; a plausible length.
    static const uint32_t nonsense[] = {0xFFFFFFFFu, 0xFFFFFFF8u, 0, 4096};
    struct mr_buffer bytes = {0};
    read_file("edits", &bytes);
    assert_true(bytes.length > 3000);
    for (size_t at = 8; at < 1300; at += 4) {
        check_nonsense(&bytes, at, nonsense[at / 4 % 4]);
        check_nonsense(&bytes, at, nonsense[(at / 4 + 1) % 4]);
    }
    mr_buffer_fini(&bytes);
}

// Files of another kind, folders, and a dataset under another's manifest.
static void test_foreign(void **state)
{
    (void)state;
    assert_int_equal(unlink(file_path("json")), 0);
    assert_int_equal(mkdir(file_path("json"), 0755), 0);
    assert_fault(-EISDIR, "json", "Is a directory");
    assert_int_equal(rmdir(file_path("json")), 0);
    test_make(&folder, "rejects", 12, 8);
    struct mr_buffer bytes = {0};
    read_file("batches", &bytes);
    memset(bytes.bytes, 'A', bytes.length);
    write_file("batches", &bytes);
    assert_fault(-EBADMSG, "batches", "frame 0");
    mr_buffer_fini(&bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_whole, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_missing, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_truncated_and_longer, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_changed, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_trusted, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_manifest, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_forged_answers, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_forged_edits, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_nonsense_in_edits, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_foreign, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
