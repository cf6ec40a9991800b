# conform.cmake: the conformance kit as a person uses it: bad contestants, signals, stamps, gaps, the command line.
if(TARGET matchrace AND TARGET c-tuned)
  foreach(what bad_contestants command gaps signals)
    mr_script_test(conform_${what} COMMAND python3 ${CMAKE_CURRENT_LIST_DIR}/conform_${what}.py
      LABELS conformance release-only early TIMEOUT 300)
  endforeach()
  mr_script_test(conform_stamp COMMAND python3 ${CMAKE_CURRENT_LIST_DIR}/conform_stamp.py
    LABELS conformance release-only early TIMEOUT 900)
endif()
