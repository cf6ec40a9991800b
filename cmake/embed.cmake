# embed.cmake: makes a C source that holds files as constant texts: cmake -DOUT=x.c -DHEADER=x.h "-DFILES=a=path;b=path"
# -P embed.cmake. Each text ends with a zero byte. The compiler's own #embed is younger than the one that this project
# is built with.
set(text "// ${OUT_NAME}: files as texts; made by embed.cmake.\n#include \"${HEADER}\"\n")
foreach(pair ${FILES})
  string(REGEX MATCH "^([a-z_]+)=(.*)$" whole "${pair}")
  file(READ "${CMAKE_MATCH_2}" hex HEX)
  set(name ${CMAKE_MATCH_1})
  string(REGEX REPLACE "(................................)" "\\1\n" hex "${hex}")
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," hex "${hex}")
  string(APPEND text "const unsigned char ${name}[] = {\n${hex}0x00};\n")
endforeach()
file(WRITE "${OUT}" "${text}")
