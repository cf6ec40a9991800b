// yyjson_notes.h: the job `notes` by yyjson: a document made of the notes, then its text.
#ifndef C_YYJSON_NOTES_H
#define C_YYJSON_NOTES_H

#include <matchrace/notes_main.h>

// The functions of struct mr_notes_contestant that the library makes different.
bool yyjson_notes_can(enum mr_notes_form form, enum mr_notes_profile profile);
int yyjson_notes_create(const struct mr_notes_task *task, void **writer_out);
void yyjson_notes_destroy(void *writer);
int yyjson_notes_write(void *writer, const struct mr_note *notes, size_t count,
                       struct mr_notes_output *output_out);
void yyjson_notes_release(void *writer);

#endif
