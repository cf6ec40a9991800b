// wire.c: headers and answers to and from their little-endian bytes.
#include "wire.h"

static void put_u16(uint8_t *bytes, uint16_t value)
{
    bytes[0] = (uint8_t)value;
    bytes[1] = (uint8_t)(value >> 8);
}

static void put_u32(uint8_t *bytes, uint32_t value)
{
    put_u16(bytes, (uint16_t)value);
    put_u16(bytes + 2, (uint16_t)(value >> 16));
}

static void put_u64(uint8_t *bytes, uint64_t value)
{
    put_u32(bytes, (uint32_t)value);
    put_u32(bytes + 4, (uint32_t)(value >> 32));
}

static uint16_t get_u16(const uint8_t *bytes)
{
    return (uint16_t)(bytes[0] | (bytes[1] << 8));
}

static uint32_t get_u32(const uint8_t *bytes)
{
    return get_u16(bytes) | ((uint32_t)get_u16(bytes + 2) << 16);
}

static uint64_t get_u64(const uint8_t *bytes)
{
    return get_u32(bytes) | ((uint64_t)get_u32(bytes + 4) << 32);
}

void mr_frame_head_encode(const struct mr_frame_head *head, uint8_t *bytes_out)
{
    put_u32(bytes_out, head->payload_bytes);
    bytes_out[4] = head->type;
    bytes_out[5] = head->version;
    put_u16(bytes_out + 6, head->reserved);
    put_u64(bytes_out + 8, head->sequence);
}

struct mr_frame_head mr_frame_head_decode(const uint8_t *bytes)
{
    return (struct mr_frame_head){
        .payload_bytes = get_u32(bytes),
        .type = bytes[4],
        .version = bytes[5],
        .reserved = get_u16(bytes + 6),
        .sequence = get_u64(bytes + 8),
    };
}

void mr_ack_encode(const struct mr_ack *ack, uint8_t *bytes_out)
{
    put_u32(bytes_out, ack->status);
    put_u32(bytes_out + 4, ack->records);
    put_u64(bytes_out + 8, ack->digest);
    put_u32(bytes_out + 16, ack->error);
    put_u32(bytes_out + 20, ack->error_record);
    put_u64(bytes_out + 24, ack->error_offset);
}

struct mr_ack mr_ack_decode(const uint8_t *bytes)
{
    return (struct mr_ack){
        .status = get_u32(bytes),
        .records = get_u32(bytes + 4),
        .digest = get_u64(bytes + 8),
        .error = get_u32(bytes + 16),
        .error_record = get_u32(bytes + 20),
        .error_offset = get_u64(bytes + 24),
    };
}

bool mr_ack_agrees(const struct mr_ack *left, const struct mr_ack *right)
{
    return left->status == right->status && left->records == right->records &&
           left->digest == right->digest;
}
