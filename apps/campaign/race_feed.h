// race_feed.h: what a contestant of a stepped cell is given: a dataset's batches as this run alone
// has them.
//
// The answers of a dataset lie on the disk where a contestant runs, so the digest of a file that is
// the same in every run could be read instead of computed. The feed is the dataset with the
// timestamp of one record a batch drawn anew for the run (docs/MEASURING.md, rule 5); the answer to
// it is known to this process alone, and stands in no file while the run lasts.
#ifndef MR_CAMPAIGN_RACE_FEED_H
#define MR_CAMPAIGN_RACE_FEED_H

#include "race.h"

#include <matchrace/attributes.h>

// Writes the feed of every dataset that a stepped cell needs below the run's folder, and sets
// `feed_path` and `feed_digest` of the cell's data. Datasets were verified before. 0; another
// negative errno, and *fault is set. The draw's seed is race->feed_seed.
MR_NODISCARD int mr_race_feed_prepare(struct mr_race *race, struct mr_trial_fault *fault);

// Takes away what mr_race_feed_prepare() wrote, and writes the draw's seed to the run's log, now
// that no contestant runs; harmless where it wrote nothing, and the second time.
void mr_race_feed_remove(struct mr_race *race);

#endif
