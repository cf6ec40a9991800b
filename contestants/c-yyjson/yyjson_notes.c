// yyjson_notes.c: see yyjson_notes.h.
#include "yyjson_notes.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <yyjson.h>

struct notes_writer {
    yyjson_alc *kept; // bytes-reuse: memory for all iterations; otherwise NULL, which is malloc
    yyjson_mut_doc *doc;
    char *text;
};

bool yyjson_notes_can(enum mr_notes_form form, enum mr_notes_profile profile)
{
    return form != MR_FORM_STRING_FRESH && profile == MR_NOTES_REQUIRED_UPPER;
}

static uint64_t now_ns(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

// An array of objects whose strings are the notes' own. NULL: no memory.
static yyjson_mut_doc *build(const struct mr_note *notes, size_t count, yyjson_alc *alc)
{
    yyjson_mut_doc *doc = yyjson_mut_doc_new(alc);
    yyjson_mut_val *root = yyjson_mut_arr(doc);
    bool built = root != NULL;
    for (size_t i = 0; built && i < count; i++) {
        const struct mr_note *note = &notes[i];
        yyjson_mut_val *object = yyjson_mut_arr_add_obj(doc, root);
        built = object != NULL && yyjson_mut_obj_add_int(doc, object, "Id", note->id) &&
                yyjson_mut_obj_add_strn(doc, object, "Title", (const char *)note->title,
                                        note->title_bytes) &&
                yyjson_mut_obj_add_strn(doc, object, "NoteText", (const char *)note->text,
                                        note->text_bytes);
    }
    if (!built) {
        yyjson_mut_doc_free(doc);
        return NULL;
    }
    yyjson_mut_doc_set_root(doc, root);
    return doc;
}

int yyjson_notes_write(void *context, const struct mr_note *notes, size_t count,
                       struct mr_notes_output *output_out)
{
    struct notes_writer *writer = context;
    uint64_t start_ns = now_ns();
    writer->doc = build(notes, count, writer->kept);
    if (writer->doc == NULL) {
        return -ENOMEM;
    }
    output_out->build_ns = now_ns() - start_ns;
    yyjson_write_err fault;
    writer->text = yyjson_mut_write_opts(writer->doc, YYJSON_WRITE_NOFLAG, writer->kept,
                                         &output_out->bytes, &fault);
    output_out->data = writer->text;
    if (writer->text == NULL) {
        return fault.code == YYJSON_WRITE_ERROR_INVALID_STRING ? -EILSEQ : -ENOMEM;
    }
    return 0;
}

void yyjson_notes_release(void *context)
{
    struct notes_writer *writer = context;
    if (writer->kept != NULL && writer->text != NULL) {
        writer->kept->free(writer->kept->ctx, writer->text);
    } else {
        free(writer->text);
    }
    yyjson_mut_doc_free(writer->doc);
    writer->text = NULL;
    writer->doc = NULL;
}

int yyjson_notes_create(const struct mr_notes_task *task, void **writer_out)
{
    if (task->kernel != NULL && strcmp(task->kernel, "yyjson") != 0) {
        return -ENOENT;
    }
    struct notes_writer *writer = calloc(1, sizeof *writer);
    if (writer == NULL) {
        return -ENOMEM;
    }
    int failed = 0;
    if (task->form == MR_FORM_BYTES_REUSE) {
        // The kept memory is as large as these notes need, and touched, when they were written
        // once.
        struct mr_notes_output output;
        writer->kept = yyjson_alc_dyn_new();
        failed = writer->kept == NULL
                     ? -ENOMEM
                     : yyjson_notes_write(writer, task->notes, task->count, &output);
        yyjson_notes_release(writer);
    }
    if (failed != 0) {
        yyjson_notes_destroy(writer);
        return failed;
    }
    *writer_out = writer;
    return 0;
}

void yyjson_notes_destroy(void *context)
{
    struct notes_writer *writer = context;
    yyjson_notes_release(writer);
    if (writer->kept != NULL) {
        yyjson_alc_dyn_free(writer->kept);
    }
    free(writer);
}
