// digest.c: the digest of a record and of a batch (docs/PROTOCOL.md, section 2).
#define XXH_INLINE_ALL
#include <xxhash.h>

#include <matchrace/contract.h>

#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "struct mr_record is the canonical form on little-endian machines only"
#endif
_Static_assert(sizeof(struct mr_record) == MR_RECORD_HEAD_BYTES, "the head has no padding");
_Static_assert(offsetof(struct mr_record, message_bytes) == 28, "fields stand as in section 2");

uint64_t mr_record_digest(const struct mr_record *record)
{
    return XXH3_64bits(record, mr_record_bytes(record));
}

uint64_t mr_records_digest(const void *records, uint32_t count)
{
    const uint8_t *at = records;
    uint64_t sum = 0;
    for (uint32_t i = 0; i < count; i++) {
        const struct mr_record *record = (const struct mr_record *)(const void *)at;
        sum += mr_record_digest(record);
        at += mr_record_stride(record);
    }
    return sum;
}
