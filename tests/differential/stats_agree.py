#!/usr/bin/env python3
"""stats_agree.py: lib/stats against the reference on drawn and on enumerated cases.

Usage: stats_agree.py PROGRAM

PROGRAM is stats_answers. Exit codes: 0 all agree; 1 they do not, with the first question that differs; 2 wrong usage.
"""
import itertools
import math
import pathlib
import random
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2]))
from reference import stats

VERDICTS = ["not_resolved", "faster", "slower", "same", "faster_size_open", "slower_size_open"]
LEVELS = [0.05, 0.025, 0.05 / 3, 0.0125, 0.05 / 6, 0.05 / 21, 0.01, 0.0625, 0.2]
MARGIN = 0.03
POWER = 0.9


def near(stated, value):
    return stated == value or math.isclose(stated, value, rel_tol=1e-9, abs_tol=1e-12)


def bounds_agree(words, bounds):
    if bounds is None:
        return words == ["-", "-"]
    return words[0] != "-" and all(near(float(w), v) for w, v in zip(words, bounds))


def check_pairs(alpha, pairs, words):
    logs = [math.log(a) - math.log(b) for a, b in pairs]
    order = stats.sign_order(len(logs), alpha)
    bounds = stats.interval(sorted(logs), order)
    shift, symmetric = stats.hodges_lehmann(logs, alpha)
    quotient = stats.median([a for a, _ in pairs]) / stats.median([b for _, b in pairs])
    confidence = 1 - 2 * float(stats.coin_tail(len(logs), order - 1)) if order else 0
    side = stats.side(bounds)
    verdict = stats.verdict(bounds, MARGIN)
    yield "ties", int(words[0]) == sum(a == b for a, b in pairs)
    yield "median", near(float(words[1]), stats.median(logs))
    yield "interval", bounds_agree(words[2:4], bounds)
    yield "confidence", near(float(words[4]), confidence)
    yield "p-value", near(float(words[5]), float(stats.sign_p_value(logs)))
    yield "quotient", near(float(words[6]), quotient)
    yield "resolvable", near(float(words[7]), math.expm1(stats.resolvable(logs, alpha, POWER)))
    yield "Hodges-Lehmann", near(float(words[8]), shift)
    yield "signed-rank interval", bounds_agree(words[9:11], symmetric)
    yield "verdict", VERDICTS[int(words[11])] == verdict
    yield "side", int(words[12]) == side
    yield "consistently", int(words[13]) == int(verdict == "same" and side != 0)


def pairs_questions(draw):
    for _ in range(600):
        count = draw.randint(1, 40)
        alpha = draw.choice(LEVELS)
        true = draw.choice([0, 0, 0.005, 0.02, 0.05, 0.3]) * draw.choice([-1, 1])
        spread = draw.choice([0.001, 0.01, 0.1])
        pairs = []
        for _ in range(count):
            b = draw.uniform(50, 500)
            same = draw.random() < 0.05
            pairs.append((b if same else b * math.exp(true + draw.gauss(0, spread)), b))
        words = " ".join(f"{a!r} {b!r}" for a, b in pairs)
        yield f"pairs {alpha!r} {MARGIN} {count} {words}", lambda words, a=alpha, p=pairs: check_pairs(a, p, words)


def orders_questions():
    for count in range(1, 61):
        for alpha in LEVELS:
            expected = [stats.sign_order(count, alpha), stats.signed_rank_order(count, alpha)]
            yield f"orders {count} {alpha!r}", lambda words, e=expected: [("orders", [int(w) for w in words] == e)]


def needed_questions():
    for comparisons in range(1, 200):
        for alpha in LEVELS:
            expected = stats.pairs_needed(comparisons, alpha)
            yield f"needed {comparisons} {alpha!r}", lambda words, e=expected: [("needed", int(words[0]) == e)]


def check_holm(p_values, alpha, words):
    rejects = stats.holm_rejects(p_values, alpha)
    yield "rejected", [p <= float(w) for p, w in zip(p_values, words)] == rejects
    yield "levels", all(near(float(w) * round(alpha / float(w)), alpha) for w in words)


def holm_questions(draw):
    for _ in range(2000):
        count = draw.randint(1, 4)
        p_values = [draw.choice([draw.random(), draw.random() * 0.06, 0.01, 0.02]) for _ in range(count)]
        yield (f"holm 0.05 {count} " + " ".join(map(repr, p_values)),
               lambda words, p=p_values: check_holm(p, 0.05, words))


def places_questions(draw):
    def ask(ahead):
        word = "".join("1" if cell else "0" for row in ahead for cell in row)
        expected = stats.places(ahead)
        return f"places {len(ahead)} {word}", lambda words: [("places", [int(w) for w in words] == expected)]

    def table(count, findings):
        ahead = [[False] * count for _ in range(count)]
        for (i, j), found in zip(itertools.combinations(range(count), 2), findings):
            ahead[i][j] = found > 0
            ahead[j][i] = found < 0
        return ahead
    for count in range(1, 5):
        for findings in itertools.product((-1, 0, 1), repeat=count * (count - 1) // 2):
            yield ask(table(count, findings))
    for _ in range(500):
        count = draw.randint(5, 16)
        # Mostly in one order, as speeds are, with some that are not distinguished and a few that turn.
        yield ask(table(count, draw.choices((1, 0, -1), (6, 3, 1), k=count * (count - 1) // 2)))


def main():
    if len(sys.argv) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    draw = random.Random(20261201)
    questions = [*pairs_questions(draw), *orders_questions(), *needed_questions(), *holm_questions(draw),
                 *places_questions(draw)]
    text = "".join(question + "\n" for question, _ in questions)
    done = subprocess.run([sys.argv[1]], input=text, stdout=subprocess.PIPE, text=True, check=True)
    answers = done.stdout.splitlines()
    if len(answers) != len(questions):
        print(f"stats_agree: {len(questions)} questions, {len(answers)} answers")
        return 1
    for (question, check), answer in zip(questions, answers):
        for what, agrees in check(answer.split()):
            if not agrees:
                print(f"stats_agree: {what} differs\n  question {question}\n  answer {answer}")
                return 1
    print(f"stats_agree: {len(questions)} questions, every figure as the reference has it")
    return 0


if __name__ == "__main__":
    sys.exit(main())
