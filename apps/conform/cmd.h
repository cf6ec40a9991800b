// cmd.h: the subcommand `matchrace conform`: the conformance kit.
#ifndef MR_CONFORM_CMD_H
#define MR_CONFORM_CMD_H

// Runs the command; argv[0] is its name. Returns the exit code: 0 conformant, 1 environment,
// 2 usage, 3 not conformant, 130 and 143 after a signal. Leaves no process behind.
int mr_conform_main(int argc, char **argv);

#endif
