// html_data.c: what the page's script needs, as JSON inside the page.
#include "html_out.h"
#include "html_page.h"
#include "results_view.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

// Raw files are in the page while they are smaller than this together; else the page links them.
#define RAW_BYTES_MAX (1024u * 1024)

static void add_entries(const struct mr_page *page, yyjson_mut_doc *doc, yyjson_mut_val *root)
{
    yyjson_mut_val *list = yyjson_mut_obj_add_arr(doc, root, "entries");
    for (size_t i = 0; i < page->entries_count; i++) {
        yyjson_mut_val *one = yyjson_mut_arr_add_obj(doc, list);
        yyjson_mut_obj_add_str(doc, one, "name", page->entries[i]);
        size_t index;
        size_t count;
        yyjson_val *contestant;
        const char *kind = "not told";
        yyjson_arr_foreach(yyjson_obj_get(page->manifest, "contestants"), index, count, contestant)
        {
            if (strcmp(mr_view_text(contestant, "entry"), page->entries[i]) == 0) {
                kind = mr_view_text(contestant, "class");
            }
        }
        yyjson_mut_obj_add_str(doc, one, "class", kind);
    }
}

static void add_cells(const struct mr_page *page, yyjson_mut_doc *doc, yyjson_mut_val *root)
{
    yyjson_mut_val *list = yyjson_mut_obj_add_arr(doc, root, "cells");
    size_t index;
    size_t count;
    yyjson_val *cell;
    yyjson_arr_foreach(page->cells, index, count, cell)
    {
        bool served = strcmp(mr_view_text(cell, "driver"), "served") == 0;
        yyjson_mut_val *one = yyjson_mut_arr_add_obj(doc, list);
        yyjson_mut_obj_add_str(doc, one, "name", mr_view_text(cell, "name"));
        yyjson_mut_obj_add_str(doc, one, "metric", mr_view_text(cell, "metric"));
        yyjson_mut_obj_add_str(doc, one, "load",
                               served ? mr_view_text(cell, "plan") : "in-process");
    }
}

// Metrics of the trial that have a value.
static void add_metrics(yyjson_mut_doc *doc, yyjson_mut_val *one, yyjson_val *metrics)
{
    yyjson_mut_val *object = yyjson_mut_obj_add_obj(doc, one, "metrics");
    size_t index;
    size_t count;
    yyjson_val *key;
    yyjson_val *value;
    yyjson_obj_foreach(metrics, index, count, key, value)
    {
        if (yyjson_is_num(value)) {
            yyjson_mut_obj_add_real(doc, object, yyjson_get_str(key), yyjson_get_num(value));
        }
    }
}

static void add_timeline(yyjson_mut_doc *doc, yyjson_mut_val *one, yyjson_val *file)
{
    yyjson_val *timeline = yyjson_ptr_get(file, "/details/generator/timeline");
    yyjson_val *records = yyjson_obj_get(timeline, "records");
    if (records != NULL) {
        yyjson_mut_obj_add_real(doc, one, "bin_s", mr_view_number(timeline, "bin_ns") / 1e9);
        yyjson_mut_obj_add_val(doc, one, "records", yyjson_val_mut_copy(doc, records));
    }
}

static void add_trial(yyjson_mut_doc *doc, yyjson_mut_val *list, const struct mr_trial_view *view,
                      bool with_raw)
{
    static const char *const numbers[] = {"number", "row", "attempt", "position"};
    static const char *const texts[] = {"cell", "entry", "outcome", "reason", "file"};
    yyjson_mut_val *one = yyjson_mut_arr_add_obj(doc, list);
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        yyjson_mut_obj_add_val(doc, one, numbers[i],
                               yyjson_val_mut_copy(doc, yyjson_obj_get(view->row, numbers[i])));
    }
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        yyjson_mut_obj_add_str(doc, one, texts[i], mr_view_text(view->row, texts[i]));
    }
    add_metrics(doc, one, yyjson_obj_get(view->row, "metrics"));
    add_timeline(doc, one, view->file);
    if (with_raw && view->file != NULL) {
        yyjson_mut_obj_add_val(doc, one, "raw", yyjson_val_mut_copy(doc, view->file));
    }
}

// How long all raw files are together as compact JSON; 0 also where memory ran out.
static size_t raw_bytes(const struct mr_trial_views *trials)
{
    size_t total = 0;
    for (size_t i = 0; i < trials->count; i++) {
        size_t length = 0;
        char *text = trials->views[i].doc == NULL
                         ? NULL
                         : yyjson_write(trials->views[i].doc, YYJSON_WRITE_NOFLAG, &length);
        total += text == NULL ? 0 : length;
        free(text);
    }
    return total;
}

int mr_page_data(const struct mr_page *page)
{
    yyjson_mut_doc *doc = yyjson_mut_doc_new(NULL);
    if (doc == NULL) {
        return -ENOMEM;
    }
    yyjson_mut_val *root = yyjson_mut_obj(doc);
    bool with_raw = raw_bytes(page->trials) <= RAW_BYTES_MAX;
    yyjson_mut_doc_set_root(doc, root);
    add_entries(page, doc, root);
    add_cells(page, doc, root);
    yyjson_mut_obj_add_bool(doc, root, "raw", with_raw);
    yyjson_mut_val *trials = yyjson_mut_obj_add_arr(doc, root, "trials");
    for (size_t i = 0; i < page->trials->count; i++) {
        add_trial(doc, trials, &page->trials->views[i], with_raw);
    }
    char *text = yyjson_mut_write(doc, YYJSON_WRITE_NOFLAG, NULL);
    if (text != NULL) {
        mr_html_json(page->out, text);
    }
    int result = text == NULL ? -ENOMEM : 0;
    free(text);
    yyjson_mut_doc_free(doc);
    return result;
}
