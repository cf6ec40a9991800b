// main.c: c-yyjson, the library yyjson as a contestant.
#define _GNU_SOURCE
#include "yyjson_parser.h"
// [notes] What ./lab new-contestant leaves out of a skeleton.
#include "yyjson_notes.h"
// [/notes]

#include <matchrace/serve.h>

#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <yyjson.h>

// What the library says of itself at run time, "0.12.0"; written before any thread starts.
static char yyjson_version_text[16];

static int create(const struct mr_parser_options *options, void **parser_out)
{
    if (options->kernel != NULL && strcmp(options->kernel, "yyjson") != 0) {
        return -ENOENT;
    }
    struct yyjson_parser *parser;
    int failed = yyjson_parser_create(&parser);
    if (failed == 0) {
        *parser_out = parser;
    }
    return failed;
}

static void destroy(void *parser)
{
    yyjson_parser_destroy(parser);
}

static void parse(void *parser, const struct mr_payload *payload, uint8_t *records_out,
                  struct mr_result *result_out)
{
    yyjson_parser_parse(parser, payload, records_out, result_out);
}

static const char *kernel(const void *parser)
{
    (void)parser;
    return "yyjson";
}

// The file that yyjson's code was loaded from.
static const char *yyjson_path(void)
{
#ifdef MR_YYJSON_STATIC
    return "static";
#else
    Dl_info info;
    return dladdr(__extension__(void *) yyjson_version, &info) != 0 ? info.dli_fname : "unknown";
#endif
}

static size_t libraries(const void *parser, struct mr_library *libraries_out)
{
    (void)parser;
    libraries_out[0] = (struct mr_library){
        .name = "yyjson", .version = yyjson_version_text, .path = yyjson_path()};
    libraries_out[1] = mr_serve_digest_library();
    return 2;
}

// [notes] What ./lab new-contestant leaves out of a skeleton.
static size_t notes_libraries(const void *writer, struct mr_library *libraries_out)
{
    (void)writer;
    libraries_out[0] = (struct mr_library){
        .name = "yyjson", .version = yyjson_version_text, .path = yyjson_path()};
    return 1;
}

static int notes(int argc, char **argv)
{
    const struct mr_notes_contestant contestant = {
        .name = "c-yyjson",
        .version = MR_CONTESTANT_VERSION,
        .language = "C",
        .build_flags = MR_BUILD_FLAGS,
        .kernels_help = "yyjson",
        .can = yyjson_notes_can,
        .create = yyjson_notes_create,
        .destroy = yyjson_notes_destroy,
        .write = yyjson_notes_write,
        .release = yyjson_notes_release,
        .kernel = kernel,
        .libraries = notes_libraries,
    };
    return mr_notes_main(argc, argv, &contestant);
}
// [/notes]

int main(int argc, char **argv)
{
    uint32_t version = yyjson_version();
    (void)snprintf(yyjson_version_text, sizeof yyjson_version_text, "%u.%u.%u", version >> 16,
                   (version >> 8) & 0xFF, version & 0xFF);
    // [notes] What ./lab new-contestant leaves out of a skeleton.
    if (argc >= 2 && strcmp(argv[1], "notes") == 0) {
        return notes(argc - 1, argv + 1);
    }
    // [/notes]
    struct mr_contestant contestant = {
        .name = "c-yyjson",
        .version = MR_CONTESTANT_VERSION,
        .language = "C",
        .build_flags = MR_BUILD_FLAGS,
        .kernels_help = "yyjson",
        .create = create,
        .destroy = destroy,
        .parse = parse,
        .kernel = kernel,
        .libraries = libraries,
    };
    return mr_serve_main(argc, argv, &contestant);
}
