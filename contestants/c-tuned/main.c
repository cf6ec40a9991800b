// main.c: c-tuned, our own parser (include/matchrace/record.h) as a contestant.
#include <matchrace/serve.h>

#include <stddef.h>
#include <stdio.h>

static int create(const struct mr_parser_options *options, void **parser_out)
{
    struct mr_parser *parser;
    int failed = mr_parser_create(options->kernel, &parser);
    if (failed == 0) {
        *parser_out = parser;
    }
    return failed;
}

static void destroy(void *parser)
{
    mr_parser_destroy(parser);
}

static void parse(void *parser, const struct mr_payload *payload, uint8_t *records_out,
                  struct mr_result *result_out)
{
    mr_parser_parse(parser, payload->json, payload->json_bytes, records_out, result_out);
}

static const char *kernel(const void *parser)
{
    return mr_parser_kernel(parser);
}

static size_t libraries(const void *parser, struct mr_library *libraries_out)
{
    (void)parser;
    libraries_out[0] = mr_serve_digest_library();
    return 1;
}

// The kernels built in, as --help lists them: "scalar, avx2".
static void list_kernels(char *text_out, size_t capacity)
{
    size_t length = 0;
    text_out[0] = '\0';
    for (size_t i = 0; i < mr_kernel_count() && length < capacity; i++) {
        int added = snprintf(text_out + length, capacity - length, "%s%s", i == 0 ? "" : ", ",
                             mr_kernel_by_index(i).name);
        length += added > 0 ? (size_t)added : 0;
    }
}

int main(int argc, char **argv)
{
    char kernels[256];
    list_kernels(kernels, sizeof kernels);
    struct mr_contestant contestant = {
        .name = "c-tuned",
        .version = MR_CONTESTANT_VERSION,
        .language = "C",
        .build_flags = MR_BUILD_FLAGS,
        .kernels_help = kernels,
        .create = create,
        .destroy = destroy,
        .parse = parse,
        .kernel = kernel,
        .libraries = libraries,
    };
    return mr_serve_main(argc, argv, &contestant);
}
