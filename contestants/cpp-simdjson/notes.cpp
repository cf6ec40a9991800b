// notes.cpp: the job `notes` by simdjson's string builder.
#include "kernel.hpp"

#include <cerrno>
#include <new>
#include <simdjson.h>
#include <string_view>

namespace
{

using simdjson::builtin::builder::string_builder;

// The builder asks for six bytes of room for each of a text before it looks at it.
constexpr size_t spare_bytes = 16384;

struct writer {
    mr_notes_form form;
    size_t capacity;         // of a new builder
    string_builder *builder; // bytes-reuse: kept; otherwise of the iteration at hand
};

std::string_view text_of(const uint8_t *text, size_t bytes)
{
    return {reinterpret_cast<const char *>(text), bytes};
}

void append(string_builder &builder, const mr_note &note)
{
    builder.start_object();
    builder.append_key_value<"Id">(note.id);
    builder.append_comma();
    builder.append_key_value<"Title">(text_of(note.title, note.title_bytes));
    builder.append_comma();
    builder.append_key_value<"NoteText">(text_of(note.text, note.text_bytes));
    builder.end_object();
}

int write_notes(void *context, const mr_note *notes, size_t count, mr_notes_output *output_out)
{
    auto *own = static_cast<writer *>(context);
    if (own->builder == nullptr) {
        own->builder = new (std::nothrow) string_builder(own->capacity);
        if (own->builder == nullptr) {
            return -ENOMEM;
        }
    }
    string_builder &builder = *own->builder;
    builder.clear();
    builder.start_array();
    for (size_t i = 0; i < count; i++) {
        if (i > 0) {
            builder.append_comma();
        }
        append(builder, notes[i]);
    }
    builder.end_array();
    std::string_view text;
    if (builder.view().get(text) != simdjson::SUCCESS) {
        return -ENOMEM;
    }
    output_out->data = text.data();
    output_out->bytes = text.size();
    return 0;
}

void release(void *context)
{
    auto *own = static_cast<writer *>(context);
    if (own->form != MR_FORM_BYTES_REUSE) {
        delete own->builder;
        own->builder = nullptr;
    }
}

void destroy(void *context)
{
    auto *own = static_cast<writer *>(context);
    delete own->builder;
    delete own;
}

int create(const mr_notes_task *task, void **writer_out)
{
    auto *own =
        new (std::nothrow) writer{task->form, string_builder::DEFAULT_INITIAL_CAPACITY, nullptr};
    if (own == nullptr) {
        return -ENOMEM;
    }
    // A builder is as large as these notes need, and touched, when they were written once.
    mr_notes_output output{};
    if (int failed = write_notes(own, task->notes, task->count, &output); failed != 0) {
        destroy(own);
        return failed;
    }
    own->capacity = output.bytes + spare_bytes;
    release(own);
    *writer_out = own;
    return 0;
}

} // namespace

extern "C" const simdjson_notes_kernel CPP_SIMDJSON_TABLE = {
    .create = create, .destroy = destroy, .write = write_notes, .release = release};
