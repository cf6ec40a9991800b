// main.cpp: cpp-simdjson, the library simdjson as a contestant.
#include "kernels.hpp"

#include <cerrno>
#include <cstring>
#include <new>
#include <xxhash.h>

#define TEXT_OF(number) #number
#define TEXT(number)    TEXT_OF(number)

namespace
{

// A parser of the kernel that runs.
struct served_parser {
    const named_kernel *kernel;
    void *parser;
};

int create(const mr_parser_options *options, void **parser_out)
{
    const named_kernel *kernel;
    if (int failed = kernel_choose(options->kernel, &kernel); failed != 0) {
        return failed;
    }
    auto *served = new (std::nothrow) served_parser{kernel, kernel->code->create()};
    if (served == nullptr || served->parser == nullptr) {
        delete served;
        return -ENOMEM;
    }
    *parser_out = served;
    return 0;
}

void destroy(void *parser)
{
    auto *served = static_cast<served_parser *>(parser);
    served->kernel->code->destroy(served->parser);
    delete served;
}

void parse(void *parser, const mr_payload *payload, uint8_t *records_out, mr_result *result_out)
{
    auto *served = static_cast<served_parser *>(parser);
    served->kernel->code->parse(served->parser, payload, records_out, result_out);
}

const char *kernel(const void *parser)
{
    return static_cast<const served_parser *>(parser)->kernel->name;
}

size_t libraries(const void *, mr_library *libraries_out)
{
    libraries_out[0] = {.name = "simdjson", .version = library_version, .path = "static"};
    libraries_out[1] = {
        .name = "xxHash",
        .version =
            TEXT(XXH_VERSION_MAJOR) "." TEXT(XXH_VERSION_MINOR) "." TEXT(XXH_VERSION_RELEASE),
        .path = "static",
    };
    return 2;
}

// A notes writer of the kernel that runs.
struct notes_writer {
    const named_kernel *kernel;
    void *writer;
};

bool can_write(mr_notes_form form, mr_notes_profile profile)
{
    return form != MR_FORM_STRING_FRESH && profile == MR_NOTES_REQUIRED;
}

int create_writer(const mr_notes_task *task, void **writer_out)
{
    const named_kernel *kernel;
    if (int failed = notes_kernel_choose(task->kernel, &kernel); failed != 0) {
        return failed;
    }
    auto *own = new (std::nothrow) notes_writer{kernel, nullptr};
    int failed = own == nullptr ? -ENOMEM : kernel->notes->create(task, &own->writer);
    if (failed != 0) {
        delete own;
        return failed;
    }
    *writer_out = own;
    return 0;
}

void destroy_writer(void *writer)
{
    auto *own = static_cast<notes_writer *>(writer);
    own->kernel->notes->destroy(own->writer);
    delete own;
}

int write_notes(void *writer, const mr_note *notes, size_t count, mr_notes_output *output_out)
{
    auto *own = static_cast<notes_writer *>(writer);
    return own->kernel->notes->write(own->writer, notes, count, output_out);
}

void release_notes(void *writer)
{
    auto *own = static_cast<notes_writer *>(writer);
    own->kernel->notes->release(own->writer);
}

const char *writer_kernel(const void *writer)
{
    return static_cast<const notes_writer *>(writer)->kernel->name;
}

size_t writer_libraries(const void *, mr_library *libraries_out)
{
    libraries_out[0] = {.name = "simdjson", .version = library_version, .path = "static"};
    return 1;
}

int notes(int argc, char **argv)
{
    const mr_notes_contestant contestant = {
        .name = "cpp-simdjson",
        .version = MR_CONTESTANT_VERSION,
        .language = "C++",
        .build_flags = MR_NOTES_BUILD_FLAGS,
        .kernels_help = notes_kernels_help,
        .can = can_write,
        .create = create_writer,
        .destroy = destroy_writer,
        .write = write_notes,
        .release = release_notes,
        .kernel = writer_kernel,
        .libraries = writer_libraries,
    };
    return mr_notes_main(argc, argv, &contestant);
}

} // namespace

int main(int argc, char **argv)
{
    if (argc >= 2 && std::strcmp(argv[1], "notes") == 0) {
        return notes(argc - 1, argv + 1);
    }
    mr_contestant contestant = {
        .name = "cpp-simdjson",
        .version = MR_CONTESTANT_VERSION,
        .language = "C++",
        .build_flags = MR_BUILD_FLAGS,
        .kernels_help = kernels_help,
        .create = create,
        .destroy = destroy,
        .parse = parse,
        .kernel = kernel,
        .libraries = libraries,
    };
    return mr_serve_main(argc, argv, &contestant);
}
