// data_show.c: `matchrace data show`: what a dataset is made of, for people, from its manifest.
#include "data_command.h"

#include "data_fault.h"

#include "dataset/dataset_manifest.h"

#include "base/cli.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <yyjson.h>

static const char examples[] = "  matchrace data show data/messy\n";

static uint64_t count_of(yyjson_val *object, const char *key)
{
    return yyjson_get_uint(yyjson_obj_get(object, key));
}

static const char *text_of(yyjson_val *object, const char *key)
{
    const char *text = yyjson_get_str(yyjson_obj_get(object, key));
    return text == NULL ? "" : text;
}

static void print_head(yyjson_val *root, const char *path)
{
    yyjson_val *seed = yyjson_obj_get(root, "seed");
    printf("%s: shape %s", path, text_of(root, "shape"));
    if (yyjson_is_uint(seed)) {
        printf(", seed %" PRIu64, yyjson_get_uint(seed));
    }
    printf("\n  %" PRIu64 " batches of up to %" PRIu64 " records: %" PRIu64 " accepted, %" PRIu64
           " rejected\n  %" PRIu64 " records, %" PRIu64 " of them in accepted batches\n"
           "  %.1f MiB of JSON\n",
           count_of(root, "batches"), count_of(root, "batch_records"),
           count_of(root, "batches_accepted"), count_of(root, "batches_rejected"),
           count_of(root, "records"), count_of(root, "records_accepted"),
           (double)count_of(root, "bytes") / (1 << 20));
    const char *confirmed = text_of(root, "confirmed_by");
    printf("\nMade by %s\n  answers by    %s\n  confirmed by  %s\n  made again by %s\n",
           text_of(root, "made_by"), text_of(root, "computed_by"),
           confirmed[0] == '\0' ? "nobody yet: python3 reference/check.py dataset NAME" : confirmed,
           text_of(root, "command"));
}

// Prints "  name  number" for every member, its underscores as spaces.
static void print_members(yyjson_val *object, uint64_t share_of)
{
    yyjson_obj_iter members = yyjson_obj_iter_with(object);
    yyjson_val *key;
    while ((key = yyjson_obj_iter_next(&members)) != NULL) {
        yyjson_val *value = yyjson_obj_iter_get_val(key);
        char name[40];
        (void)snprintf(name, sizeof name, "%s", yyjson_get_str(key));
        for (char *at = strchr(name, '_'); at != NULL; at = strchr(at, '_')) {
            *at = ' ';
        }
        if (yyjson_is_real(value)) {
            printf("  %-24s %10.2f\n", name, yyjson_get_real(value));
        } else if (yyjson_is_uint(value) && share_of > 0) {
            printf("  %-24s %10" PRIu64 "  %5.1f %%\n", name, yyjson_get_uint(value),
                   100.0 * (double)yyjson_get_uint(value) / (double)share_of);
        } else if (yyjson_is_uint(value)) {
            printf("  %-24s %10" PRIu64 "\n", name, yyjson_get_uint(value));
        }
    }
}

// Records by number of digits: "1: 52  2: 47 …".
static void print_digits(yyjson_val *array, const char *name)
{
    printf("%s", name);
    yyjson_arr_iter items = yyjson_arr_iter_with(array);
    yyjson_val *item;
    for (unsigned digits = 1; (item = yyjson_arr_iter_next(&items)) != NULL; digits++) {
        if (yyjson_get_uint(item) > 0) {
            printf("  %u:%" PRIu64, digits, yyjson_get_uint(item));
        }
    }
    printf("\n");
}

static void print_faults(yyjson_val *faults)
{
    if (yyjson_obj_size(faults) == 0) {
        return;
    }
    printf("\nFaults, by kind (one in each rejected batch)\n");
    for (size_t i = 0; i < mr_fault_kinds_count; i++) {
        uint64_t count = count_of(faults, mr_fault_kinds[i].name);
        if (count > 0) {
            printf("  %-24s %10" PRIu64 "  %s\n", mr_fault_kinds[i].name, count,
                   mr_fault_kinds[i].about);
        }
    }
}

static void print_files(yyjson_val *files)
{
    printf("\nFiles\n");
    for (size_t i = 0; i < MR_DATASET_FILES; i++) {
        yyjson_val *file = yyjson_obj_get(files, mr_dataset_file_names[i]);
        printf("  %-8s %12" PRIu64 " bytes  SHA-256 %s\n", mr_dataset_file_names[i],
               count_of(file, "bytes"), text_of(file, "sha256"));
    }
}

static void print_all(yyjson_val *root, const char *path)
{
    yyjson_val *composition = yyjson_obj_get(root, "composition");
    uint64_t records = count_of(root, "records");
    print_head(root, path);
    printf("\nA record on average (before a fault was planted)\n");
    print_members(yyjson_obj_get(composition, "per_record"), 0);
    printf("\nRecords with\n");
    print_members(composition, 0);
    printf("\nThe token of value: longest, and how many records have\n");
    print_members(yyjson_obj_get(composition, "values"), 0);
    printf("\nKinds\n");
    print_members(yyjson_obj_get(composition, "kinds"), records);
    printf("\nFlags\n");
    print_members(yyjson_obj_get(composition, "flags"), records);
    printf("\nRecords by number of digits\n");
    print_digits(yyjson_obj_get(composition, "id_digits"), "  id       ");
    print_digits(yyjson_obj_get(composition, "timestamp_digits"), "  timestamp");
    printf("\nRecords by bytes of the token of value (the last: that many, or more)\n");
    print_digits(yyjson_obj_get(yyjson_obj_get(composition, "values"), "lengths"), "  value    ");
    print_faults(yyjson_obj_get(root, "faults"));
    print_files(yyjson_obj_get(root, "files"));
}

static int show(const char *name)
{
    char path[PATH_MAX];
    if (!mr_data_manifest_path("show", name, path, sizeof path)) {
        return MR_EXIT_ENVIRONMENT;
    }
    struct mr_manifest manifest;
    struct mr_dataset_fault fault;
    int result = mr_manifest_read(path, &manifest, &fault);
    if (result != 0) {
        mr_data_say("show", fault.text);
        return mr_data_exit(result);
    }
    yyjson_doc *doc = yyjson_read_file(path, YYJSON_READ_NOFLAG, NULL, NULL);
    if (doc == NULL) {
        mr_data_say("show", "the manifest went away while it was read");
        return MR_EXIT_ENVIRONMENT;
    }
    print_all(yyjson_doc_get_root(doc), name);
    yyjson_doc_free(doc);
    return MR_EXIT_OK;
}

int mr_data_show(int argc, char **argv)
{
    const struct mr_command command = {.name = "matchrace data show",
                                       .summary = "say what a dataset is made of",
                                       .operands = "NAME",
                                       .operands_min = 1,
                                       .operands_max = 1,
                                       .examples = examples};
    const char *path[1];
    size_t paths_count;
    enum mr_cli_result read = mr_cli_parse(&command, argc, argv, path, &paths_count);
    if (read != MR_CLI_RUN) {
        return read == MR_CLI_DONE ? MR_EXIT_OK : MR_EXIT_USAGE;
    }
    return show(path[0]);
}
