# yyjson.cmake: the package that ./lab setup unpacked below .deps/, as target mr::yyjson; or, with
# MR_YYJSON_SOURCE=DIR, yyjson.c and yyjson.h of that folder compiled with this project's own flags.
set(MR_YYJSON_SOURCE "" CACHE PATH "Folder with yyjson.c and yyjson.h; empty: the package below .deps/")
if(MR_YYJSON_SOURCE)
  add_library(mr_yyjson STATIC ${MR_YYJSON_SOURCE}/yyjson.c)
  target_include_directories(mr_yyjson SYSTEM PUBLIC ${MR_YYJSON_SOURCE})
  set(MR_YYJSON_ORIGIN "source, compiled with the lab's flags")
else()
  find_path(MR_YYJSON_INCLUDE yyjson.h PATHS ${CMAKE_SOURCE_DIR}/.deps/root/usr/include NO_DEFAULT_PATH)
  find_library(MR_YYJSON_LIBRARY NAMES libyyjson.so.0 PATHS ${CMAKE_SOURCE_DIR}/.deps/root/usr/lib/x86_64-linux-gnu
    NO_DEFAULT_PATH)
  if(NOT EXISTS "${MR_YYJSON_INCLUDE}/yyjson.h" OR NOT EXISTS "${MR_YYJSON_LIBRARY}")
    unset(MR_YYJSON_INCLUDE CACHE)
    unset(MR_YYJSON_LIBRARY CACHE)
    message(FATAL_ERROR "yyjson is not below .deps/: ./lab setup brings it (or name its source by MR_YYJSON_SOURCE)")
  endif()
  add_library(mr_yyjson SHARED IMPORTED)
  set_target_properties(mr_yyjson PROPERTIES IMPORTED_LOCATION ${MR_YYJSON_LIBRARY}
    INTERFACE_INCLUDE_DIRECTORIES ${MR_YYJSON_INCLUDE})
  set(MR_YYJSON_ORIGIN "the distribution's package")
endif()
add_library(mr::yyjson ALIAS mr_yyjson)
