// versus_write.h: the gate's answer as files: Markdown for a pull request, JUnit XML for a CI
// service.
#ifndef MR_CAMPAIGN_VERSUS_WRITE_H
#define MR_CAMPAIGN_VERSUS_WRITE_H

#include <matchrace/attributes.h>

#include <stdio.h>

// What both files say.
struct mr_versus_words {
    const char *base;   // as it was typed
    const char *change; //
    const char *headline;
    const char *outcome;   // passed, failed, not resolved
    const char *table;     // Markdown, or ""
    const char *reproduce; // a command
};

// Writes `folder`/versus.md and `folder`/versus.xml. 0, or a negative errno.
MR_NODISCARD int mr_versus_write(const char *folder, const struct mr_versus_words *words);

// Writes `text` as XML character data: markup and quotes as entities, what XML 1.0 forbids as "?".
void mr_versus_xml_text(FILE *out, const char *text);

#endif
