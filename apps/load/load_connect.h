// load_connect.h: reaching the server: address, descriptors, connections, HELLO on each of them.
#ifndef MR_LOAD_CONNECT_H
#define MR_LOAD_CONNECT_H

#include "load_run.h"

#include <matchrace/attributes.h>

#include <stdbool.h>

// Connects run->clients_count clients and greets on each; the mode that WELCOME names must be the
// one that was asked for. Keeps the first WELCOME and the totals that the server has already.
// False: run->failure says why, as a fault of the environment: nothing was measured yet.
MR_NODISCARD bool mr_load_connect(struct mr_load_run *run);

#endif
