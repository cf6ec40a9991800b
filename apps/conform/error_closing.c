// error_closing.c: see error_closing.h.
#include "error_closing.h"

#include "conform_clock.h"
#include "base/clock.h"

#define CLOSE_NS     (1 * MR_NS_PER_S)     // contract
#define TOLERANCE_NS (1500 * MR_NS_PER_MS) // for a busy machine
#define STEP_NS      (20 * MR_NS_PER_MS)
#define UNKNOWN_TYPE 0x5A

void mr_error_closing_begin(struct mr_error_closing *closing_out, struct mr_kit *kit)
{
    static const char *const no_options[] = {NULL};
    *closing_out = (struct mr_error_closing){.kit = kit, .talk = {.link = {.fd = -1}}};
    if (!mr_kit_wants(kit, MR_RULE_W31)) {
        return;
    }
    struct mr_talk *talk = &closing_out->talk;
    struct mr_reply reply;
    closing_out->serves = mr_kit_serve(kit, MR_RULE_W31, no_options, &closing_out->subject);
    closing_out->waits = closing_out->serves &&
                         mr_talk_open(talk, kit, MR_RULE_W31, &closing_out->subject) &&
                         mr_talk_request(talk, UNKNOWN_TYPE, NULL, 0) &&
                         mr_talk_expect(talk, MR_FRAME_ERROR, &reply);
    closing_out->error_ns = mr_conform_now_ns();
}

void mr_error_closing_end(struct mr_error_closing *closing)
{
    struct mr_kit *kit = closing->kit;
    if (closing->waits) {
        // A client that neither reads nor ends: bytes are refused once the server has closed. It
        // had the other checks' time for that; if they took long, it is the first bytes that tell.
        uint64_t deadline_ns = closing->error_ns + CLOSE_NS + TOLERANCE_NS;
        uint64_t least_ns = mr_conform_now_ns() + 10 * STEP_NS;
        deadline_ns = deadline_ns < least_ns ? least_ns : deadline_ns;
        bool refused = false;
        while (!refused && mr_conform_now_ns() < deadline_ns && !mr_kit_over(kit)) {
            refused = mr_link_push(&closing->talk.link, "x", 1) < 0;
            mr_clock_sleep_until(mr_clock_ns() + (refused ? 0 : STEP_NS));
        }
        if (!refused) {
            (void)mr_talk_fail(&closing->talk, "the connection is closed 1 s after ERROR",
                               "it still takes bytes after 2.5 s");
        }
        mr_kit_ok(kit, MR_RULE_W31);
    }
    mr_talk_close(&closing->talk);
    if (closing->serves) {
        mr_kit_stop(kit, &closing->subject);
    }
}
