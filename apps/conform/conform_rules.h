// conform_rules.h: the numbered sentences of docs/PROTOCOL.md that the kit checks, one check each.
#ifndef MR_CONFORM_RULES_H
#define MR_CONFORM_RULES_H

#include <matchrace/contract.h>

#include <stdbool.h>
#include <stddef.h>

// Modes in which a check means something, as bits 1 << enum mr_mode.
#define MR_IN_DRAIN  (1u << MR_MODE_DRAIN)
#define MR_IN_TOTALS (1u << MR_MODE_TOTALS)
#define MR_IN_KEEP   (1u << MR_MODE_KEEP)
#define MR_IN_FRESH  (1u << MR_MODE_FRESH)
#define MR_IN_ALL    (MR_IN_DRAIN | MR_IN_TOTALS | MR_IN_KEEP | MR_IN_FRESH)
#define MR_IN_PARSED (MR_IN_TOTALS | MR_IN_KEEP | MR_IN_FRESH) // batches are looked into
#define MR_IN_KEPT   (MR_IN_KEEP | MR_IN_FRESH)                // batches are kept
#define MR_IN_NOKEPT (MR_IN_DRAIN | MR_IN_TOTALS)

// number, slug, modes, the sentence in short.
#define MR_RULES(X)                                                                                \
    X(B1, "cases-whole", MR_IN_PARSED, "each case, sent whole, gets its verdict, records, digest") \
    X(B2, "cases-bytes", MR_IN_PARSED, "the same, byte by byte on many connections")               \
    X(B3, "cases-burst", MR_IN_PARSED, "the same, all of them in one write")                       \
    X(B4, "records-max", MR_IN_PARSED, "65,535 records are accepted")                              \
    X(B5, "records-over", MR_IN_PARSED, "65,536 records are rejected")                             \
    X(B6, "long-numbers", MR_IN_PARSED, "numbers of a million digits are read exactly")            \
    X(B7, "full-payload", MR_IN_PARSED, "16 MiB of long records are accepted")                     \
    X(N1, "totals", MR_IN_PARSED, "totals after the cases are exact in every field")               \
    X(N2, "null-extremes", MR_IN_ALL, "the four extremes are null while there is no record")       \
    X(M1, "drain-answers", MR_IN_DRAIN, "drain answers 0, 0, 0 to whatever comes")                 \
    X(M2, "drain-totals", MR_IN_DRAIN, "drain counts batches and bytes, all else stays zero")      \
    X(M3, "nothing-kept", MR_IN_NOKEPT, "KEPT is zeros in drain and totals")                       \
    X(M4, "kept-last-64", MR_IN_KEPT, "KEPT is the sum over the last 64 accepted batches")         \
    X(M5, "kept-connections", MR_IN_KEPT, "KEPT adds up the connections that are open now")        \
    X(M6, "kept-rejected", MR_IN_KEPT, "a rejected batch leaves the ring as it was")               \
    X(M7, "kept-empty", MR_IN_KEPT, "an empty accepted batch takes a place")                       \
    X(M8, "kept-own-copy", MR_IN_KEPT, "copies do not depend on what is received later")           \
    X(M9, "kept-limit", MR_IN_KEPT, "over --max-kept: ERROR and close")                            \
    X(M10, "kept-limit-each", MR_IN_KEPT, "--max-kept counts each connection by itself")           \
    X(M11, "ring-ends", MR_IN_KEPT, "a ring goes away within 1 s of its connection's end")         \
    X(W1, "frame-head", MR_IN_ALL, "replies have type, version 1 and reserved 0")                  \
    X(W2, "payload-max", MR_IN_ALL, "a payload of exactly --max-payload is taken")                 \
    X(W3, "payload-over", MR_IN_ALL, "one byte more is an ERROR, decided from the header")         \
    X(W4, "payload-default", MR_IN_ALL, "the default limit is 16 MiB")                             \
    X(W5, "sequence-echoed", MR_IN_ALL, "the reply has the request's sequence, any 64 bits")       \
    X(W6, "hello-optional", MR_IN_ALL, "a connection may begin without HELLO")                     \
    X(W7, "hello-any-time", MR_IN_ALL, "HELLO may come at any time, any number of times")          \
    X(W8, "welcome-keys", MR_IN_ALL, "WELCOME has its eleven keys, with the right types")          \
    X(W9, "welcome-true", MR_IN_ALL, "WELCOME says name, mode, threads and pid as they are")       \
    X(W10, "batch-empty", MR_IN_ALL, "BATCH without payload is a rejected batch")                  \
    X(W11, "ack-bytes", MR_IN_ALL, "the payload of ACK has 32 bytes")                              \
    X(W12, "ack-accepted", MR_IN_ALL, "the error fields are zeros when accepted")                  \
    X(W13, "ack-rejected", MR_IN_PARSED, "status 1, records 0, digest 0 when rejected")            \
    X(W14, "stats-keys", MR_IN_ALL, "totals has the keys of section 3 and no other")               \
    X(W15, "stats-runtime", MR_IN_ALL, "runtime has its four keys, pauses at most")                \
    X(W16, "stats-scalars", MR_IN_ALL, "scalars of STATS_REPLY: 16 lower-case hex digits or null") \
    X(W17, "kept-keys", MR_IN_ALL, "KEPT_REPLY has batches, records, digest and no other key")     \
    X(W18, "kept-scalars", MR_IN_ALL, "scalars of KEPT_REPLY: 16 lower-case hex digits")           \
    X(W19, "error-text", MR_IN_ALL, "the payload of ERROR is UTF-8 text for people")               \
    X(W20, "hello-payload", MR_IN_ALL, "HELLO with a payload is an ERROR")                         \
    X(W21, "stats-payload", MR_IN_ALL, "STATS with a payload is an ERROR")                         \
    X(W22, "kept-payload", MR_IN_ALL, "KEPT with a payload is an ERROR")                           \
    X(W23, "type-unknown", MR_IN_ALL, "an unknown type is an ERROR")                               \
    X(W24, "version-other", MR_IN_ALL, "another version is an ERROR")                              \
    X(W25, "reserved-nonzero", MR_IN_ALL, "a non-zero reserved field is an ERROR")                 \
    X(W26, "error-others", MR_IN_ALL, "other connections do not notice an ERROR")                  \
    X(W27, "error-earlier", MR_IN_ALL, "earlier requests are answered before an ERROR")            \
    X(W28, "error-sequence", MR_IN_ALL, "ERROR has the offending frame's sequence")                \
    X(W29, "error-shutdown", MR_IN_ALL, "the writing side is shut down behind an ERROR")           \
    X(W30, "error-discards", MR_IN_ALL, "input behind an ERROR is read and thrown away")           \
    X(W31, "error-closes", MR_IN_ALL, "the connection is closed 1 s after an ERROR")               \
    X(W32, "reply-order", MR_IN_ALL, "replies come in the order of the requests")                  \
    X(W33, "in-flight", MR_IN_ALL, "any number of requests may be in flight")                      \
    X(W34, "stats-own", MR_IN_ALL,                                                                 \
      "STATS_REPLY has all earlier requests of its connection, none later")                        \
    X(W35, "stats-others", MR_IN_ALL, "of other connections it has whole batches")                 \
    X(W36, "reply-at-once", MR_IN_ALL, "a reply does not wait for further input")                  \
    X(W37, "unsent-stops", MR_IN_ALL, "with 1 MiB of unsent replies reading stops")                \
    X(W38, "unsent-others", MR_IN_ALL, "the other connections go on meanwhile")                    \
    X(W39, "unsent-resumes", MR_IN_ALL, "reading goes on when the replies have been taken")        \
    X(W40, "half-close-answers", MR_IN_ALL, "all whole frames are answered after a half-close")    \
    X(W41, "half-close-closes", MR_IN_ALL, "then the server closes")                               \
    X(W42, "cut-off-silent", MR_IN_ALL, "a cut-off frame gets no reply")                           \
    X(W43, "cut-off-uncounted", MR_IN_ALL, "a cut-off frame changes no total")                     \
    X(W44, "connections-1024", MR_IN_ALL, "1,024 connections at once are served")                  \
    X(W45, "connections-error", MR_IN_ALL, "beyond --max-connections: an ERROR")                   \
    X(W46, "connections-close", MR_IN_ALL, "then the end; a free place is used again")             \
    X(W47, "no-delay", MR_IN_ALL, "TCP_NODELAY is set")                                            \
    X(C1, "listening-line", MR_IN_ALL, "one line `listening HOST:PORT` on standard output")        \
    X(C2, "quiet", MR_IN_ALL, "nothing is logged for a batch")                                     \
    X(C3, "sigterm", MR_IN_ALL, "SIGTERM ends it with exit code 0 within 2 s")                     \
    X(C4, "sigterm-busy", MR_IN_ALL, "the same with open connections and batches in flight")       \
    X(C5, "bind-failure", MR_IN_ALL, "a bind failure is one line and exit code 1")                 \
    X(C6, "wrong-usage", MR_IN_ALL, "wrong usage is one line on standard error and exit code 2")   \
    X(C7, "threads", MR_IN_ALL, "--threads 2 gives the same answers and totals")                   \
    X(C8, "descriptors", MR_IN_ALL, "the soft limit of descriptors is raised to the hard one")     \
    X(C9, "listen-port", MR_IN_ALL, "--listen with a port takes that port")                        \
    X(C10, "parse-lines", MR_IN_ALL, "`parse` prints one line of JSON for a repetition")           \
    X(C11, "parse-answers", MR_IN_ALL, "records, bytes and digest are those of one repetition")    \
    X(C12, "parse-rejected", MR_IN_PARSED, "a rejected batch adds its bytes only")                 \
    X(C13, "step-waits", MR_IN_ALL, "--step waits for a line before each repetition")              \
    X(C14, "step-ends", MR_IN_ALL, "--step ends when standard input ends")                         \
    X(C15, "nothing-learnt", MR_IN_PARSED, "nothing learnt from a payload answers a later one")

enum mr_rule {
#define MR_RULE_ENUM(number, slug, modes, sentence) MR_RULE_##number,
    MR_RULES(MR_RULE_ENUM)
#undef MR_RULE_ENUM
        MR_RULE_COUNT,
    MR_RULE_NONE = MR_RULE_COUNT // ends a list of rules
};

struct mr_rule_info {
    const char *number; // "W5"
    const char *name;   // "W5-sequence-echoed"
    const char *sentence;
    unsigned modes;
};

// Entry `rule` describes enum mr_rule `rule`; MR_RULE_COUNT entries.
extern const struct mr_rule_info mr_rules[];

// The rule that `word` names, by number ("W5") or whole name; MR_RULE_NONE when there is none.
enum mr_rule mr_rule_find(const char *word, size_t length);

#endif
