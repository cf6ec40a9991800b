// base_file_test.c: whole files: reading, mapping, writing, and that a full disk leaves the old
// file.
#include "base/file.h"

#include <dirent.h>
#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static char folder[] = "/tmp/matchrace-file-XXXXXX";

// `name` in the test's folder; valid until the third next call.
static const char *path_of(const char *name)
{
    static char paths[3][256];
    static unsigned turn;
    turn = (turn + 1) % 3;
    (void)snprintf(paths[turn], sizeof paths[turn], "%s/%s", folder, name);
    return paths[turn];
}

static void check_content(const char *path, const char *expected)
{
    char *bytes;
    size_t size_bytes;
    assert_int_equal(mr_file_read(path, 1 << 20, &bytes, &size_bytes), 0);
    assert_int_equal(size_bytes, strlen(expected));
    assert_string_equal(bytes, expected);
    free(bytes);
    struct mr_map map;
    assert_int_equal(mr_map_init(&map, path), 0);
    assert_int_equal(map.size_bytes, strlen(expected));
    assert_int_equal(map.bytes == NULL, expected[0] == '\0');
    assert_memory_equal(map.bytes == NULL ? (const uint8_t *)"" : map.bytes, expected,
                        strlen(expected));
    mr_map_fini(&map);
    mr_map_fini(&map); // a map of nothing
}

static unsigned count_files(void)
{
    DIR *opened = opendir(folder);
    assert_non_null(opened);
    unsigned count = 0;
    for (struct dirent *entry; (entry = readdir(opened)) != NULL;) {
        count += entry->d_name[0] == '.' ? 0 : 1;
    }
    (void)closedir(opened);
    return count;
}

static void test_write_and_read(void **context)
{
    (void)context;
    const char *path = path_of("file");
    unsigned before = count_files();
    assert_int_equal(mr_file_write(path, "first", 5), 0);
    check_content(path, "first");
    assert_int_equal(mr_file_write(path, "the second", 10), 0);
    check_content(path, "the second");
    assert_int_equal(mr_file_write(path, "", 0), 0);
    check_content(path, "");
    assert_int_equal(count_files(), before + 1);
    assert_int_equal(unlink(path), 0);
}

static void test_what_cannot_be_read(void **context)
{
    (void)context;
    char *bytes;
    size_t size_bytes;
    struct mr_map map;
    assert_int_equal(mr_file_read(path_of("absent"), 10, &bytes, &size_bytes), -ENOENT);
    assert_int_equal(mr_map_init(&map, path_of("absent")), -ENOENT);
    assert_int_equal(mr_file_read(folder, 1 << 20, &bytes, &size_bytes), -EISDIR);
    assert_int_equal(mr_map_init(&map, folder), -EISDIR);
    assert_int_equal(mr_map_init(&map, "/dev/null"), -ESPIPE);
    assert_int_equal(mr_file_read("/dev/null", 10, &bytes, &size_bytes), -ESPIPE);
    const char *pipe = path_of("pipe");
    assert_int_equal(mkfifo(pipe, 0600), 0);
    (void)alarm(10); // whoever waits for a writer hangs here
    assert_int_equal(mr_map_init(&map, pipe), -ESPIPE);
    assert_int_equal(mr_file_read(pipe, 10, &bytes, &size_bytes), -ESPIPE);
    (void)alarm(0);
    assert_non_null(strstr(mr_file_fault(-ESPIPE), "pipe"));
    assert_int_equal(unlink(pipe), 0);
    const char *path = path_of("eleven");
    assert_int_equal(mr_file_write(path, "12345678901", 11), 0);
    assert_int_equal(mr_file_read(path, 10, &bytes, &size_bytes), -EFBIG);
    assert_int_equal(mr_file_read(path, 11, &bytes, &size_bytes), 0);
    free(bytes);
    assert_int_equal(unlink(path), 0);
}

static void test_where_cannot_be_written(void **context)
{
    (void)context;
    assert_int_equal(mr_file_write(path_of("absent/file"), "x", 1), -ENOENT);
    assert_int_equal(mkdir(path_of("folder"), 0755), 0);
    assert_int_equal(mkdir(path_of("folder/inside"), 0755), 0);
    unsigned before = count_files();
    int result = mr_file_write(path_of("folder"), "x", 1);
    assert_true(result == -EISDIR || result == -ENOTEMPTY || result == -EEXIST);
    assert_int_equal(count_files(), before);
    assert_int_equal(rmdir(path_of("folder/inside")), 0);
    assert_int_equal(rmdir(path_of("folder")), 0);
    char long_name[8192];
    memset(long_name, 'x', sizeof long_name - 1);
    long_name[sizeof long_name - 1] = '\0';
    assert_int_equal(mr_file_write(long_name, "x", 1), -ENAMETOOLONG);
}

// A limit on the size of files ends writing in the middle, as a full disk does.
static void test_full_disk(void **context)
{
    (void)context;
    const char *path = path_of("kept");
    assert_int_equal(mr_file_write(path, "the old one", 11), 0);
    unsigned before = count_files();
    static char large[100000];
    memset(large, 'x', sizeof large);
    struct rlimit old_limit;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &old_limit), 0);
    struct rlimit limit = {.rlim_cur = 50000, .rlim_max = old_limit.rlim_max};
    void (*old_handler)(int) = signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
    int result = mr_file_write(path, large, sizeof large);
    int result_of_new = mr_file_write(path_of("new"), large, sizeof large);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &old_limit), 0);
    (void)signal(SIGXFSZ, old_handler);
    assert_int_equal(result, -EFBIG);
    assert_int_equal(result_of_new, -EFBIG);
    check_content(path, "the old one");
    assert_int_equal(access(path_of("new"), F_OK), -1);
    assert_int_equal(count_files(), before); // no half of one is left either
    assert_int_equal(unlink(path), 0);
}

static void test_folders(void **context)
{
    (void)context;
    assert_int_equal(mr_folder_make(path_of("a/b/c")), 0);
    assert_int_equal(mr_folder_make(path_of("a/b/c")), 0);
    assert_int_equal(mr_folder_make(path_of("a/b/d/")), 0);
    struct stat status;
    assert_int_equal(stat(path_of("a/b/c"), &status), 0);
    assert_true(S_ISDIR(status.st_mode));
    assert_int_equal(mr_file_write(path_of("a/file"), "x", 1), 0);
    assert_int_equal(mr_folder_make(path_of("a/file")), -ENOTDIR);
    assert_int_equal(mr_folder_make(path_of("a/file/b")), -ENOTDIR);
}

static int set_up(void **context)
{
    (void)context;
    return mkdtemp(folder) == NULL ? -1 : 0;
}

static int tear_down(void **context)
{
    (void)context;
    char command[256];
    (void)snprintf(command, sizeof command, "rm -r %s", folder);
    return system(command);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_write_and_read),
        cmocka_unit_test(test_what_cannot_be_read),
        cmocka_unit_test(test_where_cannot_be_written),
        cmocka_unit_test(test_full_disk),
        cmocka_unit_test(test_folders),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
