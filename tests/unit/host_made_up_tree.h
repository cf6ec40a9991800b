// host_made_up_tree.h: a folder with made-up files of /proc and /sys, for tests.
#ifndef MR_TESTS_HOST_MADE_UP_TREE_H
#define MR_TESTS_HOST_MADE_UP_TREE_H

#include <base/file.h>

#include <ftw.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// A tree in the build folder; `root` is what the readers are given.
struct made_up_tree {
    char root[512];
};

static inline void tree_init(struct made_up_tree *tree)
{
    (void)snprintf(tree->root, sizeof tree->root, "%s/host_tree_XXXXXX", MR_BUILD_DIR);
    assert_non_null(mkdtemp(tree->root));
}

static inline int tree_remove_one(const char *path, const struct stat *status, int kind,
                                  struct FTW *where)
{
    (void)status;
    (void)kind;
    (void)where;
    return remove(path);
}

static inline void tree_fini(const struct made_up_tree *tree)
{
    assert_int_equal(nftw(tree->root, tree_remove_one, 8, FTW_DEPTH | FTW_PHYS), 0);
}

// Writes `text` to the file whose path below the root is printed from `format`.
__attribute__((format(printf, 3, 4))) static inline void
tree_put(const struct made_up_tree *tree, const char *text, const char *format, ...)
{
    char path[2048];
    int length = snprintf(path, sizeof path, "%s", tree->root);
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(path + length, sizeof path - (size_t)length, format, arguments);
    va_end(arguments);
    char *slash = strrchr(path, '/');
    *slash = '\0';
    assert_int_equal(mr_folder_make(path), 0);
    *slash = '/';
    assert_int_equal(mr_file_write(path, text, strlen(text)), 0);
}

#endif
