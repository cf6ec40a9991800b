// cmd.h: the entry of `matchrace data`, the only header of this app that others include.
#ifndef MR_DATA_CMD_H
#define MR_DATA_CMD_H

// Runs `data make|import|show|verify …`; argv[0] is "data". Returns the exit code.
int mr_data_main(int argc, char **argv);

#endif
