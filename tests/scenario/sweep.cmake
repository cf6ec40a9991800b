# sweep.cmake: small sweeps from end to end, and everything that can go wrong with one.
mr_script_test(sweep_quick COMMAND python3 ${CMAKE_CURRENT_LIST_DIR}/sweep_curve.py --quick LABELS scenario TIMEOUT 120)
foreach(what curve faults)
  mr_script_test(sweep_${what} COMMAND python3 ${CMAKE_CURRENT_LIST_DIR}/sweep_${what}.py LABELS scenario long TIMEOUT 400)
endforeach()
# Both cores are theirs: beside another test's load too few batches are left for a median.
set_tests_properties(sweep_quick sweep_curve sweep_faults PROPERTIES RUN_SERIAL TRUE)
