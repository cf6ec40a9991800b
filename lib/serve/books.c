// books.c: totals and shelves of every loop under one mutex a loop.
#include "books.h"

#include "base/mr_assert.h"

#include <errno.h>
#include <stdlib.h>

static void lock(struct mr_book *book)
{
    int failed = pthread_mutex_lock(&book->mutex);
    MR_ASSERT(failed == 0);
}

static void unlock(struct mr_book *book)
{
    int failed = pthread_mutex_unlock(&book->mutex);
    MR_ASSERT(failed == 0);
}

int mr_books_init(struct mr_books *books_out, size_t count)
{
    MR_ASSERT(count >= 1);
    *books_out = (struct mr_books){0};
    struct mr_book *book = aligned_alloc(alignof(struct mr_book), count * sizeof *book);
    if (book == NULL) {
        return -ENOMEM;
    }
    for (size_t i = 0; i < count; i++) {
        book[i] = (struct mr_book){.mutex = PTHREAD_MUTEX_INITIALIZER};
        mr_totals_init(&book[i].totals);
    }
    books_out->book = book;
    books_out->count = count;
    return 0;
}

void mr_books_fini(struct mr_books *books)
{
    for (size_t i = 0; i < books->count; i++) {
        MR_ASSERT(books->book[i].first == NULL);
        int failed = pthread_mutex_destroy(&books->book[i].mutex);
        MR_ASSERT(failed == 0);
    }
    free(books->book);
    *books = (struct mr_books){0};
}

void mr_book_add_shelf(struct mr_book *book, struct mr_shelf *shelf, struct mr_ring *ring)
{
    MR_ASSERT(shelf->ring == NULL && ring != NULL);
    lock(book);
    *shelf = (struct mr_shelf){.ring = ring, .next = book->first};
    if (book->first != NULL) {
        book->first->previous = shelf;
    }
    book->first = shelf;
    unlock(book);
}

void mr_book_remove_shelf(struct mr_book *book, struct mr_shelf *shelf)
{
    if (shelf->ring == NULL) {
        return;
    }
    lock(book);
    if (shelf->previous == NULL) {
        MR_ASSERT(book->first == shelf);
        book->first = shelf->next;
    } else {
        shelf->previous->next = shelf->next;
    }
    if (shelf->next != NULL) {
        shelf->next->previous = shelf->previous;
    }
    unlock(book);
    mr_ring_destroy(shelf->ring);
    *shelf = (struct mr_shelf){0};
}

int mr_book_enter(struct mr_book *book, struct mr_shelf *shelf, const struct mr_entry *entry)
{
    lock(book);
    int result = shelf == NULL ? 0 : mr_ring_keep(shelf->ring, entry->used_bytes, entry->records);
    if (result == 0) {
        mr_totals_merge(&book->totals, entry->batch);
    }
    unlock(book);
    return result;
}

void mr_books_totals(struct mr_books *books, struct mr_totals *totals_out)
{
    mr_totals_init(totals_out);
    for (size_t i = 0; i < books->count; i++) {
        lock(&books->book[i]);
        mr_totals_merge(totals_out, &books->book[i].totals);
        unlock(&books->book[i]);
    }
}

void mr_books_kept(struct mr_books *books, struct mr_kept *kept_out)
{
    *kept_out = (struct mr_kept){0};
    for (size_t i = 0; i < books->count; i++) {
        lock(&books->book[i]);
        for (struct mr_shelf *shelf = books->book[i].first; shelf != NULL; shelf = shelf->next) {
            mr_ring_kept(shelf->ring, kept_out);
        }
        unlock(&books->book[i]);
    }
}
