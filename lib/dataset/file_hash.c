// file_hash.c: see file_hash.h.
#include "file_hash.h"

#include "base/file.h"

#include <stdint.h>

_Static_assert(MR_HASH_TEXT_BYTES == SHA256_DIGEST_STRING_LENGTH, "64 hex digits and a zero byte");

void mr_file_hash_init(struct mr_file_hash *hash)
{
    SHA256Init(&hash->context);
}

void mr_file_hash_add(struct mr_file_hash *hash, const void *bytes, size_t size_bytes)
{
    if (size_bytes > 0) {
        SHA256Update(&hash->context, bytes, size_bytes);
    }
}

void mr_file_hash_text(struct mr_file_hash *hash, char text_out[MR_HASH_TEXT_BYTES])
{
    static const char hex[] = "0123456789abcdef";
    uint8_t digest[SHA256_DIGEST_LENGTH];
    SHA256Final(digest, &hash->context);
    for (size_t i = 0; i < sizeof digest; i++) {
        text_out[2 * i] = hex[digest[i] >> 4];
        text_out[2 * i + 1] = hex[digest[i] & 15];
    }
    text_out[2 * sizeof digest] = '\0';
}

int mr_file_hash_of(const char *path, char text_out[MR_HASH_TEXT_BYTES])
{
    struct mr_map map;
    int result = mr_map_init(&map, path);
    if (result != 0) {
        return result;
    }
    struct mr_file_hash hash;
    mr_file_hash_init(&hash);
    mr_file_hash_add(&hash, map.bytes, map.size_bytes);
    mr_file_hash_text(&hash, text_out);
    mr_map_fini(&map);
    return 0;
}
