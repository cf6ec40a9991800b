# load.cmake: unit tests of apps/load.
if(NOT TARGET mr_test_support)
  add_subdirectory(${PROJECT_SOURCE_DIR}/tests/support ${PROJECT_BINARY_DIR}/tests/support)
endif()
foreach(unit client failure hdr_table legs medians order pacer plan plan_poisson plan_steps recorder sender series stats_reply verify warm_watch)
  mr_test(load_${unit}_test SOURCES load_${unit}_test.c load_dataset.c LINK mr_app_load LABELS unit)
endforeach()
mr_test(load_hdr_intervals_test SOURCES load_hdr_intervals_test.c LINK mr_app_load mr_counting_alloc LABELS unit)
