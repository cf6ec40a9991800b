# contestants.cmake: unit tests of what contestants have beside their parsers.
if(TARGET mr::simdjson)
  mr_test(cpp_kernels_test SOURCES cpp_kernels_test.cpp LINK mr::simdjson LABELS unit)
endif()
