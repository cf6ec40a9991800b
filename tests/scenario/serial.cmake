# serial.cmake: the jobs without sockets by their command lines, and the reference's table of digests.
foreach(contestant c-writer c-yyjson cpp-simdjson)
  if(NOT TARGET ${contestant})
    continue()
  endif()
  mr_script_test(serial_${contestant}_notes COMMAND python3 ${CMAKE_CURRENT_LIST_DIR}/serial_notes.py LABELS serve)
  set_property(TEST serial_${contestant}_notes APPEND PROPERTY
    ENVIRONMENT MR_CONTESTANT=${PROJECT_SOURCE_DIR}/contestants/${contestant})
endforeach()
# The table of digests is what is computed now. (That of a million notes: by hand, it takes long.)
mr_script_test(reference_notes_table COMMAND python3 ${PROJECT_SOURCE_DIR}/reference/notes.py check --library --count 1000
  LABELS reference release-only TIMEOUT 300)
# The managed ones, where they are installed.
foreach(contestant csharp-stj csharp-stj-gen csharp-writer csharp-newtonsoft)
  set(folder ${PROJECT_SOURCE_DIR}/contestants/${contestant})
  mr_script_test(serial_${contestant}_notes
    COMMAND python3 ${PROJECT_SOURCE_DIR}/tests/support/when_installed.py ${folder}
      python3 ${CMAKE_CURRENT_LIST_DIR}/serial_notes.py
    LABELS csharp release-only TIMEOUT 300)
  set_property(TEST serial_${contestant}_notes APPEND PROPERTY ENVIRONMENT MR_CONTESTANT=${folder})
endforeach()
