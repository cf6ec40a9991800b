// html_page.c: report.html from top to bottom, and what its parts have in common.
#include "html_page.h"

#include "html_out.h"
#include "page_files.h"
#include "results_view.h"

#include "base/mr_assert.h"

#include <errno.h>
#include <string.h>

size_t mr_page_entry(const struct mr_page *page, const char *name)
{
    size_t at = 0;
    while (at + 1 < page->entries_count && strcmp(page->entries[at], name) != 0) {
        at++;
    }
    return at;
}

static void add_entry(struct mr_page *page, const char *name)
{
    for (size_t i = 0; i < page->entries_count; i++) {
        if (strcmp(page->entries[i], name) == 0) {
            return;
        }
    }
    if (page->entries_count < MR_PAGE_ENTRIES_MAX) {
        page->entries[page->entries_count++] = name;
    }
}

static void find_entries(struct mr_page *page)
{
    size_t index;
    size_t count;
    yyjson_val *one;
    yyjson_arr_foreach(yyjson_obj_get(page->manifest, "contestants"), index, count, one)
    {
        add_entry(page, mr_view_text(one, "entry"));
    }
    yyjson_arr_foreach(page->cells, index, count, one)
    {
        size_t at;
        size_t total;
        yyjson_val *entry;
        yyjson_arr_foreach(yyjson_obj_get(one, "entries"), at, total, entry)
        {
            add_entry(page, mr_view_text(entry, "entry"));
        }
    }
}

void mr_page_filter(const struct mr_page *page, size_t cell, const char *a, const char *b)
{
    mr_html(page->out, " data-c=\"%zu\"", cell);
    if (a != NULL) {
        mr_html(page->out, " data-e=\"%zu", mr_page_entry(page, a));
        if (b != NULL) {
            mr_html(page->out, " %zu", mr_page_entry(page, b));
        }
        mr_html(page->out, "\"");
    }
}

void mr_page_row(const struct mr_page *page, size_t cell, const char *a, const char *b,
                 const char *head)
{
    mr_html(page->out, "<tr");
    mr_page_filter(page, cell, a, b);
    mr_html(page->out, "><th scope=\"row\">%s</th>", head);
}

bool mr_page_next(const struct mr_page *page, struct mr_page_comparison *at)
{
    for (; at->cell_number < yyjson_arr_size(page->cells); at->cell_number++, at->number = 0) {
        at->cell = yyjson_arr_get(page->cells, at->cell_number);
        yyjson_val *comparisons = yyjson_obj_get(at->cell, "comparisons");
        if (at->number < yyjson_arr_size(comparisons)) {
            at->comparison = yyjson_arr_get(comparisons, at->number++);
            return true;
        }
    }
    return false;
}

void mr_page_table(const struct mr_page *page, const char *caption)
{
    mr_html(page->out,
            "<div class=\"scroll\" tabindex=\"0\" role=\"group\" aria-label=\"%s\"><table>"
            "<caption>%s</caption>\n",
            caption, caption);
}

void mr_page_table_end(const struct mr_page *page, const char *source)
{
    const char *command = mr_view_text(page->manifest, "reproduce");
    mr_html(page->out,
            "</tbody></table></div>\n<p class=\"source\">From <code>%s</code>; computed again by "
            "<code>matchrace estimate</code> and <code>matchrace report</code>, raced again by ",
            source);
    // A command with many options would drown the table above it.
    if (strlen(command) <= 40) {
        mr_html(page->out, "<code>%s</code>.</p>\n", command);
    } else {
        mr_html(page->out, "<a href=\"#reproduce\">the run's command</a>.</p>\n");
    }
}

void mr_page_head(const struct mr_page *page, const char *title, bool numeric)
{
    mr_html(page->out,
            numeric ? "<th scope=\"col\" class=\"n\">%s</th>" : "<th scope=\"col\">%s</th>", title);
}

void mr_page_table_of(const struct mr_page *page, const char *caption, const char *const *titles,
                      size_t count)
{
    mr_page_table(page, caption);
    mr_html(page->out, "<thead><tr>");
    for (size_t i = 0; i < count; i++) {
        bool numeric = titles[i][0] == '#';
        mr_page_head(page, titles[i] + (numeric ? 1 : 0), numeric);
    }
    mr_html(page->out, "</tr></thead><tbody>\n");
}

const char *mr_page_colour(const struct mr_page *page, const char *entry, char text_out[16])
{
    size_t number = mr_page_entry(page, entry);
    (void)snprintf(text_out, 16, "k%zu d%zu", number % 8, number % 4);
    return text_out;
}

void mr_page_legend(const struct mr_page *page, yyjson_val *entries)
{
    size_t index;
    size_t count;
    yyjson_val *entry;
    mr_html(page->out, "<ul class=\"legend\">");
    yyjson_arr_foreach(entries, index, count, entry)
    {
        char colour[16];
        const char *name = mr_view_text(entry, "entry");
        mr_html(
            page->out,
            "<li data-e=\"%zu\"><svg class=\"swatch\" viewBox=\"0 0 28 8\" aria-hidden=\"true\">"
            "<path class=\"line %s\" d=\"M0 4H28\"/></svg>%s</li>",
            mr_page_entry(page, name), mr_page_colour(page, name, colour), name);
    }
    mr_html(page->out, "</ul>\n");
}

static void write_body(const struct mr_page *page)
{
    mr_page_conclusions(page);
    mr_page_choose(page);
    mr_page_cells(page);
    mr_page_published(page);
    mr_page_evidence(page);
    mr_page_memory(page);
    mr_page_provenance(page);
    mr_page_rules(page);
    mr_page_missing(page);
    mr_page_trials(page);
    mr_page_reproduce(page);
}

static bool is_name(const char *place, const char *name)
{
    return strncmp(place, name, strlen(name)) == 0 && place[strlen(name)] == '}';
}

// Writes what belongs at this place of the skeleton.
static int fill(const struct mr_page *page, const char *place)
{
    int result = 0;
    if (is_name(place, "style")) {
        (void)fputs((const char *)mr_page_style, page->out);
    } else if (is_name(place, "script")) {
        (void)fputs((const char *)mr_page_script, page->out);
    } else if (is_name(place, "title")) {
        mr_html_put(page->out, page->manifest, "title");
    } else if (is_name(place, "body")) {
        write_body(page);
    } else {
        MR_ASSERT(is_name(place, "data"));
        result = mr_page_data(page);
    }
    return result;
}

static int fill_skeleton(const struct mr_page *page)
{
    const char *at = (const char *)mr_page_skeleton;
    const char *place;
    int result = 0;
    while (result == 0 && (place = strstr(at, "{{")) != NULL) {
        (void)fwrite(at, 1, (size_t)(place - at), page->out);
        result = fill(page, place + 2);
        at = strstr(place, "}}") + 2;
    }
    (void)fputs(at, page->out);
    return result;
}

int mr_html_page(FILE *out, yyjson_val *results, const struct mr_trial_views *trials)
{
    const char *published = (const char *)mr_page_figures;
    yyjson_doc *doc = yyjson_read(published, strlen(published), 0);
    if (doc == NULL) {
        return -ENOMEM;
    }
    struct mr_page page = {.out = out,
                           .results = results,
                           .manifest = yyjson_obj_get(results, "manifest"),
                           .cells = yyjson_obj_get(results, "cells"),
                           .trials = trials,
                           .published = yyjson_doc_get_root(doc)};
    find_entries(&page);
    int result = fill_skeleton(&page);
    yyjson_doc_free(doc);
    return result;
}
