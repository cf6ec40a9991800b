// data_verify.c: `matchrace data verify`: is a dataset whole, and is it what it was made as?
#include "data_command.h"

#include "dataset/dataset.h"
#include "dataset/dataset_manifest.h"

#include "base/cli.h"
#include "base/file.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <yyjson.h>

static const char notes[] =
    "Checked: sizes and SHA-256 of the three files against the manifest; every frame; an answer "
    "and\n"
    "an entry of notes for each; notes that agree with the answers; a timestamp at every place "
    "that\n"
    "may be varied; the manifest's counts. Not checked: whether the answers are right. That is "
    "what\n"
    "the independent reference is for; the last lines of the output say how to run it.\n"
    "\nExit codes: 0 whole; 1 a file could not be read; 2 wrong usage; 3 changed, cut off, "
    "foreign.\n";

static const char examples[] =
    "  matchrace data verify data/messy\n"
    "  python3 reference/check.py dataset data/messy &&\n"
    "    matchrace data verify data/messy --confirm \"reference/check.py\"\n";

// The manifest as JSON: what lib/dataset does not look at.
struct document {
    char path[PATH_MAX];
    yyjson_doc *doc;
};

static int open_document(struct document *document_out, struct mr_dataset_fault *fault_out)
{
    yyjson_read_err error = {0};
    document_out->doc = yyjson_read_file(document_out->path, YYJSON_READ_NOFLAG, NULL, &error);
    return document_out->doc != NULL
               ? 0
               : mr_dataset_bad(fault_out, "%s: %s", document_out->path, error.msg);
}

// Compares a count of the manifest with what the files hold.
static int check_count(const struct document *document, const char *key, uint64_t held,
                       struct mr_dataset_fault *fault_out)
{
    yyjson_val *value = yyjson_obj_get(yyjson_doc_get_root(document->doc), key);
    if (yyjson_is_uint(value) && yyjson_get_uint(value) == held) {
        return 0;
    }
    return mr_dataset_bad(fault_out, "%s: \"%s\" is not %" PRIu64 ", which the files hold",
                          document->path, key, held);
}

static int check_counts(const struct document *document, const struct mr_dataset *dataset,
                        struct mr_dataset_fault *fault_out)
{
    uint64_t rejected = 0;
    for (size_t i = 0; i < dataset->frames.count; i++) {
        rejected += dataset->answers[i].status;
    }
    int result = check_count(document, "batches_rejected", rejected, fault_out);
    if (result == 0) {
        result =
            check_count(document, "batches_accepted", dataset->frames.count - rejected, fault_out);
    }
    return result == 0 ? check_count(document, "bytes", dataset->frames.payload_bytes, fault_out)
                       : result;
}

// Writes the manifest again with "confirmed_by" set.
static int confirm(const struct document *document, const char *by,
                   struct mr_dataset_fault *fault_out)
{
    yyjson_mut_doc *copy = yyjson_doc_mut_copy(document->doc, NULL);
    char *text = NULL;
    size_t text_bytes = 0;
    if (copy != NULL) {
        yyjson_mut_val *root = yyjson_mut_doc_get_root(copy);
        (void)yyjson_mut_obj_replace(root, yyjson_mut_str(copy, "confirmed_by"),
                                     yyjson_mut_strcpy(copy, by));
        text =
            yyjson_mut_write(copy,
                             YYJSON_WRITE_PRETTY_TWO_SPACES | YYJSON_WRITE_NEWLINE_AT_END |
                                 YYJSON_WRITE_ESCAPE_UNICODE | YYJSON_WRITE_ALLOW_INVALID_UNICODE,
                             &text_bytes);
        yyjson_mut_doc_free(copy);
    }
    int result = text == NULL ? -ENOMEM : mr_file_write(document->path, text, text_bytes);
    free(text);
    if (result != 0) {
        (void)mr_dataset_bad(fault_out, "%s: %s", document->path, strerror(-result));
    }
    return result;
}

static const char *confirmed_by(const struct document *document)
{
    return yyjson_get_str(yyjson_obj_get(yyjson_doc_get_root(document->doc), "confirmed_by"));
}

static uint64_t turns_least(const struct mr_dataset *dataset, size_t *without_out)
{
    uint64_t least = UINT64_MAX;
    *without_out = 0;
    for (size_t i = 0; i < dataset->frames.count; i++) {
        uint64_t turns = mr_edit_turns(dataset, i);
        least = turns < least ? turns : least;
        *without_out += turns == 0;
    }
    return least;
}

static void print_whole(const struct mr_dataset *dataset, const char *path, const char *confirmed)
{
    size_t without;
    uint64_t least = turns_least(dataset, &without);
    printf("%s: whole: %zu batches, %" PRIu64 " records in accepted ones, SHA-256 %.16s…\n", path,
           dataset->frames.count, dataset->records, dataset->sha256);
    if (without > 0) {
        printf("%zu of the batches can't be varied from send to send\n", without);
    } else {
        printf("every batch can be varied in at least %" PRIu64 " ways\n", least);
    }
    if (confirmed != NULL) {
        printf("the answers were confirmed by: %s\n", confirmed);
        return;
    }
    printf("The answers themselves were not checked here. To have the reference compute each of "
           "them:\n"
           "  python3 reference/check.py dataset %s\n"
           "and to put it on record: matchrace data verify %s --confirm \"reference/check.py\"\n",
           path, path);
}

static int verify(const char *path, const char *by)
{
    struct document document = {.doc = NULL};
    if (!mr_data_manifest_path("verify", path, document.path, sizeof document.path)) {
        return MR_EXIT_ENVIRONMENT;
    }
    struct mr_dataset dataset;
    struct mr_dataset_fault fault;
    int result = mr_dataset_init(&dataset, path, &fault);
    if (result != 0) {
        mr_data_say("verify", fault.text);
        return mr_data_exit(result);
    }
    result = open_document(&document, &fault);
    result = result == 0 ? check_counts(&document, &dataset, &fault) : result;
    if (result == 0 && by != NULL) {
        result = confirm(&document, by, &fault);
    }
    if (result == 0) {
        print_whole(&dataset, path, by != NULL ? by : confirmed_by(&document));
    } else {
        mr_data_say("verify", fault.text);
    }
    yyjson_doc_free(document.doc);
    mr_dataset_fini(&dataset);
    return mr_data_exit(result);
}

int mr_data_verify(int argc, char **argv)
{
    const char *by = NULL;
    const struct mr_option options[] = {
        {.name = "confirm",
         .kind = MR_OPTION_TEXT,
         .value = &by,
         .argument = "WHO",
         .help = "Put on record, in the manifest, who confirmed the answers."},
    };
    const struct mr_command command = {.name = "matchrace data verify",
                                       .summary =
                                           "check that a dataset is whole and what it was made as",
                                       .operands = "NAME",
                                       .operands_min = 1,
                                       .operands_max = 1,
                                       .options = options,
                                       .options_count = 1,
                                       .notes = notes,
                                       .examples = examples};
    const char *path[1];
    size_t paths_count;
    enum mr_cli_result read = mr_cli_parse(&command, argc, argv, path, &paths_count);
    if (read != MR_CLI_RUN) {
        return read == MR_CLI_DONE ? MR_EXIT_OK : MR_EXIT_USAGE;
    }
    return verify(path[0], by);
}
