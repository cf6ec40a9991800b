# load.cmake: unit tests of apps/load.
foreach(unit client failure order pacer plan recorder sender series stats_reply verify)
  mr_test(load_${unit}_test SOURCES load_${unit}_test.c load_dataset.c LINK mr_app_load LABELS unit)
endforeach()
