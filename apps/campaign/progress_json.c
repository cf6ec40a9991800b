// progress_json.c: see progress_json.h.
#include "progress_json.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <yyjson.h>

double mr_run_progress_left_s(const struct mr_run_progress *progress, uint64_t now_ns)
{
    if (progress->trials_done <= progress->trials_before) {
        return NAN;
    }
    double done = (double)(progress->trials_done - progress->trials_before);
    double left = progress->trials_planned > progress->trials_done
                      ? (double)(progress->trials_planned - progress->trials_done)
                      : 0;
    return (double)(now_ns - progress->start_ns) / 1e9 / done * left;
}

void mr_progress_json(const struct mr_run_progress *progress, const struct mr_trial *trial,
                      uint64_t rows, uint64_t now_ns)
{
    yyjson_mut_doc *doc = yyjson_mut_doc_new(NULL);
    yyjson_mut_val *root = yyjson_mut_obj(doc);
    double left_s = mr_run_progress_left_s(progress, now_ns);
    yyjson_mut_doc_set_root(doc, root);
    yyjson_mut_obj_add_uint(doc, root, "trial", trial->number);
    yyjson_mut_obj_add_str(doc, root, "cell", trial->cell);
    yyjson_mut_obj_add_uint(doc, root, "row", trial->row + 1);
    yyjson_mut_obj_add_uint(doc, root, "rows", rows);
    yyjson_mut_obj_add_uint(doc, root, "attempt", trial->attempt);
    yyjson_mut_obj_add_str(doc, root, "entry", trial->entry);
    yyjson_mut_obj_add_str(doc, root, "outcome", mr_trial_outcome_name(trial->outcome));
    yyjson_mut_obj_add_uint(doc, root, "trials_done", progress->trials_done);
    yyjson_mut_obj_add_uint(doc, root, "trials_planned", progress->trials_planned);
    yyjson_mut_obj_add_uint(doc, root, "excluded", progress->excluded);
    yyjson_mut_obj_add_real(doc, root, "elapsed_s", (double)(now_ns - progress->start_ns) / 1e9);
    if (isfinite(left_s)) {
        yyjson_mut_obj_add_real(doc, root, "left_s", left_s);
    } else {
        yyjson_mut_obj_add_null(doc, root, "left_s");
    }
    char *text = yyjson_mut_write(doc, 0, NULL);
    if (text != NULL) { // progress alone: a run does not end for it
        printf("%s\n", text);
        (void)fflush(stdout);
    }
    free(text);
    yyjson_mut_doc_free(doc);
}
