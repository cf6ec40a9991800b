// page_files.h: the files of page/ and the published figures, as texts that end with a zero byte;
// made at build time.
#ifndef MR_REPORT_PAGE_FILES_H
#define MR_REPORT_PAGE_FILES_H

extern const unsigned char mr_page_skeleton[]; // page/page.html, with its places as {{name}}
extern const unsigned char mr_page_style[];    // page/style.css
extern const unsigned char mr_page_script[];   // page/script.js
extern const unsigned char mr_page_figures[];  // docs/published.json

#endif
