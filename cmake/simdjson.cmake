# simdjson.cmake: the package that ./lab setup unpacked below .deps/, as target mr::simdjson: its header and its static
# archive (the shared library wants a newer libstdc++ than the stable distribution has). Without it, no such target.
find_path(MR_SIMDJSON_INCLUDE simdjson.h PATHS ${CMAKE_SOURCE_DIR}/.deps/root/usr/include NO_DEFAULT_PATH)
find_library(MR_SIMDJSON_LIBRARY NAMES libsimdjson_static.a
  PATHS ${CMAKE_SOURCE_DIR}/.deps/root/usr/lib/x86_64-linux-gnu NO_DEFAULT_PATH)
if(MR_SIMDJSON_INCLUDE AND MR_SIMDJSON_LIBRARY)
  add_library(mr_simdjson STATIC IMPORTED)
  set_target_properties(mr_simdjson PROPERTIES IMPORTED_LOCATION ${MR_SIMDJSON_LIBRARY}
    INTERFACE_INCLUDE_DIRECTORIES ${MR_SIMDJSON_INCLUDE})
  # The header makes every object hold a printer of documents that nobody here prints, which takes nearly half of the
  # compiler's time. Its guard is set beforehand; where a later header has none of this name, nothing changes.
  target_compile_definitions(mr_simdjson INTERFACE SIMDJSON_DOM_FRACTURED_JSON_INL_H)
  add_library(mr::simdjson ALIAS mr_simdjson)
else()
  message(STATUS "simdjson is not below .deps/ (./lab setup brings it): cpp-simdjson is not built")
endif()
