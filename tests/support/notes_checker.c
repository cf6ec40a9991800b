// notes_checker.c: see notes_checker.h.
#include "notes_checker.h"

#include "base/mr_assert.h"
#include "record/utf8.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <yyjson.h>

struct mr_notes_checker mr_notes_checker_init(void)
{
    return (struct mr_notes_checker){.spec = mr_guarded_init(MR_NOTES_CHECKED_BYTES_MAX),
                                     .out = mr_guarded_init(2 * MR_NOTES_CHECKED_BYTES_MAX)};
}

void mr_notes_checker_fini(struct mr_notes_checker *checker)
{
    mr_guarded_fini(&checker->spec);
    mr_guarded_fini(&checker->out);
}

MR_PRINTF(2, 3)
static const char *complain(struct mr_notes_checker *checker, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(checker->complaint, sizeof checker->complaint, format, arguments);
    va_end(arguments);
    return checker->complaint;
}

static bool find_fault_in(const uint8_t *text, uint32_t bytes, uint32_t *offset_out)
{
    for (uint32_t i = 0; i < bytes;) {
        int length = text[i] < 0x80 ? 1 : mr_utf8_sequence(text + i, text + bytes);
        if (length <= 0) {
            *offset_out = i;
            return true;
        }
        i += (uint32_t)length;
    }
    return false;
}

// Where the first text is no UTF-8, by the parser's own eyes; otherwise WRITTEN.
static struct mr_notes_result find_fault(const struct mr_note *notes, size_t count)
{
    struct mr_notes_result fault = {.verdict = MR_NOTES_NOT_UTF8};
    for (fault.note = 0; fault.note < count; fault.note++) {
        const struct mr_note *note = &notes[fault.note];
        for (int in_text = 0; in_text < 2; in_text++) {
            fault.in_text = in_text != 0;
            if (find_fault_in(fault.in_text ? note->text : note->title,
                              fault.in_text ? note->text_bytes : note->title_bytes,
                              &fault.offset)) {
                return fault;
            }
        }
    }
    return (struct mr_notes_result){.verdict = MR_NOTES_WRITTEN};
}

static bool is_same_place(const struct mr_notes_result *one, const struct mr_notes_result *other)
{
    return one->verdict == other->verdict && one->note == other->note &&
           one->in_text == other->in_text && one->offset == other->offset;
}

static bool holds(yyjson_val *value, const uint8_t *text, uint32_t bytes)
{
    return yyjson_is_str(value) && yyjson_get_len(value) == bytes &&
           (bytes == 0 || memcmp(yyjson_get_str(value), text, bytes) == 0);
}

// Whether a JSON library reads the notes back.
static bool reads_back(const char *json, size_t length, const struct mr_note *notes, size_t count)
{
    yyjson_doc *doc = yyjson_read(json, length, YYJSON_READ_NOFLAG);
    yyjson_val *root = yyjson_doc_get_root(doc);
    bool same = yyjson_is_arr(root) && yyjson_arr_size(root) == count;
    for (size_t i = 0; same && i < count; i++) {
        yyjson_val *note = yyjson_arr_get(root, i);
        same = yyjson_obj_size(note) == 3 &&
               yyjson_get_sint(yyjson_obj_get(note, "Id")) == notes[i].id &&
               holds(yyjson_obj_get(note, "Title"), notes[i].title, notes[i].title_bytes) &&
               holds(yyjson_obj_get(note, "NoteText"), notes[i].text, notes[i].text_bytes);
    }
    yyjson_doc_free(doc);
    return same;
}

// One kernel at exactly the size and at others, each buffer before a forbidden page.
static const char *check_bytes(struct mr_notes_checker *checker, const struct mr_notes_job *job,
                               size_t length)
{
    const char *name = mr_notes_kernel_name(job->kernel);
    const size_t capacities[] = {
        length, length + 1, length + 200, mr_notes_bound(job->notes, job->count),
        0,      length / 2, length - 1};
    for (size_t i = 0; i < sizeof capacities / sizeof capacities[0]; i++) {
        uint8_t *out = mr_guarded_last(&checker->out, capacities[i], 0);
        struct mr_notes_result result;
        enum mr_notes_verdict verdict = mr_notes_write(job, out, capacities[i], &result);
        bool fits = capacities[i] >= length;
        if (verdict != (fits ? MR_NOTES_WRITTEN : MR_NOTES_SHORT_BUFFER) ||
            result.length != length) {
            return complain(checker, "%s, profile %d: verdict %d, %zu of %zu bytes in %zu", name,
                            job->profile, verdict, result.length, length, capacities[i]);
        }
        if (fits && memcmp(out, mr_guarded_last(&checker->spec, length, 0), length) != 0) {
            return complain(checker, "%s, profile %d: other bytes in %zu", name, job->profile,
                            capacities[i]);
        }
    }
    return NULL;
}

// Units as the library `widen` of this file makes them of the specification's bytes.
static bool is_widened(const uint8_t *bytes, size_t length, const uint16_t *units, size_t count)
{
    size_t unit = 0;
    for (size_t i = 0; i < length;) {
        uint32_t lead = bytes[i++];
        unsigned more = lead < 0x80 ? 0 : lead < 0xE0 ? 1 : lead < 0xF0 ? 2 : 3;
        uint32_t scalar = more == 0 ? lead : lead & (0x3Fu >> more);
        for (unsigned k = 0; k < more; k++) {
            scalar = scalar << 6 | (bytes[i++] & 0x3Fu);
        }
        if (scalar >= 0x10000) {
            if (unit >= count || units[unit++] != 0xD7C0 + (scalar >> 10)) {
                return false;
            }
            scalar = 0xDC00 + (scalar & 0x3FF);
        }
        if (unit >= count || units[unit++] != scalar) {
            return false;
        }
    }
    return unit == count;
}

static const char *check_units(struct mr_notes_checker *checker, const struct mr_notes_job *job,
                               size_t length)
{
    const char *name = mr_notes_kernel_name(job->kernel);
    struct mr_notes_result result;
    enum mr_notes_verdict verdict = mr_notes_write_utf16(job, NULL, 0, &result);
    size_t units = result.length;
    const size_t capacities[] = {units, units + 1, units + 200, units - 1, units / 2};
    for (size_t i = 0; i < sizeof capacities / sizeof capacities[0]; i++) {
        uint16_t *out = (uint16_t *)(void *)mr_guarded_last(&checker->out, 2 * capacities[i], 0);
        bool fits = capacities[i] >= units;
        verdict = mr_notes_write_utf16(job, out, capacities[i], &result);
        if (verdict != (fits ? MR_NOTES_WRITTEN : MR_NOTES_SHORT_BUFFER) ||
            result.length != units) {
            return complain(checker, "%s, profile %d: verdict %d, %zu of %zu units in %zu", name,
                            job->profile, verdict, result.length, units, capacities[i]);
        }
        if (fits && !is_widened(mr_guarded_last(&checker->spec, length, 0), length, out, units)) {
            return complain(checker, "%s, profile %d: other units in %zu", name, job->profile,
                            capacities[i]);
        }
    }
    return NULL;
}

static const char *check_fault(struct mr_notes_checker *checker, const struct mr_notes_job *job,
                               const struct mr_notes_result *expected)
{
    size_t capacity = mr_notes_bound(job->notes, job->count);
    uint8_t *out = mr_guarded_last(&checker->out, 2 * capacity, 0);
    struct mr_notes_result bytes;
    struct mr_notes_result none;
    struct mr_notes_result units;
    (void)mr_notes_write(job, out, capacity, &bytes);
    (void)mr_notes_write(job, NULL, 0, &none);
    (void)mr_notes_write_utf16(job, (uint16_t *)(void *)out, capacity, &units);
    if (!is_same_place(&bytes, expected) || !is_same_place(&none, expected) ||
        !is_same_place(&units, expected)) {
        return complain(checker,
                        "%s, profile %d: verdict %d, note %zu, in text %d, offset %u; right are "
                        "%zu, %d, %u",
                        mr_notes_kernel_name(job->kernel), job->profile, bytes.verdict, bytes.note,
                        bytes.in_text, bytes.offset, expected->note, expected->in_text,
                        expected->offset);
    }
    return NULL;
}

// Writes the specification's text before the page of checker->spec; 0: it is not one.
static size_t specify(struct mr_notes_checker *checker, struct mr_notes_job *job)
{
    struct mr_notes_result result;
    job->kernel = mr_notes_kernel_by_index(0);
    if (mr_notes_write(job, NULL, 0, &result) != MR_NOTES_SHORT_BUFFER) {
        return 0;
    }
    size_t length = result.length;
    uint8_t *out = mr_guarded_last(&checker->spec, length, 0);
    return mr_notes_write(job, out, length, &result) == MR_NOTES_WRITTEN &&
                   reads_back((const char *)out, length, job->notes, job->count)
               ? length
               : 0;
}

static const char *check_profile(struct mr_notes_checker *checker, struct mr_notes_job *job)
{
    struct mr_notes_result fault = find_fault(job->notes, job->count);
    size_t length = 0;
    if (fault.verdict == MR_NOTES_WRITTEN) {
        length = specify(checker, job);
        if (length == 0) {
            return complain(checker, "profile %d: the specification's text is not read back",
                            job->profile);
        }
    }
    const struct mr_notes_kernel *kernel;
    for (size_t i = 0; (kernel = mr_notes_kernel_by_index(i)) != NULL; i++) {
        const struct mr_notes_kernel *runs;
        if (mr_notes_kernel_choose(mr_notes_kernel_name(kernel), &runs) != 0) {
            continue;
        }
        job->kernel = kernel;
        const char *complaint =
            length == 0 ? check_fault(checker, job, &fault) : check_bytes(checker, job, length);
        if (complaint == NULL && length > 0) {
            complaint = check_units(checker, job, length);
        }
        if (complaint != NULL) {
            return complaint;
        }
    }
    return NULL;
}

const char *mr_notes_check(struct mr_notes_checker *checker, const struct mr_note *notes,
                           size_t count)
{
    MR_ASSERT(mr_notes_bound(notes, count) + 256 <= MR_NOTES_CHECKED_BYTES_MAX);
    for (int profile = 0; profile < MR_NOTES_PROFILE_COUNT; profile++) {
        struct mr_notes_job job = {
            .notes = notes, .count = count, .profile = (enum mr_notes_profile)profile};
        const char *complaint = check_profile(checker, &job);
        if (complaint != NULL) {
            return complaint;
        }
    }
    return NULL;
}
