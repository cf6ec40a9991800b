// sender.c: see sender.h.
#include "sender.h"

#include "base/mr_assert.h"

#include <errno.h>
#include <sys/socket.h>

// The pieces under construction, and where in the request the next given stretch begins.
struct cut {
    struct iovec *pieces;
    size_t count;
    uint64_t skip_bytes;  // sent already
    uint64_t limit_bytes; // still allowed
};

static void add_piece(struct cut *cut, const uint8_t *bytes, uint64_t size_bytes)
{
    uint64_t skip = cut->skip_bytes < size_bytes ? cut->skip_bytes : size_bytes;
    cut->skip_bytes -= skip;
    uint64_t size = size_bytes - skip;
    if (size > cut->limit_bytes) {
        size = cut->limit_bytes;
    }
    if (size == 0) {
        return;
    }
    cut->limit_bytes -= size;
    // writev() reads only; its iovec has no const.
    cut->pieces[cut->count++] = (struct iovec){.iov_base = (void *)(bytes + skip), .iov_len = size};
}

size_t mr_sender_pieces(const struct mr_request *request, const uint8_t *payload,
                        size_t limit_bytes, struct iovec pieces_out[MR_SEND_PIECES])
{
    struct cut cut = {
        .pieces = pieces_out, .skip_bytes = request->sent_bytes, .limit_bytes = limit_bytes};
    add_piece(&cut, request->head, MR_FRAME_HEAD_BYTES);
    if (request->payload_bytes > 0) {
        const struct mr_edit *edit = &request->edit;
        uint64_t behind = (uint64_t)edit->offset + edit->count;
        MR_ASSERT(behind <= request->payload_bytes && edit->count <= sizeof edit->digits);
        add_piece(&cut, payload, edit->offset);
        add_piece(&cut, edit->digits, edit->count);
        add_piece(&cut, payload + behind, request->payload_bytes - behind);
    }
    return cut.count;
}

ssize_t mr_sender_write(int fd, struct mr_request *request, const uint8_t *payload,
                        size_t limit_bytes)
{
    uint64_t unsent = mr_request_bytes(request) - request->sent_bytes;
    if (request->hold) {
        unsent--;
    }
    MR_ASSERT(unsent > 0 && limit_bytes > 0);
    struct iovec pieces[MR_SEND_PIECES];
    struct msghdr message = {.msg_iov = pieces};
    message.msg_iovlen =
        mr_sender_pieces(request, payload, unsent < limit_bytes ? unsent : limit_bytes, pieces);
    ssize_t sent;
    do {
        sent = sendmsg(fd, &message, MSG_NOSIGNAL | MSG_DONTWAIT);
    } while (sent < 0 && errno == EINTR);
    if (sent < 0) {
        return -errno;
    }
    request->sent_bytes += (uint64_t)sent;
    return sent;
}
