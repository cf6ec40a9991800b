// parser.c: parser objects and the choice of their kernel; see include/matchrace/record.h.
#include "parser.h"

#include "base/cpu.h"
#include "base/mr_assert.h"
#include "kernels.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

size_t mr_kernel_count(void)
{
    return mr_kernels_count;
}

static bool is_supported(const struct mr_kernel *kernel)
{
    return (kernel->features & ~mr_cpu_features()) == 0;
}

struct mr_kernel_info mr_kernel_by_index(size_t index)
{
    MR_ASSERT(index < mr_kernels_count);
    const struct mr_kernel *kernel = &mr_kernels[index];
    return (struct mr_kernel_info){
        .name = kernel->name, .needs = kernel->needs, .supported = is_supported(kernel)};
}

// The kernel called `name`, or the fastest that runs here when `name` is NULL. NULL: none.
static const struct mr_kernel *find_kernel(const char *name)
{
    for (size_t i = mr_kernels_count; i-- > 0;) {
        const struct mr_kernel *kernel = &mr_kernels[i];
        if (name == NULL ? is_supported(kernel) : strcmp(kernel->name, name) == 0) {
            return kernel;
        }
    }
    return NULL;
}

int mr_parser_create(const char *kernel, struct mr_parser **parser_out)
{
    const struct mr_kernel *found = find_kernel(kernel);
    if (found == NULL) {
        return -ENOENT;
    }
    if (!is_supported(found)) {
        return -ENOTSUP;
    }
    struct mr_parser *parser = calloc(1, sizeof *parser);
    if (parser == NULL) {
        return -ENOMEM;
    }
    parser->kernel = found;
    if (found->has_scratch) {
        parser->scratch = aligned_alloc(_Alignof(struct mr_scratch), sizeof *parser->scratch);
        if (parser->scratch == NULL) {
            free(parser);
            return -ENOMEM;
        }
        // Zeros, so that nothing that a kernel looks at beyond its entries is undefined.
        memset(parser->scratch, 0, sizeof *parser->scratch);
    }
    *parser_out = parser;
    return 0;
}

void mr_parser_destroy(struct mr_parser *parser)
{
    if (parser != NULL) {
        free(parser->scratch);
    }
    free(parser);
}

const char *mr_parser_kernel(const struct mr_parser *parser)
{
    return parser->kernel->name;
}

void mr_parser_parse(struct mr_parser *parser, const uint8_t *json, size_t json_bytes,
                     uint8_t *records_out, struct mr_result *result_out)
{
    MR_ASSERT(parser != NULL && json != NULL && result_out != NULL);
    MR_ASSERT(records_out != NULL && (uintptr_t)records_out % 8 == 0);
    parser->kernel->parse(parser, json, json_bytes, records_out, result_out);
}
