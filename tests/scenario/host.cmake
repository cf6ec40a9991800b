# host.cmake: what the lab sees of the host.
mr_script_test(host_doctor COMMAND python3 ${CMAKE_CURRENT_SOURCE_DIR}/host_doctor.py LABELS scenario release-only TIMEOUT 120)
mr_script_test(host_truth COMMAND python3 ${CMAKE_CURRENT_SOURCE_DIR}/host_truth.py LABELS scenario long TIMEOUT 240)
