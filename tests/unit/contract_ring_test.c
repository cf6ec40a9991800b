// contract_ring_test.c: what the ring of kept batches holds, how much memory, and what it does when
// there is none.
#include "counting_alloc.h"

#include <matchrace/contract.h>

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define PLENTY     ((uint64_t)256 << 20)
#define TEXT_BYTES 48 // a record of the tests then takes 80 bytes
#define STRIDE     80

static struct mr_ring *make(enum mr_mode mode, uint64_t max_kept_bytes)
{
    struct mr_ring *ring;
    assert_int_equal(mr_ring_create(mode, max_kept_bytes, &ring), 0);
    return ring;
}

// Writes `count` records to `place`; batch `number` differs from all others. Returns their digest.
static uint64_t write_batch(uint8_t *place, uint64_t number, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        struct mr_record head = {.id = number, .timestamp_us = i, .message_bytes = TEXT_BYTES};
        memcpy(place + (size_t)i * STRIDE, &head, sizeof head);
        memset(place + (size_t)i * STRIDE + sizeof head, (int)(number % 251), TEXT_BYTES);
    }
    return mr_records_digest(place, count);
}

// Opens a place, writes a batch, keeps it; the digest goes to *digest_out.
static int keep_batch(struct mr_ring *ring, uint64_t number, uint32_t count, size_t capacity,
                      uint64_t *digest_out)
{
    uint8_t *place = mr_ring_place(ring, capacity);
    assert_non_null(place);
    assert_int_equal((uintptr_t)place % 64, 0);
    memset(place, 0xEE, capacity); // all of it is ours
    *digest_out = write_batch(place, number, count);
    return mr_ring_keep(ring, (size_t)count * STRIDE, count);
}

static struct mr_kept kept_of(const struct mr_ring *ring)
{
    struct mr_kept kept = {0};
    mr_ring_kept(ring, &kept);
    return kept;
}

// After any number of batches the ring holds the last 64, whatever was rejected in between.
static void run_last_64(enum mr_mode mode)
{
    struct mr_ring *ring = make(mode, PLENTY);
    uint64_t digests[300];
    for (uint64_t number = 0; number < 300; number++) {
        uint32_t count = (uint32_t)(number * 13 % 40);
        if (number % 3 == 1) {
            uint8_t *place = mr_ring_place(ring, 100 + number * 50);
            assert_non_null(place);
            memset(place, 0x77, 100 + number * 50);
            mr_ring_drop(ring);
        }
        assert_int_equal(
            keep_batch(ring, number, count, 4096 + number * 64 % 1000, &digests[number]), 0);
        struct mr_kept expected = {0};
        for (uint64_t i = number < 63 ? 0 : number - 63; i <= number; i++) {
            expected.batches++;
            expected.records += i * 13 % 40;
            expected.digest += digests[i];
        }
        struct mr_kept kept = kept_of(ring);
        assert_memory_equal(&kept, &expected, sizeof kept);
    }
    mr_ring_destroy(ring);
}

static void test_last_64_in_keep(void **context)
{
    (void)context;
    run_last_64(MR_MODE_KEEP);
}

static void test_last_64_in_fresh(void **context)
{
    (void)context;
    run_last_64(MR_MODE_FRESH);
}

static void test_totals_keeps_nothing(void **context)
{
    (void)context;
    struct mr_ring *ring = make(MR_MODE_TOTALS, 0);
    uint64_t digest;
    for (uint64_t number = 0; number < 100; number++) {
        assert_int_equal(keep_batch(ring, number, 10, 1000, &digest), 0);
    }
    struct mr_kept nothing = {0};
    struct mr_kept kept = kept_of(ring);
    assert_memory_equal(&kept, &nothing, sizeof kept);
    // One place was enough for all of them.
    assert_int_equal(mr_alloc_counts().live, 2);
    mr_ring_destroy(ring);
    assert_int_equal(mr_alloc_counts().live, 0);
}

// What was there is added to, not replaced.
static void test_kept_adds_up(void **context)
{
    (void)context;
    struct mr_ring *ring = make(MR_MODE_KEEP, PLENTY);
    uint64_t digest;
    assert_int_equal(keep_batch(ring, 1, 3, 1000, &digest), 0);
    struct mr_kept kept = {.batches = 10, .records = 20, .digest = 30};
    mr_ring_kept(ring, &kept);
    assert_int_equal(kept.batches, 11);
    assert_int_equal(kept.records, 23);
    assert_int_equal(kept.digest, 30 + digest);
    mr_ring_destroy(ring);
}

static void test_empty_batches_take_places(void **context)
{
    (void)context;
    for (enum mr_mode mode = MR_MODE_KEEP; mode <= MR_MODE_FRESH; mode++) {
        struct mr_ring *ring = make(mode, PLENTY);
        uint64_t digest;
        assert_int_equal(keep_batch(ring, 1, 5, 1000, &digest), 0);
        for (unsigned i = 0; i < 63; i++) {
            assert_int_equal(keep_batch(ring, 2, 0, MR_RECORDS_SLACK + 2, &digest), 0);
        }
        assert_int_equal(kept_of(ring).records, 5);
        assert_int_equal(kept_of(ring).batches, 64);
        assert_int_equal(keep_batch(ring, 2, 0, MR_RECORDS_SLACK + 2, &digest), 0);
        assert_int_equal(kept_of(ring).records, 0);
        assert_int_equal(kept_of(ring).batches, 64);
        mr_ring_destroy(ring);
    }
}

// Exactly the limit is allowed, eight bytes more are not; a batch that leaves makes room.
static void test_limit(void **context)
{
    (void)context;
    for (enum mr_mode mode = MR_MODE_KEEP; mode <= MR_MODE_FRESH; mode++) {
        struct mr_ring *ring = make(mode, 10 * STRIDE);
        uint64_t digest;
        assert_int_equal(keep_batch(ring, 1, 6, 1000, &digest), 0);
        assert_int_equal(keep_batch(ring, 2, 4, 1000, &digest), 0);
        assert_int_equal(keep_batch(ring, 3, 1, 1000, &digest), -EDQUOT);
        mr_ring_destroy(ring);
        ring = make(mode, 10 * STRIDE);
        assert_int_equal(keep_batch(ring, 1, 11, 1000, &digest), -EDQUOT);
        mr_ring_destroy(ring);
        ring = make(mode, 64 * STRIDE);
        for (uint64_t number = 0; number < 200; number++) {
            assert_int_equal(keep_batch(ring, number, 1, 200, &digest), 0);
        }
        assert_int_equal(keep_batch(ring, 0, 2, 200, &digest), -EDQUOT);
        mr_ring_destroy(ring);
    }
}

// 64 batches that are mostly white space keep little, and hold little.
static void test_white_space_is_given_back(void **context)
{
    (void)context;
    for (enum mr_mode mode = MR_MODE_KEEP; mode <= MR_MODE_FRESH; mode++) {
        struct mr_ring *ring = make(mode, PLENTY);
        uint64_t digest;
        const size_t capacity = (size_t)1 << 20;
        for (uint64_t number = 0; number < 200; number++) {
            assert_int_equal(keep_batch(ring, number, 2, capacity, &digest), 0);
            // 64 closed places, one open one, the ring itself.
            assert_true(mr_alloc_counts().live_bytes < 2 * capacity + 64 * 1024);
        }
        assert_int_equal(kept_of(ring).records, 128);
        mr_ring_destroy(ring);
    }
}

// Whatever is kept, closed places hold at most the limit (and 64 bytes each).
static void test_memory_is_bounded(void **context)
{
    (void)context;
    const uint64_t limit = 200000;
    const size_t capacity = 60000;
    for (enum mr_mode mode = MR_MODE_KEEP; mode <= MR_MODE_FRESH; mode++) {
        struct mr_ring *ring = make(mode, limit);
        uint64_t digest;
        for (uint64_t number = 0; number < 500; number++) {
            uint32_t count = (uint32_t)(number * 7 % 38);
            assert_int_equal(keep_batch(ring, number, count, capacity, &digest), 0);
            assert_true(mr_alloc_counts().live_bytes < limit + 64 * 64 + capacity * 9 / 8 + 8192);
        }
        mr_ring_destroy(ring);
        assert_int_equal(mr_alloc_counts().live, 0);
    }
}

// keep: once the places are as large as the batches, nothing is allocated any more.
static void test_keep_reuses_places(void **context)
{
    (void)context;
    struct mr_ring *ring = make(MR_MODE_KEEP, PLENTY);
    uint64_t digest;
    for (uint64_t number = 0; number < 65; number++) {
        assert_int_equal(keep_batch(ring, number, 20, 4000, &digest), 0);
    }
    mr_alloc_reset();
    for (uint64_t number = 0; number < 300; number++) {
        // A little more or less room does not matter.
        assert_int_equal(keep_batch(ring, number, 20, 3900 + number % 200, &digest), 0);
    }
    assert_int_equal(mr_alloc_counts().calls, 0);
    assert_int_equal(mr_alloc_counts().frees, 0);
    mr_ring_destroy(ring);
}

// fresh: every batch's memory is allocated for it, and freed when it leaves or is rejected.
static void test_fresh_allocates_every_batch(void **context)
{
    (void)context;
    struct mr_ring *ring = make(MR_MODE_FRESH, PLENTY);
    uint64_t digest;
    mr_alloc_reset();
    for (uint64_t number = 1; number <= 300; number++) {
        uint64_t calls = mr_alloc_counts().calls;
        uint64_t frees = mr_alloc_counts().frees;
        assert_int_equal(keep_batch(ring, number, 45, 4000, &digest), 0);
        assert_true(mr_alloc_counts().calls > calls);
        assert_int_equal(mr_alloc_counts().frees, frees + (number > 64 ? 1 : 0));
        assert_int_equal(mr_alloc_counts().live, 1 + (number < 64 ? number : 64));
    }
    assert_non_null(mr_ring_place(ring, 4000));
    assert_int_equal(mr_alloc_counts().live, 66);
    mr_ring_drop(ring);
    assert_int_equal(mr_alloc_counts().live, 65);
    mr_ring_destroy(ring);
    assert_int_equal(mr_alloc_counts().live, 0);
}

// The first, second, third… allocation fails: told as such, nothing lost, and it goes on when there
// is memory again.
static void test_out_of_memory(void **context)
{
    (void)context;
    for (enum mr_mode mode = MR_MODE_TOTALS; mode <= MR_MODE_FRESH; mode++) {
        struct mr_ring *ring;
        mr_alloc_fail_from(1);
        assert_int_equal(mr_ring_create(mode, PLENTY, &ring), -ENOMEM);
        mr_alloc_fail_from(0);
        ring = make(mode, PLENTY);
        uint64_t digest = 0;
        for (uint64_t number = 0; number < (mode == MR_MODE_TOTALS ? 10 : 150); number++) {
            struct mr_kept before = kept_of(ring);
            // So much larger each time that every place must grow.
            size_t capacity =
                mode == MR_MODE_TOTALS ? (size_t)1000 << number : 70000 + number * 10000;
            mr_alloc_fail_from(1);
            uint8_t *place = mr_ring_place(ring, capacity);
            mr_alloc_fail_from(0);
            assert_null(place);
            struct mr_kept after = kept_of(ring);
            assert_memory_equal(&before, &after, sizeof before);
            // Giving back memory fails: the batch is kept all the same.
            place = mr_ring_place(ring, capacity);
            assert_non_null(place);
            digest = write_batch(place, number, 3);
            mr_alloc_fail_from(1);
            assert_int_equal(mr_ring_keep(ring, 3 * STRIDE, 3), 0);
            mr_alloc_fail_from(0);
            if (mode != MR_MODE_TOTALS && number < 64) {
                assert_int_equal(kept_of(ring).digest, before.digest + digest);
            }
        }
        assert_int_equal(kept_of(ring).batches, mode == MR_MODE_TOTALS ? 0 : 64);
        mr_ring_destroy(ring);
        assert_int_equal(mr_alloc_counts().live, 0);
    }
}

static void test_absurd_capacity(void **context)
{
    (void)context;
    for (enum mr_mode mode = MR_MODE_TOTALS; mode <= MR_MODE_FRESH; mode++) {
        struct mr_ring *ring = make(mode, PLENTY);
        assert_null(mr_ring_place(ring, SIZE_MAX));
        assert_null(mr_ring_place(ring, SIZE_MAX - 63));
        assert_null(mr_ring_place(ring, SIZE_MAX / 9 * 8 + 63));
        assert_non_null(mr_ring_place(ring, 1));
        mr_ring_drop(ring);
        mr_ring_destroy(ring);
    }
    mr_ring_destroy(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_last_64_in_keep),
        cmocka_unit_test(test_last_64_in_fresh),
        cmocka_unit_test(test_totals_keeps_nothing),
        cmocka_unit_test(test_kept_adds_up),
        cmocka_unit_test(test_empty_batches_take_places),
        cmocka_unit_test(test_limit),
        cmocka_unit_test(test_white_space_is_given_back),
        cmocka_unit_test(test_memory_is_bounded),
        cmocka_unit_test(test_keep_reuses_places),
        cmocka_unit_test(test_fresh_allocates_every_batch),
        cmocka_unit_test(test_out_of_memory),
        cmocka_unit_test(test_absurd_capacity),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
