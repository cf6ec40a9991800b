// load_events.c: see load_events.h.
#include "load_events.h"

#include "load_failure.h"
#include "load_result.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <yyjson.h>

static void add_more(const struct mr_load_run *run, const char *event, yyjson_mut_doc *doc,
                     yyjson_mut_val *root)
{
    if (strcmp(event, "connected") == 0) {
        yyjson_mut_obj_add_uint(doc, root, "window_start_ns", run->shared.window.begin_ns);
        yyjson_mut_obj_add_uint(doc, root, "window_end_ns", run->shared.window.end_ns);
    }
    if (strcmp(event, "done") == 0) {
        const struct mr_load_failure *failure = &run->failure;
        yyjson_mut_obj_add_str(doc, root, "verdict", mr_load_verdict(run));
        if (mr_load_is_the_servers(failure)) {
            yyjson_mut_obj_add_str(doc, root, "gate", mr_load_gate_name(failure->gate));
        }
    }
}

void mr_load_event(const struct mr_load_run *run, const char *event, uint64_t time_ns)
{
    if (!run->options->events) {
        return;
    }
    yyjson_mut_doc *doc = yyjson_mut_doc_new(NULL);
    yyjson_mut_val *root = yyjson_mut_obj(doc);
    yyjson_mut_doc_set_root(doc, root);
    yyjson_mut_obj_add_str(doc, root, "event", event);
    yyjson_mut_obj_add_uint(doc, root, "t_ns", time_ns);
    add_more(run, event, doc, root);
    char *line = yyjson_mut_write(doc, 0, NULL);
    if (line != NULL) {
        (void)puts(line);
        (void)fflush(stdout);
    }
    free(line);
    yyjson_mut_doc_free(doc);
}
