// cmd.h: what the program sees of the campaign.
#ifndef MR_CAMPAIGN_CMD_H
#define MR_CAMPAIGN_CMD_H

// `matchrace run MATRIX`: races, and leaves a folder with manifest, trials, results and report.
// Returns the exit code.
int mr_run_main(int argc, char **argv);

// `matchrace race --data FILE --contestants A,B`: imports the file, races, and leaves what `run`
// leaves. Returns the exit code.
int mr_race_main(int argc, char **argv);

// `matchrace versus BASE CHANGE`: whether a build of a contestant is slower than another. Returns the
// exit code.
int mr_versus_main(int argc, char **argv);

// `matchrace compare OLD NEW`: who changed between two saved campaigns. Returns the exit code.
int mr_compare_main(int argc, char **argv);

// `matchrace sweep CONTESTANT…`: response time against offered load, and the highest rate that
// keeps a latency limit. Returns the exit code.
int mr_sweep_main(int argc, char **argv);

// `matchrace estimate FOLDER`: computes results.json of a finished run again from its manifest and
// trials: the same bytes. Returns the exit code.
int mr_estimate_main(int argc, char **argv);

// `matchrace verify FOLDER`: whether everything in a run's folder follows from its raw trials.
// Returns the exit code.
int mr_verify_main(int argc, char **argv);

// `matchrace status FOLDER`: how far a run is. Returns the exit code.
int mr_status_main(int argc, char **argv);

// `matchrace plan MATRIX`: what a matrix will run, for how long, and how many rows a difference
// needs. Returns the exit code.
int mr_plan_main(int argc, char **argv);

// `matchrace doctor`: says what this host can and cannot see of a race. Returns the exit code.
int mr_doctor_main(int argc, char **argv);

#endif
