// books.h: what a server has to say about all its connections: totals and kept batches, one book a
// loop, read over all loops by STATS and KEPT.
//
// A book is written by its own loop, once a batch, under its mutex; every reader takes the mutex of
// one book after the other. So a reader sees whole batches only, and of its own connection (whose
// loop is the one that reads) all earlier batches and none later.
#ifndef MR_SERVE_BOOKS_H
#define MR_SERVE_BOOKS_H

#include <matchrace/attributes.h>
#include <matchrace/contract.h>

#include <pthread.h>
#include <stdalign.h>
#include <stddef.h>
#include <stdint.h>

// A ring that KEPT counts as long as it is in a book. Owned by its connection, all zero when new.
struct mr_shelf {
    struct mr_ring *ring;
    struct mr_shelf *next;
    struct mr_shelf *previous;
};

// The book of one loop, on cache lines of its own.
struct mr_book {
    alignas(128) pthread_mutex_t mutex;
    struct mr_totals totals;
    struct mr_shelf *first;
};

// All books of a server.
struct mr_books {
    struct mr_book *book;
    size_t count;
};

// `count` ≥ 1 empty books. 0 or -ENOMEM. Ended with mr_books_fini(), all shelves removed before.
MR_NODISCARD int mr_books_init(struct mr_books *books_out, size_t count);
void mr_books_fini(struct mr_books *books);

// Puts `shelf` with `ring` into the book; takes it out again and ends its ring. A shelf without
// ring may be removed: nothing happens.
void mr_book_add_shelf(struct mr_book *book, struct mr_shelf *shelf, struct mr_ring *ring);
void mr_book_remove_shelf(struct mr_book *book, struct mr_shelf *shelf);

// Enters one batch: keeps the shelf's open place when `used_bytes` is told, and adds `batch` to the
// totals. 0; what mr_ring_keep() says otherwise, then the totals are as they were. `shelf` may be
// NULL: totals only.
struct mr_entry {
    const struct mr_totals *batch; // totals of this batch alone
    uint64_t used_bytes;           // of the open place, when it is kept
    uint32_t records;
};
MR_NODISCARD int mr_book_enter(struct mr_book *book, struct mr_shelf *shelf,
                               const struct mr_entry *entry);

// The sum over all books.
void mr_books_totals(struct mr_books *books, struct mr_totals *totals_out);

// What all shelves hold now, recomputed from the copies. Slow: it reads every copy, and a loop
// waits with its next batch while its book is read.
void mr_books_kept(struct mr_books *books, struct mr_kept *kept_out);

#endif
