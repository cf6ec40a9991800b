// main.cpp: cpp-simdjson, the library simdjson as a contestant.
#include "kernels.hpp"

#include <cerrno>
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

} // namespace

int main(int argc, char **argv)
{
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
