# campaign.cmake: small races from end to end, and everything that can go wrong with one.
mr_script_test(campaign_race COMMAND python3 ${CMAKE_CURRENT_SOURCE_DIR}/campaign_race.py LABELS scenario TIMEOUT 240)
mr_script_test(campaign_faults COMMAND python3 ${CMAKE_CURRENT_SOURCE_DIR}/campaign_faults.py LABELS scenario TIMEOUT 240)
mr_script_test(campaign_load COMMAND python3 ${CMAKE_CURRENT_SOURCE_DIR}/campaign_load.py LABELS scenario release-only TIMEOUT 240)
mr_script_test(campaign_conform COMMAND python3 ${CMAKE_CURRENT_SOURCE_DIR}/campaign_conform.py
  LABELS scenario release-only slow TIMEOUT 240)
set_tests_properties(campaign_race campaign_faults campaign_load PROPERTIES RUN_SERIAL TRUE)
mr_script_test(campaign_liars COMMAND python3 ${CMAKE_CURRENT_SOURCE_DIR}/campaign_liars.py LABELS scenario release-only TIMEOUT 240)
mr_script_test(campaign_parts COMMAND python3 ${CMAKE_CURRENT_SOURCE_DIR}/campaign_parts.py LABELS scenario serial release-only TIMEOUT 240)
