# data.cmake: unit tests of lib/dataset and apps/data.
if(NOT TARGET mr_test_support)
  add_subdirectory(${PROJECT_SOURCE_DIR}/tests/support ${PROJECT_BINARY_DIR}/tests/support)
endif()
foreach(name data_decimal data_number data_emit data_fault data_split data_second_reading data_disagreement
             dataset_open dataset_turns)
  mr_test(${name}_test SOURCES ${name}_test.c LINK mr_app_data LABELS data unit)
endforeach()
mr_test(data_memory_test SOURCES data_memory_test.c LINK mr_app_data mr_counting_alloc LABELS data unit)
# What the scenario data_variations reads: batches as the generator varies them.
add_executable(varied_batches ${PROJECT_SOURCE_DIR}/tests/support/varied_batches.c)
mr_compile(varied_batches)
target_link_libraries(varied_batches PRIVATE mr_dataset)
