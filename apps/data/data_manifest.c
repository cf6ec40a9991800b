// data_manifest.c: see data_manifest.h. The same facts give the same bytes: no times, no places.
#include "data_manifest.h"

#include "data_fault.h"

#include <stdlib.h>
#include <yyjson.h>

typedef yyjson_mut_doc mr_doc;
typedef yyjson_mut_val mr_val;

static void add_count(mr_doc *doc, mr_val *object, const char *key, uint64_t count)
{
    (void)yyjson_mut_obj_add_uint(doc, object, key, count);
}

// `sum` per record, in hundredths: integers until the last step, so that every machine writes the
// same digits.
static void add_mean(mr_doc *doc, mr_val *object, const char *key, uint64_t sum, uint64_t records)
{
    uint64_t hundredths = records == 0 ? 0 : (sum * 100 + records / 2) / records;
    (void)yyjson_mut_obj_add_real(doc, object, key, (double)hundredths / 100.0);
}

static void add_counts_by_name(mr_doc *doc, mr_val *object, const char *const *names,
                               const uint64_t *counts, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        add_count(doc, object, names[i], counts[i]);
    }
}

// counts[0] is of one digit (or byte) and so on.
static void add_digits(mr_doc *doc, mr_val *object, const char *key, const uint64_t *counts,
                       size_t count)
{
    mr_val *array = yyjson_mut_obj_add_arr(doc, object, key);
    for (size_t i = 0; i < count; i++) {
        (void)yyjson_mut_arr_add_uint(doc, array, counts[i]);
    }
}

static void add_means(mr_doc *doc, mr_val *object, const struct mr_composition *composition)
{
    uint64_t records = composition->records;
    const uint64_t *wide = composition->wide_characters;
    mr_val *means = yyjson_mut_obj_add_obj(doc, object, "per_record");
    add_mean(doc, means, "bytes", composition->bytes, records);
    add_mean(doc, means, "short_escapes", composition->short_escapes, records);
    add_mean(doc, means, "unicode_escapes", composition->unicode_escapes, records);
    add_mean(doc, means, "surrogate_pairs", composition->surrogate_pairs, records);
    add_mean(doc, means, "non_ascii_bytes", 2 * wide[2] + 3 * wide[3] + 4 * wide[4], records);
    add_mean(doc, means, "two_byte_characters", wide[2], records);
    add_mean(doc, means, "three_byte_characters", wide[3], records);
    add_mean(doc, means, "four_byte_characters", wide[4], records);
    add_mean(doc, means, "white_space_bytes", composition->white_space_bytes, records);
    add_mean(doc, means, "source_bytes", composition->source_bytes, records);
    add_mean(doc, means, "message_bytes", composition->message_bytes, records);
    add_mean(doc, means, "value_bytes", composition->value_bytes, records);
    uint64_t flags = 0;
    for (size_t i = 0; i < MR_FLAG_COUNT; i++) {
        flags += composition->flags[i];
    }
    add_mean(doc, means, "flags", flags, records);
}

static void add_values(mr_doc *doc, mr_val *object, const struct mr_composition *composition)
{
    mr_val *values = yyjson_mut_obj_add_obj(doc, object, "values");
    add_count(doc, values, "bytes_max", composition->value_bytes_max);
    add_digits(doc, values, "lengths", composition->value_lengths + 1, MR_VALUE_LENGTH_MAX);
    add_count(doc, values, "with_exponent", composition->value_with_exponent);
    add_count(doc, values, "integers", composition->value_integers);
    add_count(doc, values, "over_17_digits", composition->value_over_17_digits);
    add_count(doc, values, "zeros", composition->value_zeros);
    add_count(doc, values, "negative_zeros", composition->value_negative_zeros);
    add_count(doc, values, "subnormals", composition->value_subnormals);
    add_count(doc, values, "underflows", composition->value_underflows);
    add_count(doc, values, "binary_exponents", composition->value_binary_exponents);
}

static void add_composition(mr_doc *doc, mr_val *root, const struct mr_composition *composition)
{
    mr_val *object = yyjson_mut_obj_add_obj(doc, root, "composition");
    add_means(doc, object, composition);
    add_count(doc, object, "key_orders", composition->key_orders);
    add_count(doc, object, "escaped_keys", composition->escaped_keys);
    add_count(doc, object, "escaped_kinds", composition->escaped_kinds);
    add_count(doc, object, "escaped_flags", composition->escaped_flags);
    add_count(doc, object, "messages_empty", composition->messages_empty);
    add_count(doc, object, "message_bytes_max", composition->message_bytes_max);
    add_values(doc, object, composition);
    add_digits(doc, object, "id_digits", composition->id_digits + 1, MR_ID_DIGITS_MAX);
    add_digits(doc, object, "timestamp_digits", composition->timestamp_digits + 1,
               MR_TIME_DIGITS_MAX);
    add_counts_by_name(doc, yyjson_mut_obj_add_obj(doc, object, "kinds"), mr_kind_names,
                       composition->kinds, MR_KIND_COUNT);
    add_counts_by_name(doc, yyjson_mut_obj_add_obj(doc, object, "flags"), mr_flag_names,
                       composition->flags, MR_FLAG_COUNT);
}

static void add_faults(mr_doc *doc, mr_val *root, const uint64_t *faults)
{
    mr_val *object = yyjson_mut_obj_add_obj(doc, root, "faults");
    for (size_t i = 0; faults != NULL && i < mr_fault_kinds_count; i++) {
        if (faults[i] > 0) {
            add_count(doc, object, mr_fault_kinds[i].name, faults[i]);
        }
    }
}

static void add_files(mr_doc *doc, mr_val *root, const struct mr_writer_file *files)
{
    mr_val *object = yyjson_mut_obj_add_obj(doc, root, "files");
    for (size_t i = 0; i < MR_DATASET_FILES; i++) {
        mr_val *file = yyjson_mut_obj_add_obj(doc, object, mr_dataset_file_names[i]);
        add_count(doc, file, "bytes", files[i].claim.size_bytes);
        (void)yyjson_mut_obj_add_str(doc, file, "sha256", files[i].claim.sha256);
    }
}

static void add_head(mr_doc *doc, mr_val *root, const struct mr_manifest_facts *facts)
{
    (void)yyjson_mut_obj_add_str(doc, root, "schema", MR_MANIFEST_SCHEMA);
    (void)yyjson_mut_obj_add_str(doc, root, "name", facts->name);
    (void)yyjson_mut_obj_add_str(doc, root, "shape", facts->shape);
    if (facts->seeded) {
        add_count(doc, root, "seed", facts->seed);
    } else {
        (void)yyjson_mut_obj_add_null(doc, root, "seed");
    }
    add_count(doc, root, "batch_records", facts->batch_records);
    if (facts->reject_bp % 100 == 0) {
        add_count(doc, root, "reject_percent", facts->reject_bp / 100);
    } else {
        (void)yyjson_mut_obj_add_real(doc, root, "reject_percent", facts->reject_bp / 100.0);
    }
    add_count(doc, root, "batches", facts->batches);
    add_count(doc, root, "batches_accepted", facts->batches - facts->batches_rejected);
    add_count(doc, root, "batches_rejected", facts->batches_rejected);
    add_count(doc, root, "records", facts->composition->records);
    add_count(doc, root, "records_accepted", facts->records_accepted);
    // Headers of frames are not part of the JSON.
    add_count(doc, root, "bytes",
              facts->files[MR_FILE_BATCHES].claim.size_bytes -
                  facts->batches * MR_FRAME_HEAD_BYTES);
}

// Left out where it is plain, so that a plain dataset has the manifest that it has always had.
static void add_form(mr_doc *doc, mr_val *root, const struct mr_form *form)
{
    if (form == NULL || mr_form_is_plain(form)) {
        return;
    }
    mr_val *object = yyjson_mut_obj_add_obj(doc, root, "form");
    (void)yyjson_mut_obj_add_str(doc, object, "keys", form->shuffled_keys ? "shuffled" : "fixed");
    (void)yyjson_mut_obj_add_str(doc, object, "space", mr_form_space_name(form));
    if (form->record_bytes > 0) {
        add_count(doc, object, "record_bytes", form->record_bytes);
    }
    (void)yyjson_mut_obj_add_real(doc, object, "messy_percent", form->messy_bp / 100.0);
    (void)yyjson_mut_obj_add_real(doc, object, "escape_percent", form->escape_bp / 100.0);
    (void)yyjson_mut_obj_add_real(doc, object, "non_ascii_percent", form->non_ascii_bp / 100.0);
}

char *mr_manifest_text(const struct mr_manifest_facts *facts, size_t *bytes_out)
{
    mr_doc *doc = yyjson_mut_doc_new(NULL);
    if (doc == NULL) {
        return NULL;
    }
    mr_val *root = yyjson_mut_obj(doc);
    yyjson_mut_doc_set_root(doc, root);
    add_head(doc, root, facts);
    add_form(doc, root, facts->form);
    add_files(doc, root, facts->files);
    (void)yyjson_mut_obj_add_str(doc, root, "made_by", "matchrace " MR_VERSION);
    (void)yyjson_mut_obj_add_str(doc, root, "computed_by", facts->computed_by);
    (void)yyjson_mut_obj_add_null(doc, root, "confirmed_by");
    (void)yyjson_mut_obj_add_str(doc, root, "command", facts->command);
    add_faults(doc, root, facts->faults);
    add_composition(doc, root, facts->composition);
    // Names of files need not be UTF-8; what is not becomes the replacement character.
    yyjson_write_flag flags = YYJSON_WRITE_PRETTY_TWO_SPACES | YYJSON_WRITE_NEWLINE_AT_END |
                              YYJSON_WRITE_ESCAPE_UNICODE | YYJSON_WRITE_ALLOW_INVALID_UNICODE;
    char *text = yyjson_mut_write(doc, flags, bytes_out);
    yyjson_mut_doc_free(doc);
    return text;
}
