# campaign.cmake: small races from end to end, and everything that can go wrong with one.
foreach(what race faults)
  mr_script_test(campaign_${what} COMMAND python3 ${CMAKE_CURRENT_SOURCE_DIR}/campaign_${what}.py
    LABELS scenario heavy TIMEOUT 240)
  # Contestants in-process measure themselves, which is checked from outside: nothing of ours beside them.
  mr_script_test(campaign_${what}_stepped COMMAND python3 ${CMAKE_CURRENT_SOURCE_DIR}/campaign_${what}.py --stepped
    LABELS scenario serial TIMEOUT 240)
endforeach()
mr_script_test(campaign_load COMMAND python3 ${CMAKE_CURRENT_SOURCE_DIR}/campaign_load.py
  LABELS scenario release-only heavy TIMEOUT 240)
mr_script_test(campaign_conform COMMAND python3 ${CMAKE_CURRENT_SOURCE_DIR}/campaign_conform.py
  LABELS scenario release-only slow early TIMEOUT 240)
mr_script_test(campaign_liars COMMAND python3 ${CMAKE_CURRENT_SOURCE_DIR}/campaign_liars.py
  LABELS scenario release-only early TIMEOUT 240)
mr_script_test(campaign_feed COMMAND python3 ${CMAKE_CURRENT_SOURCE_DIR}/campaign_feed.py
  LABELS scenario serial release-only TIMEOUT 240)
mr_script_test(campaign_own COMMAND python3 ${CMAKE_CURRENT_SOURCE_DIR}/campaign_own.py
  LABELS scenario serial release-only TIMEOUT 240)
mr_script_test(campaign_gaps COMMAND python3 ${CMAKE_CURRENT_SOURCE_DIR}/campaign_gaps.py
  LABELS scenario serial release-only TIMEOUT 240)
mr_script_test(campaign_parts COMMAND python3 ${CMAKE_CURRENT_SOURCE_DIR}/campaign_parts.py
  LABELS scenario serial release-only TIMEOUT 240)
mr_script_test(campaign_verify COMMAND python3 ${CMAKE_CURRENT_SOURCE_DIR}/campaign_verify.py
  LABELS scenario serial release-only TIMEOUT 240)
mr_script_test(results_verify COMMAND python3 ${CMAKE_CURRENT_SOURCE_DIR}/results_verify.py
  LABELS scenario release-only TIMEOUT 600)
mr_script_test(campaign_sittings COMMAND python3 ${CMAKE_CURRENT_SOURCE_DIR}/campaign_sittings.py
  LABELS scenario release-only heavy TIMEOUT 240)
mr_script_test(campaign_plan COMMAND python3 ${CMAKE_CURRENT_SOURCE_DIR}/campaign_plan.py
  LABELS scenario release-only TIMEOUT 120)
mr_script_test(campaign_controls COMMAND python3 ${CMAKE_CURRENT_SOURCE_DIR}/campaign_controls.py
  LABELS scenario release-only TIMEOUT 120)
mr_script_test(race_own_data COMMAND python3 ${CMAKE_CURRENT_SOURCE_DIR}/race_own_data.py
  LABELS scenario release-only TIMEOUT 120)
mr_script_test(versus_gate COMMAND python3 ${CMAKE_CURRENT_SOURCE_DIR}/versus_gate.py
  LABELS scenario release-only TIMEOUT 120)
mr_script_test(lab_versus COMMAND python3 ${CMAKE_CURRENT_SOURCE_DIR}/lab_versus.py
  LABELS scenario release-only TIMEOUT 120)
mr_script_test(compare_campaigns COMMAND python3 ${CMAKE_CURRENT_SOURCE_DIR}/compare_campaigns.py
  LABELS scenario release-only TIMEOUT 120)
mr_script_test(new_contestant COMMAND python3 ${CMAKE_CURRENT_SOURCE_DIR}/new_contestant.py
  LABELS scenario release-only TIMEOUT 120)
mr_script_test(install_library COMMAND python3 ${CMAKE_CURRENT_SOURCE_DIR}/install_library.py
  LABELS scenario release-only TIMEOUT 120)
