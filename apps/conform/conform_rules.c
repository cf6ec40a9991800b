// conform_rules.c: see conform_rules.h.
#include "conform_rules.h"

#include <string.h>

const struct mr_rule_info mr_rules[] = {
#define MR_RULE_INFO(number, slug, modes, sentence) {#number, #number "-" slug, sentence, modes},
    MR_RULES(MR_RULE_INFO)
#undef MR_RULE_INFO
};

static bool same(const char *text, const char *word, size_t length)
{
    return strlen(text) == length && memcmp(text, word, length) == 0;
}

enum mr_rule mr_rule_find(const char *word, size_t length)
{
    for (size_t rule = 0; rule < MR_RULE_COUNT; rule++) {
        if (same(mr_rules[rule].number, word, length) || same(mr_rules[rule].name, word, length)) {
            return (enum mr_rule)rule;
        }
    }
    return MR_RULE_NONE;
}
