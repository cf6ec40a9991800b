// digest_library.c: the library that lib/serve itself brings into every native contestant.
#include <matchrace/serve.h>

// The version of the header that the digest is compiled from.
#include <xxhash.h>

#define TEXT_OF(number) #number
#define TEXT(number)    TEXT_OF(number)

struct mr_library mr_serve_digest_library(void)
{
    return (struct mr_library){
        .name = "xxHash",
        .version =
            TEXT(XXH_VERSION_MAJOR) "." TEXT(XXH_VERSION_MINOR) "." TEXT(XXH_VERSION_RELEASE),
        .path = "static",
    };
}
