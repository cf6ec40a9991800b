# report.cmake: the report as a file, and in a browser where one is installed.
mr_script_test(report_html COMMAND python3 ${CMAKE_CURRENT_SOURCE_DIR}/report_html.py LABELS scenario heavy TIMEOUT 240)
mr_script_test(report_browser COMMAND python3 ${CMAKE_CURRENT_SOURCE_DIR}/report_browser.py
  LABELS scenario release-only slow heavy TIMEOUT 600)
