// main.c: c-writer, our own notes writer (include/matchrace/notes.h) as a contestant.
#include <matchrace/notes_main.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Room for more than the notes of the first iteration take.
#define SPARE_BYTES 4096u

struct writer {
    const struct mr_notes_kernel *kernel;
    enum mr_notes_profile profile;
    enum mr_notes_form form;
    size_t capacity; // units of a text
    void *buffer;    // bytes-reuse: kept; otherwise of the iteration at hand
};

static bool can(enum mr_notes_form form, enum mr_notes_profile profile)
{
    return form < MR_FORM_COUNT && profile < MR_NOTES_PROFILE_COUNT;
}

static enum mr_notes_verdict write_text(const struct writer *writer, const struct mr_note *notes,
                                        size_t count, struct mr_notes_result *result_out)
{
    const struct mr_notes_job job = {writer->kernel, notes, count, writer->profile};
    return writer->form == MR_FORM_STRING_FRESH
               ? mr_notes_write_utf16(&job, writer->buffer, writer->capacity, result_out)
               : mr_notes_write(&job, writer->buffer, writer->capacity, result_out);
}

static size_t unit_bytes(const struct writer *writer)
{
    return writer->form == MR_FORM_STRING_FRESH ? sizeof(uint16_t) : 1;
}

static int create(const struct mr_notes_task *task, void **writer_out)
{
    struct writer writer = {.profile = task->profile, .form = task->form};
    int failed = mr_notes_kernel_choose(task->kernel, &writer.kernel);
    if (failed != 0) {
        return failed;
    }
    struct mr_notes_result result;
    if (write_text(&writer, task->notes, task->count, &result) == MR_NOTES_NOT_UTF8) {
        return -EILSEQ;
    }
    writer.capacity = result.length + SPARE_BYTES;
    if (task->form == MR_FORM_BYTES_REUSE) {
        writer.buffer = malloc(writer.capacity);
        if (writer.buffer == NULL) {
            return -ENOMEM;
        }
        memset(writer.buffer, 0, writer.capacity); // touched before the clock
    }
    struct writer *own = malloc(sizeof *own);
    if (own == NULL) {
        free(writer.buffer);
        return -ENOMEM;
    }
    *own = writer;
    *writer_out = own;
    return 0;
}

static void destroy(void *context)
{
    struct writer *writer = context;
    free(writer->buffer);
    free(writer);
}

static int write_notes(void *context, const struct mr_note *notes, size_t count,
                       struct mr_notes_output *output_out)
{
    struct writer *writer = context;
    struct mr_notes_result result;
    enum mr_notes_verdict verdict;
    for (;;) {
        if (writer->buffer == NULL) {
            writer->buffer = malloc(writer->capacity * unit_bytes(writer));
        }
        if (writer->buffer == NULL) {
            return -ENOMEM;
        }
        verdict = write_text(writer, notes, count, &result);
        if (verdict != MR_NOTES_SHORT_BUFFER) {
            break;
        }
        free(writer->buffer);
        writer->buffer = NULL;
        writer->capacity = result.length + SPARE_BYTES;
    }
    output_out->data = writer->buffer;
    output_out->bytes = result.length * unit_bytes(writer);
    return verdict == MR_NOTES_NOT_UTF8 ? -EILSEQ : 0;
}

static void release(void *context)
{
    struct writer *writer = context;
    if (writer->form != MR_FORM_BYTES_REUSE) {
        free(writer->buffer);
        writer->buffer = NULL;
    }
}

static const char *kernel(const void *context)
{
    return mr_notes_kernel_name(((const struct writer *)context)->kernel);
}

static size_t libraries(const void *context, struct mr_library *libraries_out)
{
    (void)context;
    (void)libraries_out;
    return 0;
}

// The kernels built in, as --help lists them: "scalar, avx2".
static void list_kernels(char *text_out, size_t capacity)
{
    const struct mr_notes_kernel *listed;
    size_t length = 0;
    text_out[0] = '\0';
    for (size_t i = 0; (listed = mr_notes_kernel_by_index(i)) != NULL && length < capacity; i++) {
        int added = snprintf(text_out + length, capacity - length, "%s%s", i == 0 ? "" : ", ",
                             mr_notes_kernel_name(listed));
        length += added > 0 ? (size_t)added : 0;
    }
}

static int print_help(void)
{
    printf("c-writer %s (C): a contestant of matchrace\n\n"
           "Usage: c-writer notes [OPTIONS]   writes notes as JSON, again and again\n\n"
           "Examples:\n"
           "  c-writer notes --form bytes-reuse --corpus ascii\n"
           "  c-writer notes --help\n",
           MR_CONTESTANT_VERSION);
    return 0;
}

int main(int argc, char **argv)
{
    char kernels[256];
    list_kernels(kernels, sizeof kernels);
    const struct mr_notes_contestant contestant = {
        .name = "c-writer",
        .version = MR_CONTESTANT_VERSION,
        .language = "C",
        .build_flags = MR_BUILD_FLAGS,
        .kernels_help = kernels,
        .can = can,
        .create = create,
        .destroy = destroy,
        .write = write_notes,
        .release = release,
        .kernel = kernel,
        .libraries = libraries,
    };
    const char *word = argc >= 2 ? argv[1] : "";
    if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0) {
        return print_help();
    }
    if (strcmp(word, "notes") == 0) {
        return mr_notes_main(argc - 1, argv + 1, &contestant);
    }
    (void)fprintf(stderr, "c-writer: the first word is 'notes', not '%s' (see c-writer --help)\n",
                  word);
    return 2;
}
