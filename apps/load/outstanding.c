// outstanding.c: see outstanding.h.
#include "outstanding.h"

#include "base/mr_assert.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

int mr_outstanding_init(struct mr_outstanding *outstanding_out, uint64_t capacity)
{
    MR_ASSERT(capacity > 0 && capacity <= UINT32_MAX);
    uint64_t places = 1;
    while (places < capacity) {
        places *= 2;
    }
    *outstanding_out = (struct mr_outstanding){.mask = places - 1};
    outstanding_out->request =
        aligned_alloc(MR_CACHE_LINE_BYTES, places * sizeof *outstanding_out->request);
    if (outstanding_out->request == NULL) {
        return -ENOMEM;
    }
    memset(outstanding_out->request, 0, places * sizeof *outstanding_out->request);
    return 0;
}

void mr_outstanding_fini(struct mr_outstanding *outstanding)
{
    free(outstanding->request);
    *outstanding = (struct mr_outstanding){0};
}

struct mr_request *mr_outstanding_oldest(const struct mr_outstanding *outstanding)
{
    if (outstanding->first == outstanding->last) {
        return NULL;
    }
    return &outstanding->request[outstanding->first & outstanding->mask];
}

struct mr_request *mr_outstanding_newest(const struct mr_outstanding *outstanding)
{
    if (outstanding->first == outstanding->last) {
        return NULL;
    }
    return &outstanding->request[(outstanding->last - 1) & outstanding->mask];
}

struct mr_request *mr_outstanding_push(struct mr_outstanding *outstanding)
{
    MR_ASSERT(mr_outstanding_count(outstanding) <= outstanding->mask);
    struct mr_request *request = mr_outstanding_place(outstanding);
    outstanding->last++;
    request->times = (struct mr_times){0};
    request->reply_gap_ns = 0;
    request->lateness_ns = 0;
    request->waited = false;
    request->blocked = false;
    request->refused = false;
    request->hold = false;
    request->answered_early = false;
    request->payload_bytes = 0;
    request->sent_bytes = 0;
    return request;
}

void mr_outstanding_pop(struct mr_outstanding *outstanding)
{
    MR_ASSERT(outstanding->first != outstanding->last);
    if (++outstanding->first == outstanding->last) {
        outstanding->first = 0;
        outstanding->last = 0;
    }
}
