// cmd.h: what the program sees of the report.
#ifndef MR_REPORT_CMD_H
#define MR_REPORT_CMD_H

// `matchrace report FOLDER`: writes report.md, ratios.svg, trials.csv and trials-columns.md into
// the folder of a run, from its results.json alone, and report.html from that and the trials: the
// same bytes every time. Returns the exit code.
int mr_report_main(int argc, char **argv);

#endif
