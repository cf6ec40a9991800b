// cmd.h: the subcommand `matchrace load`, the only header of this app that others include.
#ifndef MR_LOAD_CMD_H
#define MR_LOAD_CMD_H

// Runs `matchrace load` with argv[0] its name and the words behind it; returns the exit code:
// 0 verified, 1 environment (a server that cannot be reached or stops answering), 2 usage,
// 3 wrong answers, 130/143 after SIGINT/SIGTERM. Prints; may be called once a process (signals).
int mr_load_main(int argc, char **argv);

#endif
