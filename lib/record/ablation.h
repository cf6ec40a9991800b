// ablation.h: parts of a vector kernel that a bench may compile it without, to see what they cost.
// Never in the library: the answers of such a kernel are wrong on purpose.
#ifndef MR_RECORD_ABLATION_H
#define MR_RECORD_ABLATION_H

#include <stddef.h>

#ifndef MR_WITHOUT_DIGEST
#define MR_WITHOUT_DIGEST 0
#endif
#ifndef MR_WITHOUT_TOTALS
#define MR_WITHOUT_TOTALS 0
#endif
#ifndef MR_WITHOUT_UTF8
#define MR_WITHOUT_UTF8 0
#endif
#ifndef MR_WITHOUT_COPIES // of text to its place
#define MR_WITHOUT_COPIES 0
#endif
// Whether text goes to `out`: words are copied always, they must be compared.
#define MR_STORES(out) (!MR_WITHOUT_COPIES || (out) != NULL)
#ifndef MR_WITHOUT_GUESS // of records in canonical layout
#define MR_WITHOUT_GUESS 0
#endif

#endif
