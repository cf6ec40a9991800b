# matchrace.cmake: how this project makes libraries, contestants and tests; every folder's CMakeLists.txt uses these.

# mr_library(NAME folder-target sources… LINK libs…): a static library of the lab. Sources are C; headers are found
# as <matchrace/x.h> (public) and "room/x.h" or "x.h" (own room).
function(mr_library name)
  cmake_parse_arguments(arg "" "" "SOURCES;LINK" ${ARGN})
  add_library(${name} STATIC ${arg_SOURCES})
  mr_compile(${name})
  target_link_libraries(${name} PUBLIC ${arg_LINK})
endfunction()

# What neither is timed nor works while something is, as targets or as sources of the folder at hand: two thirds of the
# compiler's time are saved, which everyone waits for before the first race, and nine tenths of it under sanitizers.
# Warnings that need an optimiser come from the preset dev.
set(mr_untimed_options)
if(CMAKE_BUILD_TYPE MATCHES "^Rel" OR MR_SANITIZE)
  # yyjson.h forces its functions into every place that calls them, which without an optimiser is most of the code.
  set(mr_untimed_options -O0 -Dyyjson_inline=__inline__)
  if(CMAKE_C_COMPILER_ID STREQUAL "GNU") # without an optimiser gcc 12 sees members of two objects overlap
    list(APPEND mr_untimed_options -Wno-restrict)
  endif()
endif()
function(mr_untimed)
  foreach(name ${ARGN})
    target_compile_options(${name} PRIVATE ${mr_untimed_options})
  endforeach()
endfunction()
function(mr_untimed_sources)
  set_source_files_properties(${ARGN} PROPERTIES COMPILE_OPTIONS "${mr_untimed_options}")
endfunction()

# The flags that every target of ours gets. x86-64-v2 for everything; kernel files and rivals' parsers add their own.
function(mr_compile name)
  target_compile_features(${name} PRIVATE c_std_17)
  target_include_directories(${name} PUBLIC ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/lib
                                            ${CMAKE_CURRENT_SOURCE_DIR})
  target_compile_options(${name} PRIVATE -Wall -Wextra -Wshadow -Wconversion -Wpedantic -Wundef -Wvla
    $<$<COMPILE_LANGUAGE:C>:-Wmissing-prototypes> $<$<COMPILE_LANGUAGE:C>:-Wstrict-prototypes> -Werror
    -fno-strict-aliasing -ffp-contract=off)
  if(CMAKE_SYSTEM_PROCESSOR STREQUAL "x86_64")
    target_compile_options(${name} PRIVATE -march=x86-64-v2)
  endif()
endfunction()

# mr_shared_library(NAME FILE file SOURCES… LINK libs…): lib<file>.so for callers that are not linked with the lab. Its
# symbols are hidden, but for what the public headers declare. It is compiled as a program is, -fPIE: what it needs of
# itself is at a fixed distance (-Bsymbolic keeps that promise), while -fPIC would fetch the address of every table and
# made the AVX2 kernel 2 % slower. A source that uses data of another library needs -fPIC and gets it where it is named.
# Made in the folder whose files carry flags of their own, so that they get the same ones.
function(mr_shared_library name)
  cmake_parse_arguments(arg "" "FILE" "SOURCES;LINK" ${ARGN})
  # Made when it is asked for where nobody calls it: under sanitizers, and in a copy without bindings.
  if(MR_SANITIZE OR NOT EXISTS ${PROJECT_SOURCE_DIR}/bindings)
    set(exclude EXCLUDE_FROM_ALL)
  endif()
  add_library(${name} SHARED ${exclude} ${arg_SOURCES})
  mr_compile(${name})
  target_compile_options(${name} PRIVATE -fPIE)
  target_link_options(${name} PRIVATE -Wl,-Bsymbolic)
  if(NOT MR_SANITIZE)
    target_link_options(${name} PRIVATE -Wl,-z,defs)
  endif()
  set_target_properties(${name} PROPERTIES OUTPUT_NAME ${arg_FILE} POSITION_INDEPENDENT_CODE OFF
    C_VISIBILITY_PRESET hidden VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR})
  target_link_libraries(${name} PRIVATE ${arg_LINK})
endfunction()

# What a race needs: the program and the contestants, no tests. A contestant that is not made by mr_contestant() adds
# itself: add_dependencies(race NAME).
add_custom_target(race)
# The shared libraries, which contestants built by a build line of their own may stand on.
add_custom_target(shared)

# mr_contestant(NAME SOURCES… LINK libs…): a native contestant, built to contestants/<name>/<name> of the build tree.
function(mr_contestant name)
  cmake_parse_arguments(arg "" "" "SOURCES;LINK" ${ARGN})
  add_executable(${name} ${arg_SOURCES})
  mr_compile(${name})
  target_link_libraries(${name} PRIVATE ${arg_LINK})
  add_dependencies(race ${name})
endfunction()

# Five tests run at a time (CMakePresets.json), for most of them mostly wait. One labelled "heavy" keeps a core busy or
# more and counts as two: so two cores have two of them and one that waits. These begin first; then those labelled
# "early", which wait for long, so that nothing is waited for in the end. A test labelled "serial" needs both cores for
# itself; CTest then runs nothing beside it.
function(mr_test_properties name labels)
  if("heavy" IN_LIST labels)
    set_tests_properties(${name} PROPERTIES PROCESSORS 2 COST 30)
  elseif("early" IN_LIST labels)
    set_tests_properties(${name} PROPERTIES COST 20)
  endif()
  if("serial" IN_LIST labels)
    set_tests_properties(${name} PROPERTIES RUN_SERIAL TRUE)
  endif()
endfunction()

# mr_test(NAME SOURCES… LINK libs… [LABELS l…] [TIMEOUT s]): one cmocka program run by CTest.
function(mr_test name)
  cmake_parse_arguments(arg "" "TIMEOUT" "SOURCES;LINK;LABELS" ${ARGN})
  add_executable(${name} ${arg_SOURCES})
  mr_compile(${name})
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR}/tests/support)
  target_link_libraries(${name} PRIVATE ${arg_LINK} PkgConfig::CMOCKA)
  target_compile_definitions(${name} PRIVATE MR_SOURCE_DIR="${PROJECT_SOURCE_DIR}" MR_BUILD_DIR="${PROJECT_BINARY_DIR}")
  if("unit" IN_LIST arg_LABELS)
    mr_untimed(${name})
  endif()
  add_test(NAME ${name} COMMAND ${name})
  if(NOT arg_TIMEOUT)
    set(arg_TIMEOUT 120)
  endif()
  set_tests_properties(${name} PROPERTIES LABELS "${arg_LABELS}" TIMEOUT ${arg_TIMEOUT} SKIP_RETURN_CODE 77)
  mr_test_properties(${name} "${arg_LABELS}")
endfunction()

# mr_script_test(NAME COMMAND words… [LABELS l…] [TIMEOUT s]): a script run by CTest; exit code 77 means skipped.
# Races of tests may run beside each other: they judge what is told, not how fast anybody was.
function(mr_script_test name)
  cmake_parse_arguments(arg "" "TIMEOUT" "COMMAND;LABELS" ${ARGN})
  add_test(NAME ${name} COMMAND ${arg_COMMAND} WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
  if(NOT arg_TIMEOUT)
    set(arg_TIMEOUT 120)
  endif()
  set_tests_properties(${name} PROPERTIES LABELS "${arg_LABELS}" TIMEOUT ${arg_TIMEOUT} SKIP_RETURN_CODE 77
    ENVIRONMENT "MR_BUILD_DIR=${PROJECT_BINARY_DIR};MR_SOURCE_DIR=${PROJECT_SOURCE_DIR};PYTHONDONTWRITEBYTECODE=1;MR_SHARE_CORES=1")
  mr_test_properties(${name} "${arg_LABELS}")
endfunction()
