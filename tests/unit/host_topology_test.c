// host_topology_test.c: made-up machines, the groups read from them, and who gets which cores.
#define _GNU_SOURCE
#include <host/assignment.h>
#include <host/cpu_quota.h>
#include <host/topology.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "host_made_up_tree.h"

static const struct mr_reading no_quota = {.value = MR_QUOTA_NONE, .known = true};

static struct mr_topology topology;
static struct mr_assignment assignment;

static struct mr_cores cores_of(const char *text)
{
    struct mr_cores cores;
    assert_int_equal(mr_cores_parse(text, &cores), 0);
    return cores;
}

static void assert_cores(const struct mr_cores *cores, const char *expected)
{
    char text[256];
    mr_cores_text(cores, text, sizeof text);
    assert_string_equal(text, expected);
}

static void put_core(const struct made_up_tree *tree, unsigned core, unsigned node,
                     const char *siblings)
{
    tree_put(tree, siblings, "/sys/devices/system/cpu/cpu%u/topology/thread_siblings_list", core);
    tree_put(tree, "", "/sys/devices/system/cpu/cpu%u/node%u/x", core, node);
}

static void put_cache(const struct made_up_tree *tree, unsigned index, const char *level,
                      const char *type, const char *size)
{
    tree_put(tree, level, "/sys/devices/system/cpu/cpu0/cache/index%u/level", index);
    tree_put(tree, type, "/sys/devices/system/cpu/cpu0/cache/index%u/type", index);
    tree_put(tree, size, "/sys/devices/system/cpu/cpu0/cache/index%u/size", index);
    tree_put(tree, "0-3\n", "/sys/devices/system/cpu/cpu0/cache/index%u/shared_cpu_list", index);
}

// Four physical cores with two threads each, numbered as many machines do: 0 and 4 are siblings.
static void test_hyper_threads(void **state)
{
    (void)state;
    struct made_up_tree tree;
    tree_init(&tree);
    for (unsigned core = 0; core < 8; core++) {
        char siblings[16];
        (void)snprintf(siblings, sizeof siblings, "%u,%u\n", core % 4, core % 4 + 4);
        put_core(&tree, core, 0, siblings);
    }
    put_cache(&tree, 0, "1\n", "Data\n", "32K\n");
    put_cache(&tree, 1, "1\n", "Instruction\n", "64K\n");
    put_cache(&tree, 2, "3\n", "Unified\n", "16M\n");
    put_cache(&tree, 3, "2\n", "Unified\n", "512K\n");
    struct mr_cores usable = cores_of("0-7");
    mr_topology_read(tree.root, &usable, &topology);
    assert_int_equal(topology.count, 8);
    assert_true(topology.siblings_known);
    for (unsigned core = 0; core < 8; core++) {
        assert_int_equal(topology.core[core].core, core);
        assert_int_equal(topology.core[core].group, core % 4);
        assert_true(topology.core[core].node.known);
        assert_int_equal(topology.core[core].node.value, 0);
    }
    assert_true(topology.llc_bytes.known);
    assert_int_equal(topology.llc_bytes.value, 16 << 20);
    assert_int_equal(topology.llc_cores.value, 4);
    mr_assign(&topology, no_quota, &assignment);
    assert_int_equal(assignment.grade, MR_GRADE_B);
    assert_cores(&assignment.spare, "0");
    assert_cores(&assignment.generator, "1");
    assert_cores(&assignment.server, "2,3");
    // Where only 0, 4 and 5 may be used, 0 and 4 are one group; 5 has its sibling to itself.
    usable = cores_of("0,4,5");
    mr_topology_read(tree.root, &usable, &topology);
    mr_assign(&topology, no_quota, &assignment);
    assert_int_equal(assignment.grade, MR_GRADE_C);
    assert_cores(&assignment.generator, "0");
    assert_cores(&assignment.server, "5");
    tree_fini(&tree);
}

static void test_two_nodes(void **state)
{
    (void)state;
    struct made_up_tree tree;
    tree_init(&tree);
    for (unsigned core = 0; core < 7; core++) {
        char siblings[16];
        (void)snprintf(siblings, sizeof siblings, "%u\n", core);
        put_core(&tree, core, core < 3 ? 0 : 1, siblings);
    }
    struct mr_cores usable = cores_of("0-6");
    mr_topology_read(tree.root, &usable, &topology);
    assert_int_equal(topology.core[2].node.value, 0);
    assert_int_equal(topology.core[3].node.value, 1);
    assert_false(topology.llc_bytes.known);
    mr_assign(&topology, no_quota, &assignment);
    assert_int_equal(assignment.grade, MR_GRADE_B);
    assert_cores(&assignment.spare, "3");
    assert_cores(&assignment.generator, "4");
    assert_cores(&assignment.server, "5,6");
    // A core that shares with one of the other node still counts on its own.
    mr_topology_join(&topology, 0, 3);
    mr_assign(&topology, no_quota, &assignment);
    assert_cores(&assignment.spare, "3");
    // One or two cores on every node: better across nodes than not at all.
    usable = cores_of("0,3,4");
    mr_topology_read(tree.root, &usable, &topology);
    mr_assign(&topology, no_quota, &assignment);
    assert_int_equal(assignment.grade, MR_GRADE_B);
    assert_cores(&assignment.spare, "0");
    assert_cores(&assignment.server, "4");
    tree_fini(&tree);
}

static void make_plain(size_t count)
{
    struct made_up_tree tree;
    tree_init(&tree);
    struct mr_cores usable = {.count = count};
    for (size_t i = 0; i < count; i++) {
        usable.core[i] = (unsigned)i;
    }
    mr_topology_read(tree.root, &usable, &topology);
    tree_fini(&tree);
}

// Nothing is told about the cores: each is taken for its own, and that is said.
static void test_nothing_told(void **state)
{
    (void)state;
    make_plain(3);
    assert_false(topology.siblings_known);
    for (unsigned i = 0; i < 3; i++) {
        assert_int_equal(topology.core[i].group, i);
        assert_false(topology.core[i].node.known);
    }
    assert_false(topology.llc_bytes.known);
    assert_false(topology.llc_cores.known);
}

struct row {
    size_t cores;
    char grade;
    const char *server;
    const char *generator;
    const char *spare;
};

static const struct row rows[] = {
    {0, '-', "", "", ""},
    {1, '-', "", "", ""},
    {2, 'C', "1", "0", ""},
    {3, 'B', "2", "1", "0"},
    {4, 'B', "2,3", "1", "0"},
    {5, 'B', "3,4", "1,2", "0"},
    {6, 'B', "3,4,5", "1,2", "0"},
    {7, 'B', "4,5,6", "1,2,3", "0"},
    {8, 'A', "4,5,6,7", "1,2,3", "0"},
    {9, 'A', "4,5,6,7", "1,2,3", "0"},
    {64, 'A', "4,5,6,7", "1,2,3", "0"},
};

static void check_row(const struct row *row)
{
    assert_int_equal(mr_grade_letter(assignment.grade), row->grade);
    assert_cores(&assignment.server, row->server);
    assert_cores(&assignment.generator, row->generator);
    assert_cores(&assignment.spare, row->spare);
}

static void test_grades(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        make_plain(rows[i].cores);
        mr_assign(&topology, no_quota, &assignment);
        check_row(&rows[i]);
        mr_assign(&topology, (struct mr_reading){0}, &assignment);
        check_row(&rows[i]);
    }
}

// 64 cores of which a control group lets us use so many: the row of that number.
static void test_quota(void **state)
{
    (void)state;
    make_plain(64);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0] - 1; i++) {
        mr_assign(&topology, mr_reading_of(1000 * rows[i].cores), &assignment);
        check_row(&rows[i]);
        mr_assign(&topology, mr_reading_of(1000 * rows[i].cores + 999), &assignment);
        check_row(&rows[i]);
    }
}

static void test_join(void **state)
{
    (void)state;
    make_plain(4);
    mr_topology_join(&topology, 3, 1);
    assert_int_equal(topology.core[1].group, 1);
    assert_int_equal(topology.core[3].group, 1);
    mr_topology_join(&topology, 1, 0);
    for (unsigned i = 0; i < 4; i++) {
        assert_int_equal(topology.core[i].group, i == 2 ? 2 : 0);
    }
    mr_assign(&topology, no_quota, &assignment);
    assert_int_equal(assignment.grade, MR_GRADE_C);
    assert_cores(&assignment.generator, "0");
    assert_cores(&assignment.server, "2");
    mr_topology_join(&topology, 2, 2);
    mr_topology_join(&topology, 2, 3);
    mr_assign(&topology, no_quota, &assignment);
    assert_int_equal(assignment.grade, MR_GRADE_NONE);
}

static void test_here(void **state)
{
    (void)state;
    struct mr_cores usable;
    assert_int_equal(mr_pin_allowed(&usable), 0);
    mr_topology_read("", &usable, &topology);
    assert_int_equal(topology.count, usable.count);
    mr_assign(&topology, mr_cpu_quota_read(""), &assignment);
    assert_true(assignment.grade == MR_GRADE_NONE || assignment.server.count >= 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_hyper_threads), cmocka_unit_test(test_two_nodes),
        cmocka_unit_test(test_nothing_told),  cmocka_unit_test(test_grades),
        cmocka_unit_test(test_quota),         cmocka_unit_test(test_join),
        cmocka_unit_test(test_here),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
