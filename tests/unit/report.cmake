# report.cmake: unit tests of the report's formatting.
if(TARGET mr_app_report)
  mr_test(report_page_test SOURCES report_page_test.c LINK mr_app_report LABELS unit)
  mr_test(report_html_test SOURCES report_html_test.c LINK mr_app_report LABELS unit)
endif()
