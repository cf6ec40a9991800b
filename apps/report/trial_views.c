// trial_views.c: see trial_views.h.
#include "trial_views.h"

#include "results_view.h"

#include "stats/robust.h"
#include "trial/json_file.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

bool mr_trial_counts(const struct mr_trial_view *view)
{
    return strcmp(mr_view_text(view->row, "outcome"), "counted") == 0;
}

const struct mr_latencies *mr_trial_latencies(const struct mr_trial_views *views, const char *cell,
                                              const char *entry)
{
    for (size_t i = 0; i < views->latencies_count; i++) {
        if (strcmp(views->latencies[i].cell, cell) == 0 &&
            strcmp(views->latencies[i].entry, entry) == 0) {
            return &views->latencies[i];
        }
    }
    return NULL;
}

// The histograms of this trial's cell and entry; made at their first trial.
static struct mr_latencies *latencies_of(struct mr_trial_views *views, yyjson_val *row,
                                         const char *series)
{
    const char *cell = mr_view_text(row, "cell");
    const char *entry = mr_view_text(row, "entry");
    const struct mr_latencies *found = mr_trial_latencies(views, cell, entry);
    if (found != NULL) {
        return &views->latencies[found - views->latencies];
    }
    // There are no more of them than trials: the array was made for that many.
    struct mr_latencies *fresh = &views->latencies[views->latencies_count];
    *fresh = (struct mr_latencies){.cell = cell, .entry = entry, .series = series};
    if (mr_hist_init(&fresh->hist) != 0) {
        return NULL;
    }
    views->latencies_count++;
    return fresh;
}

static int add_latencies(struct mr_trial_views *views, yyjson_val *row, yyjson_val *file)
{
    yyjson_val *series = yyjson_ptr_get(file, "/details/generator/series");
    const char *name = yyjson_is_obj(yyjson_obj_get(series, "latency")) ? "latency" : "round_trip";
    yyjson_val *buckets = yyjson_obj_get(yyjson_obj_get(series, name), "buckets");
    if (yyjson_arr_size(buckets) == 0) {
        return 0;
    }
    struct mr_latencies *latencies = latencies_of(views, row, name);
    if (latencies == NULL) {
        return -ENOMEM;
    }
    size_t index;
    size_t count;
    yyjson_val *bucket;
    yyjson_arr_foreach(buckets, index, count, bucket)
    {
        uint64_t low_ns = yyjson_get_uint(yyjson_arr_get(bucket, 0));
        if (low_ns <= MR_HIST_MAX_NS) {
            // A percentile is the top of its bucket, as in the generator's own result.
            (void)mr_hist_record_n(&latencies->hist, mr_hist_high_ns(mr_hist_index(low_ns)),
                                   yyjson_get_uint(yyjson_arr_get(bucket, 1)));
        }
    }
    return 0;
}

static void drop_bulk(yyjson_mut_val *root)
{
    static const char *const dropped[] = {"stats_initial", "stats_final", "kept_final", "welcome",
                                          "verification"};
    yyjson_mut_val *details = yyjson_mut_obj_get(root, "details");
    yyjson_mut_val *generator = yyjson_mut_obj_get(details, "generator");
    for (size_t i = 0; i < sizeof dropped / sizeof dropped[0]; i++) {
        (void)yyjson_mut_obj_remove_key(generator, dropped[i]);
    }
    (void)yyjson_mut_obj_remove_key(
        yyjson_mut_obj_get(yyjson_mut_obj_get(generator, "stats_before"), "reply"), "totals");
    (void)yyjson_mut_obj_remove_key(
        yyjson_mut_obj_get(yyjson_mut_obj_get(generator, "stats_after"), "reply"), "totals");
    size_t index;
    size_t count;
    yyjson_mut_val *key;
    yyjson_mut_val *series;
    yyjson_mut_obj_foreach(yyjson_mut_obj_get(generator, "series"), index, count, key, series)
    {
        (void)yyjson_mut_obj_remove_key(series, "buckets");
    }
}

// A copy of the file without its bulk; NULL: no memory.
static yyjson_doc *small_copy(yyjson_doc *whole)
{
    yyjson_mut_doc *doc = yyjson_doc_mut_copy(whole, NULL);
    if (doc == NULL) {
        return NULL;
    }
    drop_bulk(yyjson_mut_doc_get_root(doc));
    yyjson_doc *copy = yyjson_mut_doc_imut_copy(doc, NULL);
    yyjson_mut_doc_free(doc);
    return copy;
}

static int read_view(struct mr_trial_views *views, struct mr_trial_view *view, const char *folder)
{
    char path[PATH_MAX];
    struct mr_trial_fault fault;
    struct mr_json_file file;
    const char *name = mr_view_text(view->row, "file");
    (void)snprintf(path, sizeof path, "%s/trials/%s", folder, name);
    // A name with a folder in it would lead out of the run's own.
    int result = strchr(name, '/') != NULL ? -EBADMSG : mr_json_file_init(&file, path, &fault);
    if (result == 0) {
        result = mr_trial_counts(view)
                     ? add_latencies(views, view->row, yyjson_doc_get_root(file.doc))
                     : 0;
        view->doc = small_copy(file.doc);
        view->file = yyjson_doc_get_root(view->doc);
        result = view->doc == NULL ? -ENOMEM : result;
    } else {
        views->missing_count++;
        result = result == -ENOMEM ? result : 0;
    }
    if (strchr(name, '/') == NULL) {
        mr_json_file_fini(&file);
    }
    return result;
}

int mr_trial_views_init(struct mr_trial_views *views_out, const char *folder, yyjson_val *results)
{
    yyjson_val *trials = yyjson_obj_get(results, "trials");
    size_t count = yyjson_arr_size(trials);
    *views_out = (struct mr_trial_views){0};
    views_out->views = calloc(count + 1, sizeof views_out->views[0]);
    views_out->latencies = calloc(count + 1, sizeof views_out->latencies[0]);
    int result = views_out->views == NULL || views_out->latencies == NULL ? -ENOMEM : 0;
    for (size_t i = 0; i < count && result == 0; i++) {
        views_out->views[i].row = yyjson_arr_get(trials, i);
        result = read_view(views_out, &views_out->views[i], folder);
        views_out->count++;
    }
    return result;
}

void mr_trial_views_fini(struct mr_trial_views *views)
{
    for (size_t i = 0; i < views->count; i++) {
        yyjson_doc_free(views->views[i].doc);
    }
    for (size_t i = 0; i < views->latencies_count; i++) {
        mr_hist_fini(&views->latencies[i].hist);
    }
    free(views->views);
    free(views->latencies);
    *views = (struct mr_trial_views){0};
}

static double number_at(yyjson_val *file, const char *pointer)
{
    yyjson_val *value = yyjson_ptr_get(file, pointer);
    if (yyjson_is_str(value)) {
        char *end;
        unsigned long long number = strtoull(yyjson_get_str(value), &end, 16);
        return yyjson_get_len(value) == 16 && *end == '\0' ? (double)number : NAN;
    }
    return yyjson_is_num(value) ? yyjson_get_num(value) : NAN;
}

static int by_size(const void *a, const void *b)
{
    double left = *(const double *)a;
    double right = *(const double *)b;
    return (left > right) - (left < right);
}

double mr_trial_median(const struct mr_trial_views *views, yyjson_val *cell, yyjson_val *entry,
                       const char *pointer, const char *begin)
{
    double *found = calloc(views->count + 1, sizeof *found);
    size_t count = 0;
    for (size_t i = 0; found != NULL && i < views->count; i++) {
        const struct mr_trial_view *view = &views->views[i];
        if (mr_trial_counts(view) &&
            strcmp(mr_view_text(view->row, "cell"), mr_view_text(cell, "name")) == 0 &&
            strcmp(mr_view_text(view->row, "entry"), mr_view_text(entry, "entry")) == 0) {
            found[count] =
                number_at(view->file, pointer) - (begin == NULL ? 0 : number_at(view->file, begin));
            count += isfinite(found[count]) ? 1 : 0;
        }
    }
    double median = NAN;
    if (count > 0) {
        qsort(found, count, sizeof *found, by_size);
        median = mr_median_sorted(found, count);
    }
    free(found);
    return median;
}
