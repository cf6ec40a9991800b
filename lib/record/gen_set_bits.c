// gen_set_bits.c: prints set_bits.h's table; runs at build time.
#include <stdint.h>
#include <stdio.h>

int main(void)
{
    printf("// Made by gen_set_bits.c.\n#include \"set_bits.h\"\n");
    printf("const uint8_t mr_set_bits[256][8] = {\n");
    for (unsigned byte = 0; byte < 256; byte++) {
        printf("  {");
        for (unsigned bit = 0; bit < 8; bit++) {
            if ((byte >> bit & 1) != 0) {
                printf("%u,", bit);
            }
        }
        printf("%s},\n", byte == 0 ? "0" : "");
    }
    printf("};\n");
    return fflush(stdout) == 0 && !ferror(stdout) ? 0 : 1;
}
