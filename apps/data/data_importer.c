// data_importer.c: see data_importer.h.
//
// Every batch is read twice, by lib/record and through yyjson. Only where both say the same, bit by
// bit, is there an answer.
#include "data_importer.h"

#include "data_batch.h"
#include "data_composition.h"
#include "data_manifest.h"
#include "data_places.h"
#include "base/progress.h"
#include "data_split.h"
#include "data_writer.h"
#include "import_copies.h"
#include "import_field.h"
#include "import_readings.h"

#include "base/file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FILE_BYTES_MAX (8ull << 30)
#define TEXT_SHOWN     120 // bytes of a record in a message

// Where a record of the batch comes from.
struct origin {
    const char *path;
    size_t offset;
    uint64_t line;
    uint64_t record; // in its file, from 1; 0: the fault is the file's
};

struct import {
    const struct mr_import_request *request;
    struct mr_import_result *result;
    struct mr_readers readers;
    struct mr_writer writer;
    struct mr_batch batch; // being filled, over the ends of files
    struct origin *origin; // of each of its records
    struct mr_composition *composition;
    struct mr_copies copies;
};

static int say_memory(struct import *import)
{
    (void)mr_dataset_bad(&import->result->fault, "out of memory; nothing was written");
    return -ENOMEM;
}

// Counts a fault, and shows it unless there were enough.
static void add_fault(struct import *import, const struct origin *place, const char *why)
{
    if (import->result->faults++ >= MR_IMPORT_FAULTS_SHOWN) {
        return;
    }
    char text[sizeof import->result->fault.text];
    (void)snprintf(text, sizeof text, "%s: line %llu, byte %zu: %s", place->path,
                   (unsigned long long)place->line, place->offset, why);
    import->request->show_fault(text);
}

// A record that the two readings see differently: a bug of one of them, and a text for its test.
static void add_disagreement(struct import *import, const struct origin *place,
                             const struct mr_buffer *alone, const struct mr_readings *readings)
{
    char why[256];
    int shown = (int)(alone->length < TEXT_SHOWN ? alone->length : TEXT_SHOWN);
    (void)snprintf(why, sizeof why, "the two readings differ (lib/record: %s; yyjson: %s) on %.*s",
                   readings->first.error == MR_OK ? "a record"
                                                  : mr_error_text(readings->first.error),
                   readings->second.accepted ? "a record" : readings->second.why, shown,
                   (const char *)alone->bytes);
    add_fault(import, place, why);
}

// `place` moved on by `bytes` bytes of its record.
static struct origin within_record(struct origin place, const uint8_t *json, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++) {
        place.line += json[i] == '\n' ? 1 : 0;
    }
    place.offset += bytes;
    return place;
}

// What is wrong with a record that was rejected, alone between brackets of ours, and where.
static void add_rejection(struct import *import, const struct origin *record, const uint8_t *json,
                          size_t json_bytes, const struct mr_result *result)
{
    size_t offset = result->error_offset > 0 ? (size_t)result->error_offset - 1 : 0;
    bool whole = offset < json_bytes; // else it was our own bracket that came too early
    offset = whole ? offset : json_bytes;
    struct origin place = within_record(*record, json, offset);
    char field[MR_FIELD_TEXT_BYTES];
    char why[2 * MR_FIELD_TEXT_BYTES];
    if (result->error == MR_ERROR_KEY_MISSING) {
        mr_fields_missing(json, json_bytes, field);
    } else {
        mr_field_at(json, json_bytes, offset, field);
    }
    (void)snprintf(why, sizeof why, "record %llu%s: %s", (unsigned long long)place.record, field,
                   whole ? mr_error_text(result->error)
                         : "the record ends too early (in lines, each holds one record)");
    add_fault(import, &place, why);
}

// Reads record `index` of the batch alone, and says what is wrong with it.
static int check_record(struct import *import, uint32_t index, struct mr_buffer *alone)
{
    struct mr_extent extent = import->batch.extent[index];
    const uint8_t *json = import->batch.json.bytes + extent.start;
    size_t json_bytes = extent.end - extent.start;
    alone->length = 0;
    mr_buffer_byte(alone, '[');
    mr_buffer_add(alone, json, json_bytes);
    mr_buffer_byte(alone, ']');
    struct mr_readings readings;
    if (alone->failed ||
        mr_readers_read(&import->readers, alone->bytes, alone->length, &readings) != 0) {
        return say_memory(import);
    }
    const struct mr_result *first = &readings.first;
    if (!readings.same) {
        add_disagreement(import, &import->origin[index], alone, &readings);
    } else if (first->error != MR_OK) {
        add_rejection(import, &import->origin[index], json, json_bytes, first);
    } else if (first->records != 1) {
        add_fault(import, &import->origin[index], "this is not one record but more");
    }
    return 0;
}

// Reads the records of the batch one by one, to say which are at fault.
static int find_faults(struct import *import)
{
    uint64_t before = import->result->faults;
    struct mr_buffer alone = {0};
    int result = 0;
    for (uint32_t i = 0; result == 0 && i < import->batch.count; i++) {
        result = check_record(import, i, &alone);
    }
    mr_buffer_fini(&alone);
    if (result == 0 && import->result->faults == before) {
        add_fault(import, &import->origin[0],
                  "the batch that begins here is rejected, or read differently, though each of its "
                  "records is fine");
    }
    return result;
}

static int write_batch(struct import *import, const struct mr_readings *readings)
{
    struct mr_batch *batch = &import->batch;
    struct mr_ack answer = {.records = readings->first.records, .digest = readings->first.digest};
    batch->records.length = 0;
    mr_buffer_add(&batch->records, import->readers.second.bytes, import->readers.second.length);
    uint64_t hash = mr_copies_add(&import->copies, batch->json.bytes, batch->json.length);
    if (batch->records.failed || import->copies.seen.failed) {
        return say_memory(import);
    }
    mr_composition_add(import->composition, batch);
    struct mr_rng rng = mr_rng_seeded(hash);
    struct mr_batch_notes notes;
    mr_places_choose(batch, (struct mr_spoilt){1, 0}, &rng, &notes);
    mr_totals_accept(&notes.totals, batch->records.bytes, batch->count, answer.digest,
                     batch->json.length);
    import->result->batches++;
    import->result->records += batch->count;
    import->result->bytes += batch->json.length;
    return mr_writer_add(&import->writer, &batch->json, &answer, &notes);
}

// Ends the batch that is being filled: reads it twice and writes it.
static int flush(struct import *import)
{
    struct mr_batch *batch = &import->batch;
    if (batch->count == 0) {
        return 0;
    }
    mr_buffer_byte(&batch->json, ']');
    struct mr_readings readings;
    if (batch->json.failed ||
        mr_readers_read(&import->readers, batch->json.bytes, batch->json.length, &readings) != 0) {
        return say_memory(import);
    }
    bool good =
        readings.same && readings.first.error == MR_OK && readings.first.records == batch->count;
    int result = !good                        ? find_faults(import)
                 : import->result->faults > 0 ? 0 // nothing will be written any more
                                              : write_batch(import, &readings);
    mr_batch_clear(batch);
    if (result == 0 && import->request->stopped() != 0) {
        (void)mr_dataset_bad(&import->result->fault, "stopped; nothing was written");
        return -EINTR;
    }
    return result;
}

static int add_record(struct import *import, const struct origin *place, const uint8_t *json,
                      size_t json_bytes)
{
    struct mr_batch *batch = &import->batch;
    if (json_bytes + 2 > MR_PAYLOAD_BYTES_DEFAULT) {
        add_fault(import, place, "the record is larger than a frame of 16 MiB");
        return 0;
    }
    if (batch->count == import->request->batch_records ||
        batch->json.length + json_bytes + 2 > MR_PAYLOAD_BYTES_DEFAULT) {
        int result = flush(import);
        if (result != 0) {
            return result;
        }
    }
    mr_buffer_byte(&batch->json, batch->count == 0 ? '[' : ',');
    import->origin[batch->count] = *place;
    struct mr_extent *extent = &batch->extent[batch->count++];
    extent->start = (uint32_t)batch->json.length;
    mr_buffer_add(&batch->json, json, json_bytes);
    extent->end = (uint32_t)batch->json.length;
    return batch->json.failed ? say_memory(import) : 0;
}

// Whether the file begins with an object that its first line does not end, as printers for people
// write it: read line by line, each line of it would be a fault.
static bool is_spread_over_lines(const uint8_t *bytes, size_t size_bytes)
{
    size_t at = 0;
    while (at < size_bytes && strchr(" \t\r\n", bytes[at]) != NULL && bytes[at] != '\0') {
        at++;
    }
    if (at == size_bytes || bytes[at] != '{') {
        return false;
    }
    size_t depth = 0;
    bool in_text = false;
    for (; at < size_bytes && bytes[at] != '\n'; at++) {
        if (in_text) {
            at += bytes[at] == '\\';
            in_text = at >= size_bytes || bytes[at] != '"' || bytes[at - 1] == '\\';
        } else {
            in_text = bytes[at] == '"';
            depth += bytes[at] == '{' || bytes[at] == '[';
            depth -= depth > 0 && (bytes[at] == '}' || bytes[at] == ']');
        }
    }
    // A text never goes on behind its line: that is a fault of the record itself.
    return depth > 0 && !in_text && at < size_bytes;
}

static int import_records(struct import *import, const char *path, const uint8_t *bytes,
                          size_t size_bytes)
{
    struct origin place = {.path = path, .line = 1};
    if (size_bytes >= 3 && memcmp(bytes, "\xEF\xBB\xBF", 3) == 0) {
        add_fault(import, &place, "the file begins with a byte order mark: remove it");
        return 0;
    }
    if (is_spread_over_lines(bytes, size_bytes)) {
        add_fault(import, &place,
                  "the first record goes on behind its line: in lines each holds one whole record; "
                  "put records that are spread over lines between [ and ], with commas");
        return 0;
    }
    char what[80];
    (void)snprintf(what, sizeof what, "importing %.60s", path);
    struct mr_progress progress;
    mr_progress_init(&progress, what);
    struct mr_splitter splitter = mr_splitter_init(bytes, size_bytes);
    struct mr_piece piece;
    enum mr_split split;
    bool empty = true;
    int result = 0;
    while (result == 0 && (split = mr_splitter_next(&splitter, &piece)) != MR_SPLIT_END) {
        place = within_record(place, bytes + place.offset, piece.start - place.offset);
        place.record++;
        empty = false;
        if (split == MR_SPLIT_FAULT) {
            add_fault(import, &place, piece.why);
        } else {
            result = add_record(import, &place, bytes + piece.start, piece.end - piece.start);
        }
        mr_progress_show(&progress, splitter.at, size_bytes);
    }
    mr_progress_fini(&progress);
    if (result == 0 && empty) {
        add_fault(import, &place, "the file holds no record");
    }
    return result;
}

static int import_file(struct import *import, const char *path)
{
    char *bytes;
    size_t size_bytes;
    int result = mr_file_read(path, FILE_BYTES_MAX, &bytes, &size_bytes);
    if (result != 0) {
        (void)mr_dataset_bad(&import->result->fault, "%s: %s; nothing was written", path,
                             mr_file_fault(result));
        return result;
    }
    result = import_records(import, path, (const uint8_t *)bytes, size_bytes);
    free(bytes);
    return result;
}

// Two batches of the same bytes would be the same work twice, which a contestant might remember.
static int check_different(struct import *import)
{
    uint64_t first;
    uint64_t copy;
    if (!mr_copies_find(&import->copies, &first, &copy)) {
        return 0;
    }
    return mr_dataset_bad(&import->result->fault,
                          "batches %llu and %llu hold the same bytes: the files repeat themselves; "
                          "take the copies out, or choose another --batch-records; nothing was "
                          "written",
                          (unsigned long long)first, (unsigned long long)copy);
}

static int finish(struct import *import)
{
    int result = mr_writer_close(&import->writer);
    if (result != 0) {
        return result;
    }
    char computed_by[128];
    mr_readers_text(&import->readers, computed_by, sizeof computed_by);
    const char *slash = strrchr(import->request->out, '/');
    struct mr_manifest_facts facts = {.name = slash == NULL ? import->request->out : slash + 1,
                                      .shape = "import",
                                      .batch_records = import->request->batch_records,
                                      .batches = import->result->batches,
                                      .records_accepted = import->result->records,
                                      .composition = import->composition,
                                      .files = import->writer.file,
                                      .computed_by = computed_by,
                                      .command = import->request->command};
    size_t manifest_bytes;
    char *manifest = mr_manifest_text(&facts, &manifest_bytes);
    result = manifest == NULL ? say_memory(import)
                              : mr_writer_finish(&import->writer, manifest, manifest_bytes);
    free(manifest);
    return result;
}

static int import_all(struct import *import)
{
    const struct mr_import_request *request = import->request;
    int result = 0;
    for (size_t i = 0; result == 0 && i < request->paths_count; i++) {
        result = import_file(import, request->paths[i]);
    }
    result = result == 0 ? flush(import) : result;
    if (result == 0 && import->result->faults > 0) {
        result = mr_dataset_bad(
            &import->result->fault,
            "%llu fault%s in all; nothing was written. What a record must hold: "
            "docs/DATASETS.md, \"Importing your own records\"",
            (unsigned long long)import->result->faults, import->result->faults > 1 ? "s" : "");
    }
    result = result == 0 ? check_different(import) : result;
    return result == 0 ? finish(import) : result;
}

int mr_import(const struct mr_import_request *request, struct mr_import_result *result_out)
{
    *result_out = (struct mr_import_result){0};
    struct import import = {.request = request, .result = result_out};
    import.composition = calloc(1, sizeof *import.composition);
    import.origin = calloc(MR_BATCH_RECORDS_MAX, sizeof *import.origin);
    int result =
        import.composition == NULL || import.origin == NULL || mr_batch_init(&import.batch) != 0 ||
                mr_readers_init(&import.readers) != 0
            ? say_memory(&import)
            : mr_writer_init(&import.writer, request->out, request->force, &result_out->fault);
    if (result == 0) {
        result = import_all(&import);
        if (result != 0) {
            mr_writer_abandon(&import.writer);
        }
    }
    mr_readers_fini(&import.readers);
    mr_batch_fini(&import.batch);
    mr_copies_fini(&import.copies);
    free(import.composition);
    free(import.origin);
    return result;
}
