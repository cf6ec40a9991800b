// html_provenance.c: who raced, on what data and machine, by which rules and in which order, and
// how to do it again.
#include "html_out.h"
#include "html_page.h"
#include "report_words.h"
#include "results_view.h"

#include <math.h>
#include <string.h>

static void write_libraries(const struct mr_page *page, yyjson_val *welcome)
{
    size_t index;
    size_t count;
    yyjson_val *library;
    mr_html(page->out, "<td>");
    yyjson_arr_foreach(yyjson_obj_get(welcome, "libraries"), index, count, library)
    {
        mr_html(page->out, "%s%s %s", index == 0 ? "" : ", ", mr_view_text(library, "name"),
                mr_view_text(library, "version"));
    }
    mr_html(page->out, count == 0 ? "none</td>" : "</td>");
}

static void write_contestant(const struct mr_page *page, yyjson_val *one, yyjson_val *welcome)
{
    mr_html(page->out, "<td>%s</td><td>%s</td><td>%s</td><td>%s</td>", mr_view_text(one, "class"),
            mr_view_text(one, "language"), mr_view_text(welcome, "version"),
            mr_view_text(welcome, "kernel"));
    write_libraries(page, welcome);
    mr_html(page->out, "<td>%s</td><td>%s</td><td class=\"long\">%s</td>",
            mr_view_text(one, "conformance"), mr_view_text(one, "licence"),
            mr_view_text(one, "how"));
}

static void write_build(const struct mr_page *page, yyjson_val *one, yyjson_val *welcome)
{
    mr_html(page->out,
            "<td>%s</td><td class=\"long\">%s</td><td class=\"hash\"><code>%s</code></td>",
            mr_view_text(welcome, "runtime"), mr_view_text(welcome, "build_flags"),
            mr_view_text(one, "program_sha256"));
}

static void write_knobs(const struct mr_page *page, yyjson_val *welcome)
{
    size_t index;
    size_t count;
    yyjson_val *key;
    yyjson_val *value;
    mr_html(page->out, "<td class=\"long\">");
    yyjson_obj_foreach(yyjson_obj_get(welcome, "knobs"), index, count, key, value)
    {
        const char *text = yyjson_get_str(value);
        mr_html(page->out, "%s%s = %s", index == 0 ? "" : ", ", yyjson_get_str(key),
                text == NULL ? "…" : text);
    }
    mr_html(page->out, count == 0 ? "none told</td>" : "</td>");
}

// A row of a table of contestants behind the name: of the manifest's words and WELCOME's.
typedef void write_row(const struct mr_page *page, yyjson_val *one, yyjson_val *welcome);

static void write_parity(const struct mr_page *page, yyjson_val *one, yyjson_val *welcome)
{
    write_build(page, one, welcome);
    write_knobs(page, welcome);
}

static void write_each(const struct mr_page *page, write_row *row)
{
    yyjson_val *welcomes = yyjson_obj_get(page->results, "welcomes");
    size_t index;
    size_t count;
    yyjson_val *one;
    yyjson_arr_foreach(yyjson_obj_get(page->manifest, "contestants"), index, count, one)
    {
        const char *name = mr_view_text(one, "entry");
        mr_html(page->out, "<tr data-e=\"%zu\"><th scope=\"row\">%s</th>",
                mr_page_entry(page, name), name);
        row(page, one, yyjson_obj_get(welcomes, name));
        mr_html(page->out, "</tr>\n");
    }
}

static void write_contestants(const struct mr_page *page)
{
    static const char *const who[] = {"contestant", "class",       "language", "version", "kernel",
                                      "libraries",  "conformance", "licence",  "how"};
    static const char *const builds[] = {"contestant", "runtime", "build", "program (SHA-256)",
                                         "knobs"};
    mr_html(page->out, "<section id=\"contestants\">\n<h2>Contestants</h2>\n");
    MR_PAGE_TABLE(page, "Who raced", who);
    write_each(page, write_contestant);
    mr_page_table_end(page, "manifest.json, contestants; results.json, welcomes");
    mr_html(page->out, "<p class=\"note\">%s</p>\n<h3>Build parity</h3>\n", mr_words_classes);
    MR_PAGE_TABLE(page, "How each was built, and what it was told", builds);
    write_each(page, write_parity);
    mr_page_table_end(page, "results.json, welcomes");
    mr_html(page->out, "</section>\n");
}

static void write_datasets(const struct mr_page *page)
{
    static const char *const titles[] = {"cell",        "dataset",         "#batches", "#records",
                                         "#JSON bytes", "#bytes a record", "SHA-256"};
    mr_html(page->out, "<section id=\"data\">\n<h2>Data</h2>\n");
    MR_PAGE_TABLE(page, "Datasets", titles);
    size_t index;
    size_t count;
    yyjson_val *one;
    yyjson_arr_foreach(yyjson_obj_get(page->manifest, "datasets"), index, count, one)
    {
        mr_html(page->out, "<tr><th scope=\"row\">%s</th><td>%s</td>", mr_view_text(one, "cell"),
                mr_view_text(one, "name"));
        mr_html_number(page->out, mr_view_number(one, "batches"), 0);
        mr_html_number(page->out, mr_view_number(one, "records"), 0);
        mr_html_number(page->out, mr_view_number(one, "payload_bytes"), 0);
        mr_html_number(page->out,
                       mr_view_number(one, "payload_bytes") / mr_view_number(one, "records"), 1);
        mr_html(page->out, "<td class=\"hash\"><code>%s</code></td></tr>\n",
                mr_view_text(one, "sha256"));
    }
    mr_page_table_end(page, "manifest.json, datasets");
    mr_html(page->out, "<p class=\"note\">%s</p>\n</section>\n", mr_words_no_twin_batches);
}

static void write_value(const struct mr_page *page, yyjson_val *value)
{
    if (yyjson_is_str(value)) {
        mr_html(page->out, "%s", yyjson_get_str(value));
    } else if (yyjson_is_int(value)) {
        (void)fprintf(page->out, "%lld", (long long)yyjson_get_sint(value));
    } else if (yyjson_is_real(value)) {
        (void)fprintf(page->out, "%g", yyjson_get_real(value));
    } else {
        mr_html(page->out,
                yyjson_is_bool(value) ? (yyjson_get_bool(value) ? "yes" : "no") : "unavailable");
    }
}

// The scalars of an object, as a list of names and values.
static void write_facts(const struct mr_page *page, yyjson_val *object)
{
    size_t index;
    size_t count;
    yyjson_val *key;
    yyjson_val *value;
    mr_html(page->out, "<dl class=\"facts\">\n");
    yyjson_obj_foreach(object, index, count, key, value)
    {
        if (!yyjson_is_ctn(value)) {
            mr_html(page->out, "<dt>%s</dt><dd>", yyjson_get_str(key));
            write_value(page, value);
            mr_html(page->out, "</dd>\n");
        }
    }
    mr_html(page->out, "</dl>\n");
}

void mr_page_provenance(const struct mr_page *page)
{
    write_contestants(page);
    write_datasets(page);
    mr_html(page->out, "<section id=\"environment\">\n<h2>Environment</h2>\n");
    write_facts(page, yyjson_obj_get(page->manifest, "environment"));
    mr_html(page->out, "</section>\n");
}

static void write_thresholds(const struct mr_page *page, yyjson_val *object)
{
    size_t index;
    size_t count;
    yyjson_val *name;
    yyjson_val *value;
    yyjson_obj_foreach(object, index, count, name, value)
    {
        if (yyjson_is_num(value)) {
            mr_html(page->out, "%s ", yyjson_get_str(name));
            (void)fprintf(page->out, "%g ", yyjson_get_num(value));
        }
    }
}

static void write_gates(const struct mr_page *page, yyjson_val *rules)
{
    static const char *const titles[] = {"gate", "a failed trial is", "thresholds"};
    MR_PAGE_TABLE(page, "Gates", titles);
    size_t index;
    size_t count;
    yyjson_val *key;
    yyjson_val *gate;
    yyjson_obj_foreach(yyjson_obj_get(rules, "gates"), index, count, key, gate)
    {
        const char *name = yyjson_get_str(key);
        mr_html(page->out, "<tr><th scope=\"row\">%s</th><td>%s</td><td class=\"long\">", name,
                mr_words_consequence(name, mr_view_text(gate, "action")));
        write_thresholds(page, gate);
        mr_html(page->out, "</td></tr>\n");
    }
    mr_page_table_end(page, "results.json, rules");
    mr_html(page->out, "<p class=\"note\">What could not be measured is unavailable, never passed. "
                       "Marks never exclude; their thresholds: ");
    write_thresholds(page, yyjson_obj_get(rules, "marks"));
    mr_html(page->out, "</p>\n");
}

static void write_schedule(const struct mr_page *page)
{
    static const char *const titles[] = {"#place", "cell", "#row", "order, back to back"};
    mr_html(page->out, "<details><summary>Schedule: which row ran when, and in which order"
                       "</summary>\n");
    MR_PAGE_TABLE(page, "Rows in the order in which they were planned", titles);
    size_t index;
    size_t count;
    yyjson_val *row;
    yyjson_arr_foreach(yyjson_obj_get(page->manifest, "schedule"), index, count, row)
    {
        mr_html(page->out, "<tr><td class=\"n\">%zu</td><td>%s</td>", index + 1,
                mr_view_text(row, "cell"));
        mr_html_number(page->out, mr_view_number(row, "row"), 0);
        mr_html(page->out, "<td>");
        size_t at;
        size_t total;
        yyjson_val *name;
        yyjson_arr_foreach(yyjson_obj_get(row, "order"), at, total, name)
        {
            const char *text = yyjson_get_str(name);
            mr_html(page->out, "%s%s", at == 0 ? "" : " → ", text == NULL ? "" : text);
        }
        mr_html(page->out, "</td></tr>\n");
    }
    mr_page_table_end(page, "manifest.json, schedule");
    mr_html(page->out, "</details>\n");
}

void mr_page_rules(const struct mr_page *page)
{
    yyjson_val *rules = yyjson_obj_get(page->results, "rules");
    double otherwise = mr_view_number(page->results, "judged_otherwise");
    mr_html(page->out, "<section id=\"rules\">\n<h2>Rules and schedule</h2>\n<p>Fixed before the "
                       "first trial.</p>\n");
    if (otherwise > 0) {
        (void)fprintf(page->out,
                      "<p class=\"warning\"><strong>Judged again under other rules than those of "
                      "the run</strong>: in %.0f trials a gate or a mark now says something else "
                      "than in the trial's file.</p>\n",
                      otherwise);
    }
    write_facts(page, rules);
    write_gates(page, rules);
    write_schedule(page);
    mr_html(page->out, "</section>\n");
}

void mr_page_reproduce(const struct mr_page *page)
{
    char seed[24];
    mr_html(page->out,
            "<section id=\"reproduce\">\n<h2>How to reproduce it</h2>\n<pre tabindex=\"0\"># at "
            "commit %s\n%s"
            "</pre>\n<p>Seed of schedule and generator: %s. Started %s, matchrace %s. Raw data: "
            "<code>trials/</code> (one file a trial), <code>trials.csv</code> (its columns: "
            "<code>trials-columns.md</code>), <code>results.json</code>, "
            "<code>manifest.json</code>. <code>matchrace estimate FOLDER</code> and "
            "<code>matchrace report FOLDER</code> compute results and this page again from "
            "them.</p>\n</section>\n",
            mr_view_text(page->manifest, "commit"), mr_view_text(page->manifest, "reproduce"),
            mr_view_count(page->manifest, "seed", seed),
            mr_view_text(page->manifest, "started_utc"),
            mr_view_text(page->manifest, "program_version"));
}
