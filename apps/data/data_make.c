// data_make.c: `matchrace data make`: the command line around data_making.h.
#include "data_command.h"

#include "data_making.h"
#include "data_spoil.h"

#include "base/cli.h"

#include <stdio.h>
#include <string.h>

#define SEED_MAX ((1ull << 53) - 1) // every JSON reader keeps it

static const char notes[] =
    "Shapes:\n"
    "  simple   compact ASCII records in one order of keys, 158 bytes each on average\n"
    "  messy    763 bytes: keys in any order, white space, escapes, many scripts, numbers\n"
    "           of every length and exponent\n"
    "  rejects  batches of either; half of them have one fault of a kind of the contract\n"
    "  mixed-N  messy, N percent of the batches with a fault, all of which can be varied\n"
    "\nExit codes: 0 made; 1 the machine failed (disk full, no permission); 2 wrong usage,\n"
    "or NAME exists. Whatever fails leaves no part of a dataset behind.\n";

static const char examples[] =
    "  matchrace data make --shape simple --seed 42 --bytes 64MiB --out data/simple\n"
    "  matchrace data make --shape rejects --batches 400 --batch-records 16 --out "
    "data/rejects\n"
    "  matchrace data make --shape mixed-1 --bytes 64MiB --out data/mixed-1\n"
    "  matchrace data make --shape simple --bytes 16MiB --space lines --messy-share 1% --out "
    "data/lines\n";

// The words of the command line.
struct words {
    struct mr_make_request request;
    const char *shape_name;
    uint64_t batch_records;
    const char *reject_share; // NULL: the shape's own
    const char *space;
    uint64_t record_bytes;
    const char *messy_share;
    const char *escape_share;
    const char *non_ascii_share;
};

#define OPTIONS_MAX 15

// Fills the table of options and returns their number.
static size_t list_options(struct words *words, struct mr_option options_out[OPTIONS_MAX])
{
    struct mr_make_request *request = &words->request;
    const struct mr_option options[OPTIONS_MAX] = {
        {"shape", MR_OPTION_TEXT, &words->shape_name, "SHAPE",
         "simple, messy, rejects or mixed-N; see below.", 0, 0, NULL},
        {"seed", MR_OPTION_COUNT, &request->seed, "N",
         "The same seed gives the same bytes everywhere; 42 by default.", 0, SEED_MAX, NULL},
        {"batches", MR_OPTION_COUNT, &request->batches, "N", "How many batches to make; or", 1,
         100000000, NULL},
        {"bytes", MR_OPTION_BYTES, &request->bytes, "SIZE",
         "how much JSON at least (64KiB, 64MiB, 1GiB).", 1, 0, NULL},
        {"batch-records", MR_OPTION_COUNT, &words->batch_records, "N",
         "Records a batch; 256 by default.", 1, MR_BATCH_RECORDS_MAX, NULL},
        {"reject-share", MR_OPTION_TEXT, &words->reject_share, "PERCENT",
         "Batches with a fault, like 1 or 0.5%; by default 50 for rejects, N for mixed-N, else 0.",
         0, 0, NULL},
        {"large-faults", MR_OPTION_FLAG, &request->large_faults, NULL,
         "Plant \"more than 65,535 records\" too (a batch of some 5 MB).", 0, 0, NULL},
        {"shuffled-keys", MR_OPTION_FLAG, &request->form.shuffled_keys, NULL,
         "Simple records: keys in any order.", 0, 0, NULL},
        {"space", MR_OPTION_CHOICE, &words->space, "HOW",
         "Simple records: no white space, a blank behind each colon and comma, or a key a line.", 0,
         0, mr_form_spaces},
        {"record-bytes", MR_OPTION_COUNT, &words->record_bytes, "N",
         "Simple records: so long in the mean, white space not counted.", MR_FORM_RECORD_BYTES_MIN,
         MR_FORM_RECORD_BYTES_MAX, NULL},
        {"messy-share", MR_OPTION_TEXT, &words->messy_share, "PERCENT",
         "Messy records instead of so many of the simple ones, like 1 or 0.5%.", 0, 0, NULL},
        {"escape-share", MR_OPTION_TEXT, &words->escape_share, "PERCENT",
         "Simple records: so much of the message's bytes in escapes.", 0, 0, NULL},
        {"non-ascii-share", MR_OPTION_TEXT, &words->non_ascii_share, "PERCENT",
         "Simple records: so much of the message's bytes beyond ASCII.", 0, 0, NULL},
        {"out", MR_OPTION_TEXT, &request->out, "NAME",
         "The common part of the files' names; folders are made.", 0, 0, NULL},
        {"force", MR_OPTION_FLAG, &request->force, NULL, "Replace the dataset that is there.", 0, 0,
         NULL},
    };
    memcpy(options_out, options, sizeof options);
    return OPTIONS_MAX;
}

// Reads "1", "1%", "0.25%" as hundredths of a percent; false when it is none, or more than 100.
static bool parse_share(const char *text, uint32_t *share_bp_out)
{
    uint32_t share = 0;
    size_t whole = strspn(text, "0123456789");
    size_t decimals = text[whole] == '.' ? strspn(text + whole + 1, "0123456789") : 0;
    if (whole == 0 || whole > 3 || decimals > 2 || (text[whole] == '.' && decimals == 0)) {
        return false;
    }
    for (size_t i = 0; i < whole; i++) {
        share = share * 10 + (uint32_t)(text[i] - '0');
    }
    for (size_t i = 0; i < 2; i++) {
        share = share * 10 + (i < decimals ? (uint32_t)(text[whole + 1 + i] - '0') : 0);
    }
    const char *rest = text + whole + (decimals > 0 ? decimals + 1 : 0);
    *share_bp_out = share;
    return share <= MR_SHARE_WHOLE && (*rest == '\0' || strcmp(rest, "%") == 0);
}

// Reads what was said of the form of simple records; NULL when all is well.
static const char *check_form(struct words *words)
{
    struct mr_form *form = &words->request.form;
    form->record_bytes = (uint32_t)words->record_bytes;
    if (words->space != NULL && !mr_form_space_by_name(words->space, form)) {
        return "--space takes compact, spaced or lines";
    }
    const struct {
        const char *text;
        uint32_t *share_bp;
    } shares[] = {{words->messy_share, &form->messy_bp},
                  {words->escape_share, &form->escape_bp},
                  {words->non_ascii_share, &form->non_ascii_bp}};
    for (size_t i = 0; i < sizeof shares / sizeof shares[0]; i++) {
        if (shares[i].text != NULL && !parse_share(shares[i].text, shares[i].share_bp)) {
            return "--messy-share, --escape-share and --non-ascii-share take a percentage from 0 "
                   "to 100 with at most two decimals, like 1 or 0.5%";
        }
    }
    if (form->escape_bp + form->non_ascii_bp > MR_SHARE_WHOLE) {
        return "--escape-share and --non-ascii-share are more than 100 percent together";
    }
    if (!mr_form_is_plain(form) && !words->request.shape.simple) {
        return "this shape has no simple records, whose form could be another";
    }
    return NULL;
}

// What the table of options can't say; NULL when all is well.
static const char *check(struct words *words)
{
    struct mr_make_request *request = &words->request;
    if (request->out == NULL) {
        return "--out is missing: the common part of the dataset's files, like data/messy";
    }
    if (words->shape_name == NULL || !mr_shape_by_name(words->shape_name, &request->shape)) {
        return "--shape takes simple, messy, rejects, or mixed-N with N from 1 to 99 (percent of "
               "faulty batches)";
    }
    request->reject_bp = request->shape.reject_bp;
    if (words->reject_share != NULL && !parse_share(words->reject_share, &request->reject_bp)) {
        return "--reject-share takes a percentage from 0 to 100 with at most two decimals, like 1 "
               "or "
               "0.5%";
    }
    if ((request->batches > 0) == (request->bytes > 0)) {
        return "give one of --batches and --bytes: how much to make";
    }
    return check_form(words);
}

// Reads the command line into *words.
static enum mr_cli_result read_words(int argc, char **argv, struct words *words)
{
    struct mr_option options[OPTIONS_MAX];
    const struct mr_command command = {
        .name = "matchrace data make",
        .summary = "make a dataset of a shape from a seed, with its answers",
        .options = options,
        .options_count = list_options(words, options),
        .notes = notes,
        .examples = examples};
    size_t operands_count;
    const char *operands[1];
    enum mr_cli_result result = mr_cli_parse(&command, argc, argv, operands, &operands_count);
    if (result != MR_CLI_RUN) {
        return result;
    }
    const char *wrong = check(words);
    if (wrong != NULL) {
        (void)fprintf(stderr, "matchrace data make: %s (see matchrace data make --help)\n", wrong);
        return MR_CLI_WRONG;
    }
    struct mr_make_request *request = &words->request;
    request->batch_records = (uint32_t)words->batch_records;
    return MR_CLI_RUN;
}

static void print_summary(const struct mr_make_request *request,
                          const struct mr_make_result *result)
{
    printf("%s: %llu batches, %llu records, %.1f MiB; %.1f bytes a record\n", request->out,
           (unsigned long long)result->batches, (unsigned long long)result->records,
           (double)result->bytes / (1 << 20), result->bytes_per_record);
    if (request->reject_bp > 0) {
        printf("%llu of the batches have a fault: %u of the %u kinds that this shape plants%s\n",
               (unsigned long long)result->batches_rejected, result->fault_kinds_seen,
               result->fault_kinds,
               result->fault_kinds_seen < result->fault_kinds ? "; more batches show more kinds"
                                                              : "");
    }
    printf("what is in it: matchrace data show %s\n", request->out);
}

int mr_data_make(int argc, char **argv)
{
    struct words words = {.request = {.seed = 42, .stopped = mr_data_signal}, .batch_records = 256};
    enum mr_cli_result read = read_words(argc, argv, &words);
    if (read != MR_CLI_RUN) {
        return read == MR_CLI_DONE ? MR_EXIT_OK : MR_EXIT_USAGE;
    }
    char base[PATH_MAX];
    if (!mr_data_take_base("make", &words.request.out, base)) {
        return MR_EXIT_USAGE;
    }
    mr_data_catch_signals();
    struct mr_make_result result;
    int error = mr_make(&words.request, &result);
    if (error == 0) {
        print_summary(&words.request, &result);
    } else {
        mr_data_say("make", result.fault.text);
    }
    return mr_data_exit(error);
}
