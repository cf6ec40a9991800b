# sweep.cmake: unit tests of a sweep's arithmetic.
if(TARGET mr_app_campaign)
  foreach(unit limit plan summary chart)
    mr_test(campaign_sweep_${unit}_test SOURCES campaign_sweep_${unit}_test.c LINK mr_app_campaign LABELS unit)
  endforeach()
endif()
