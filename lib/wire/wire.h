// wire.h: frames of section 5 of docs/PROTOCOL.md: header, types, the answer to a batch.
#ifndef MR_WIRE_WIRE_H
#define MR_WIRE_WIRE_H

#include <stdbool.h>
#include <stdint.h>

#define MR_WIRE_VERSION             1u
#define MR_FRAME_HEAD_BYTES         16u
#define MR_ACK_BYTES                32u
#define MR_PAYLOAD_BYTES_DEFAULT    (16u << 20)  // --max-payload
#define MR_KEPT_BYTES_DEFAULT       (256u << 20) // --max-kept
#define MR_CONNECTIONS_DEFAULT      4096u        // --max-connections
#define MR_UNSENT_REPLY_BYTES_LIMIT (1u << 20)

enum mr_frame_type {
    MR_FRAME_HELLO = 0x01,
    MR_FRAME_BATCH = 0x02,
    MR_FRAME_STATS = 0x03,
    MR_FRAME_KEPT = 0x04,
    MR_FRAME_WELCOME = 0x81,
    MR_FRAME_ACK = 0x82,
    MR_FRAME_STATS_REPLY = 0x83,
    MR_FRAME_KEPT_REPLY = 0x84,
    MR_FRAME_ERROR = 0xFF,
};

// A frame's header, decoded.
struct mr_frame_head {
    uint32_t payload_bytes;
    uint8_t type;
    uint8_t version;
    uint16_t reserved;
    uint64_t sequence;
};

// The payload of ACK, decoded. All other fields than status and the error's are 0 when rejected.
struct mr_ack {
    uint32_t status; // 0 accepted, 1 rejected
    uint32_t records;
    uint64_t digest;
    uint32_t error;        // enum mr_error, advice
    uint32_t error_record; // advice
    uint64_t error_offset; // advice
};

// Little-endian, MR_FRAME_HEAD_BYTES and MR_ACK_BYTES bytes; any alignment.
void mr_frame_head_encode(const struct mr_frame_head *head, uint8_t *bytes_out);
struct mr_frame_head mr_frame_head_decode(const uint8_t *bytes);
void mr_ack_encode(const struct mr_ack *ack, uint8_t *bytes_out);
struct mr_ack mr_ack_decode(const uint8_t *bytes);

// Whether two answers agree in what the contract compares: status, records, digest.
bool mr_ack_agrees(const struct mr_ack *left, const struct mr_ack *right);

#endif
