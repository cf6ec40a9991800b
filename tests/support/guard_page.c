// guard_page.c: see guard_page.h.
#define _GNU_SOURCE
#include "guard_page.h"

#include "base/mr_assert.h"

#include <sys/mman.h>
#include <unistd.h>

struct mr_guarded mr_guarded_init(size_t size_bytes)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    size_t usable = (size_bytes + page - 1) / page * page;
    uint8_t *all = mmap(NULL, usable + 2 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    MR_ASSERT(all != MAP_FAILED);
    int failed = usable == 0 ? 0 : mprotect(all + page, usable, PROT_READ | PROT_WRITE);
    MR_ASSERT(failed == 0);
    return (struct mr_guarded){.bytes = all + page, .size_bytes = usable};
}

void mr_guarded_fini(struct mr_guarded *guarded)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    int failed = munmap(guarded->bytes - page, guarded->size_bytes + 2 * page);
    MR_ASSERT(failed == 0);
    *guarded = (struct mr_guarded){0};
}

uint8_t *mr_guarded_last(const struct mr_guarded *guarded, size_t size_bytes, size_t behind)
{
    MR_ASSERT(size_bytes + behind <= guarded->size_bytes);
    return guarded->bytes + guarded->size_bytes - behind - size_bytes;
}

uint8_t *mr_guarded_first(const struct mr_guarded *guarded, size_t size_bytes, size_t before)
{
    MR_ASSERT(size_bytes + before <= guarded->size_bytes);
    return guarded->bytes + before;
}
