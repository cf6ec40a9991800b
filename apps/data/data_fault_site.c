// data_fault_site.c: see data_fault_site.h.
#define _GNU_SOURCE
#include "data_fault_site.h"

#include "base/mr_assert.h"

#include <string.h>

void mr_fault_exchange(struct mr_fault_site *site, uint32_t start, uint32_t end)
{
    struct mr_batch *batch = site->batch;
    const struct mr_buffer *text = &site->text;
    mr_buffer_splice(&batch->json, start, end - start, text->bytes, text->length);
    for (uint32_t i = 0; i < batch->count; i++) {
        struct mr_extent *extent = &batch->extent[i];
        if (extent->start >= end) {
            extent->start = extent->start - (end - start) + (uint32_t)text->length;
        }
        // What goes in right behind a record does not belong to it.
        if (extent->end > end || (extent->end == end && start < end)) {
            extent->end = extent->end - (end - start) + (uint32_t)text->length;
        }
    }
}

void mr_fault_fill(struct mr_fault_site *site, const struct mr_fault_variant *variant,
                   const void *instead, size_t size_bytes)
{
    site->text.length = 0;
    for (size_t i = 0; i < variant->text_bytes; i++) {
        if (variant->text[i] == '%') {
            mr_buffer_add(&site->text, instead, size_bytes);
        } else {
            mr_buffer_byte(&site->text, variant->text[i]);
        }
    }
}

void mr_fault_exchange_extent(struct mr_fault_site *site, const struct mr_fault_variant *variant,
                              struct mr_extent extent)
{
    mr_fault_fill(site, variant, site->batch->json.bytes + extent.start, extent.end - extent.start);
    mr_fault_exchange(site, extent.start, extent.end);
}

uint32_t mr_fault_array_start(const struct mr_batch *batch)
{
    const uint8_t *bracket = memchr(batch->json.bytes, '[', batch->json.length);
    MR_ASSERT(bracket != NULL);
    return (uint32_t)(bracket - batch->json.bytes);
}

uint32_t mr_fault_array_end(const struct mr_batch *batch)
{
    const uint8_t *bracket = memrchr(batch->json.bytes, ']', batch->json.length);
    MR_ASSERT(bracket != NULL);
    return (uint32_t)(bracket - batch->json.bytes) + 1;
}
