# load.cmake: unit tests of apps/load.
foreach(unit client order pacer plan plan_poisson plan_steps recorder sender series stats_reply verify)
  mr_test(load_${unit}_test SOURCES load_${unit}_test.c load_dataset.c LINK mr_app_load LABELS unit)
endforeach()
