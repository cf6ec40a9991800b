// gen_note_escapes.c: prints the table of escapes, made from the rules of note_escape.h.
#include "note_escape.h"

#include <inttypes.h>
#include <stdio.h>

static uint64_t entry(enum mr_notes_profile profile, unsigned byte)
{
    uint8_t bytes[8] = {(uint8_t)byte};
    uint64_t length = byte < 0x80 ? mr_escape_ascii(profile, (uint8_t)byte, bytes) : 1;
    uint64_t word = 0;
    memcpy(&word, bytes, sizeof word);
    return word | length << MR_ESCAPE_LENGTH_SHIFT;
}

int main(void)
{
    printf("// note_escapes.c: made by gen_note_escapes.c.\n#include \"note_escape.h\"\n\n"
           "const uint64_t mr_note_escapes[MR_NOTES_PROFILE_COUNT][256] = {\n");
    for (unsigned profile = 0; profile < MR_NOTES_PROFILE_COUNT; profile++) {
        printf("    {\n");
        for (unsigned byte = 0; byte < 256; byte++) {
            printf("        0x%016" PRIX64 ",\n", entry((enum mr_notes_profile)profile, byte));
        }
        printf("    },\n");
    }
    printf("};\n");
    return ferror(stdout) != 0 || fflush(stdout) != 0;
}
