# trial.cmake: unit tests of lib/trial and of the campaign's arithmetic.
foreach(unit gates marks judgement matrix matrix_controls matrix_load contestant file)
  mr_test(trial_${unit}_test SOURCES trial_${unit}_test.c LINK mr_trial LABELS unit)
endforeach()
if(TARGET mr_app_campaign)
  foreach(unit schedule past estimate controls exclusions rates served_figures stepped_figures results_gates results_places host_watch versus)
    mr_test(campaign_${unit}_test SOURCES campaign_${unit}_test.c LINK mr_app_campaign LABELS unit)
  endforeach()
endif()
