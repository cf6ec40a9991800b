// report_provenance.c: who raced, on what, by which rules, and how to run it again.
#include "report_page.h"
#include "report_words.h"
#include "results_view.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

static void write_field(FILE *out, const char *text)
{
    mr_view_escape(out, text);
    (void)fprintf(out, " | ");
}

static void write_libraries(FILE *out, yyjson_val *welcome)
{
    size_t index;
    size_t count;
    yyjson_val *library;
    yyjson_arr_foreach(yyjson_obj_get(welcome, "libraries"), index, count, library)
    {
        (void)fprintf(out, "%s", index == 0 ? "" : ", ");
        mr_view_put(out, library, "name");
        (void)fprintf(out, " ");
        mr_view_put(out, library, "version");
    }
    (void)fprintf(out, "%s | ", count == 0 ? "none" : "");
}

// A row of a table of contestants behind the name: of the manifest's words and WELCOME's.
typedef void write_row(FILE *out, yyjson_val *contestant, yyjson_val *welcome);

static void write_each(FILE *out, yyjson_val *results, write_row *row)
{
    yyjson_val *welcomes = yyjson_obj_get(results, "welcomes");
    size_t index;
    size_t count;
    yyjson_val *one;
    yyjson_val *contestants = yyjson_obj_get(yyjson_obj_get(results, "manifest"), "contestants");
    yyjson_arr_foreach(contestants, index, count, one)
    {
        (void)fprintf(out, "| ");
        write_field(out, mr_view_text(one, "entry"));
        row(out, one, yyjson_obj_get(welcomes, mr_view_text(one, "entry")));
        (void)fprintf(out, "\n");
    }
}

static void write_contestant(FILE *out, yyjson_val *one, yyjson_val *welcome)
{
    write_field(out, mr_view_text(one, "class"));
    write_field(out, mr_view_text(one, "language"));
    write_field(out, mr_view_text(welcome, "version"));
    write_field(out, mr_view_text(welcome, "kernel"));
    write_libraries(out, welcome);
    (void)fprintf(out, "%s | ", MR_VIEW_WHOLE(one, "parser_lines"));
    write_field(out, mr_view_text(one, "memory_safety"));
    write_field(out, yyjson_is_true(yyjson_obj_get(one, "any_json")) ? "yes" : "this schema only");
    write_field(out, mr_view_text(one, "conformance"));
}

static void write_contestants(FILE *out, yyjson_val *results)
{
    (void)fprintf(
        out,
        "## Contestants\n\n| contestant | class | language | version | kernel | libraries | parser "
        "lines |"
        " memory safety | any JSON | conformance |\n|---|---|---|---|---|---|--:|---|---|---|\n");
    write_each(out, results, write_contestant);
    (void)fprintf(out, "\n%s\n\n", mr_words_classes);
}

static void write_build(FILE *out, yyjson_val *one, yyjson_val *welcome)
{
    write_field(out, mr_view_text(welcome, "runtime"));
    write_field(out, mr_view_text(welcome, "build_flags"));
    (void)fprintf(out, "`");
    mr_view_code(out, mr_view_text(one, "program_sha256"), 16);
    (void)fprintf(out, "` |");
}

static void write_builds(FILE *out, yyjson_val *results)
{
    (void)fprintf(out, "### Build parity\n\n| contestant | runtime | build | program (SHA-256) "
                       "|\n|---|---|---|---|\n");
    write_each(out, results, write_build);
    (void)fprintf(out, "\n");
}

// Any scalar of the manifest as text.
static void write_value(FILE *out, yyjson_val *value)
{
    if (yyjson_is_str(value)) {
        mr_view_escape(out, yyjson_get_str(value));
    } else if (yyjson_is_int(value)) {
        (void)fprintf(out, "%lld", (long long)yyjson_get_sint(value));
    } else if (yyjson_is_real(value)) {
        (void)fprintf(out, "%g", yyjson_get_real(value));
    } else if (yyjson_is_bool(value)) {
        (void)fprintf(out, "%s", yyjson_get_bool(value) ? "yes" : "no");
    } else {
        (void)fprintf(out, "unavailable");
    }
}

static void write_table(FILE *out, yyjson_val *object)
{
    (void)fprintf(out, "| | |\n|---|---|\n");
    size_t index;
    size_t count;
    yyjson_val *key;
    yyjson_val *value;
    yyjson_obj_foreach(object, index, count, key, value)
    {
        if (yyjson_is_ctn(value)) {
            continue;
        }
        (void)fprintf(out, "| ");
        mr_view_escape(out, yyjson_get_str(key));
        (void)fprintf(out, " | ");
        write_value(out, value);
        (void)fprintf(out, " |\n");
    }
    (void)fprintf(out, "\n");
}

static void write_thresholds(FILE *out, yyjson_val *object)
{
    size_t index;
    size_t count;
    yyjson_val *name;
    yyjson_val *value;
    yyjson_obj_foreach(object, index, count, name, value)
    {
        if (yyjson_is_num(value)) {
            mr_view_escape(out, yyjson_get_str(name));
            (void)fprintf(out, " %g ", yyjson_get_num(value));
        }
    }
}

static void write_gates(FILE *out, yyjson_val *rules)
{
    (void)fprintf(out, "| gate | a failed trial is | thresholds |\n|---|---|---|\n");
    size_t index;
    size_t count;
    yyjson_val *key;
    yyjson_val *gate;
    yyjson_obj_foreach(yyjson_obj_get(rules, "gates"), index, count, key, gate)
    {
        (void)fprintf(out, "| ");
        mr_view_escape(out, yyjson_get_str(key));
        (void)fprintf(out, " | %s | ",
                      mr_words_consequence(yyjson_get_str(key), mr_view_text(gate, "action")));
        write_thresholds(out, gate);
        (void)fprintf(out, "|\n");
    }
    (void)fprintf(out, "\nWhat could not be measured is unavailable, never passed. Marks never "
                       "exclude; their thresholds: ");
    write_thresholds(out, yyjson_obj_get(rules, "marks"));
    (void)fprintf(out, "\n\n");
}

// The rules by which the trials of this page were judged: those of the run, unless the matrix in
// its folder was changed since.
static void write_rules(FILE *out, yyjson_val *results)
{
    yyjson_val *rules = yyjson_obj_get(results, "rules");
    double otherwise = mr_view_number(results, "judged_otherwise");
    (void)fprintf(out, "## Rules\n\nFixed before the first trial.\n\n");
    if (otherwise > 0) {
        (void)fprintf(out,
                      "**Judged again under other rules than those of the run**: in %.0f trials a "
                      "gate or a mark now says something else than in the trial's file.\n\n",
                      otherwise);
    }
    write_table(out, rules);
    write_gates(out, rules);
}

static void write_datasets(FILE *out, yyjson_val *manifest)
{
    (void)fprintf(out, "## Data\n\n| cell | dataset | batches | records | JSON bytes | bytes a "
                       "record | SHA-256 |\n"
                       "|---|---|--:|--:|--:|--:|---|\n");
    size_t index;
    size_t count;
    yyjson_val *one;
    yyjson_arr_foreach(yyjson_obj_get(manifest, "datasets"), index, count, one)
    {
        double records = mr_view_number(one, "records");
        double bytes = mr_view_number(one, "payload_bytes");
        char share[32];
        (void)fprintf(out, "| ");
        write_field(out, mr_view_text(one, "cell"));
        write_field(out, mr_view_text(one, "name"));
        (void)fprintf(out, "%s | %s | %s | %s | `", MR_VIEW_WHOLE(one, "batches"),
                      MR_VIEW_WHOLE(one, "records"), MR_VIEW_WHOLE(one, "payload_bytes"),
                      mr_view_format(bytes / records, 1, share));
        mr_view_code(out, mr_view_text(one, "sha256"), 16);
        (void)fprintf(out, "` |\n");
    }
    (void)fprintf(out, "\n%s\n\n", mr_words_no_twin_batches);
}

static void write_reproduce(FILE *out, yyjson_val *manifest)
{
    (void)fprintf(out, "## How to reproduce it\n\n```\n# at commit ");
    char seed[24];
    mr_view_code(out, mr_view_text(manifest, "commit"), SIZE_MAX);
    (void)fprintf(out, "\n");
    mr_view_code(out, mr_view_text(manifest, "reproduce"), SIZE_MAX);
    (void)fprintf(out, "\n```\n\nSeed of schedule and generator: %s. Started ",
                  mr_view_count(manifest, "seed", seed));
    mr_view_put(out, manifest, "started_utc");
    (void)fprintf(out, ", matchrace ");
    mr_view_put(out, manifest, "program_version");
    (void)fprintf(out, ".");
    (void)fprintf(
        out,
        " Raw data: `trials/` (one file a trial), `trials.csv` (its columns: `trials-columns.md`),"
        " `results.json`, `manifest.json`. `matchrace estimate FOLDER` and `matchrace report "
        "FOLDER` compute"
        " results and this page again from them.\n");
}

void mr_report_provenance(FILE *out, yyjson_val *results)
{
    yyjson_val *manifest = yyjson_obj_get(results, "manifest");
    write_contestants(out, results);
    write_builds(out, results);
    write_datasets(out, manifest);
    (void)fprintf(out, "## Environment\n\n");
    write_table(out, yyjson_obj_get(manifest, "environment"));
    write_rules(out, results);
    write_reproduce(out, manifest);
}
