#!/usr/bin/env python3
# report_html.py: report.html as a file: well-formed, whole, escaped, the same again, and it says what the run says.
"""Races small, writes the report and reads report.html with a parser; then plants what must not become markup."""

import json
import os
import re
import shutil
import sys
from html.parser import HTMLParser

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "support"))
from report_run import HOSTILE, change_results, exclude_first, make_hostile, page_of, report, three_cells  # noqa: E402
from small_race import Race, expect, skip_unless_built  # noqa: E402

VOID = {"meta", "link", "input", "br", "hr", "img"}
SECTIONS = ["conclusions", "ratios", "choose", "results", "published", "evidence", "memory", "contestants", "data",
            "environment", "rules", "missing", "trials", "reproduce"]
TWO_MEGABYTES = 2_000_000


class Page(HTMLParser):
    """What the page consists of; `faults` lists tags that do not match."""

    def __init__(self, text: str):
        super().__init__(convert_charrefs=True)
        self.open, self.faults, self.ids, self.links, self.sources = [], [], [], [], []
        self.tags, self.texts, self.captions, self.tables, self.attributes = {}, {}, [], 0, []
        self.feed(text)
        self.close()
        self.faults += ["never closed: %s" % tag for tag in self.open]

    def handle_starttag(self, tag, attrs):
        self.tags[tag] = self.tags.get(tag, 0) + 1
        values = dict(attrs)
        self.attributes.append((tag, values))
        if len(values) != len(attrs):
            self.faults.append("an attribute twice in <%s>" % tag)
        self.ids += [values["id"]] if "id" in values else []
        self.links += [values["href"]] if "href" in values else []
        self.sources += [values[key] for key in ("src", "srcset", "action", "poster") if key in values]
        if tag not in VOID and not self.get_starttag_text().endswith("/>"):
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.handle_starttag(tag, attrs)

    def handle_endtag(self, tag):
        if not self.open or self.open[-1] != tag:
            self.faults.append("</%s> at %s, open is %s" % (tag, self.getpos(), self.open[-3:]))
        else:
            self.open.pop()

    def handle_data(self, data):
        for tag in self.open:
            self.texts[tag] = self.texts.get(tag, "") + data


def data_of(text: str) -> dict:
    return json.loads(re.search(r'<script type="application/json" id="page-data">(.*?)</script>', text, re.S)[1])


def check_form(folder: str) -> Page:
    text = page_of(folder)
    page = Page(text)
    expect(not page.faults, "every tag has its partner: %s" % page.faults[:3])
    expect(len(page.ids) == len(set(page.ids)), "no id twice")
    expect([one for one in page.ids if one in SECTIONS] == SECTIONS, "all parts, in their order: %s" % page.ids)
    expect(len(text.encode()) < TWO_MEGABYTES, "under 2 MB: %d" % len(text.encode()))
    expect(page.tags.get("script") == 2 and page.tags.get("style") == 1, "the page's own scripts and style, no other")
    return page


def check_links(folder: str, page: Page) -> None:
    expect(not page.sources, "nothing is loaded: %s" % page.sources)
    for link in set(page.links):
        if link.startswith("#"):
            expect(link[1:] in page.ids, "%s leads somewhere" % link) if link[1:] not in page.ids else None
        elif not link.startswith("data:"):
            expect(os.path.isfile(os.path.join(folder, link)), "%s is a file" % link) \
                if not os.path.isfile(os.path.join(folder, link)) else None
    expect(sum(link.startswith("trials/") for link in page.links) >= 48, "every trial is linked")
    text = page_of(folder)
    expect(not re.search(r"https?://|@import|url\(", text), "no address of elsewhere in the whole file")


def check_tables(page: Page) -> None:
    expect(page.tags["table"] == page.tags["caption"], "every table has a caption")
    heads = [values for tag, values in page.attributes if tag == "th"]
    expect(heads and all(values.get("scope") in ("col", "row") for values in heads), "every head cell says what it heads")
    expect(page.texts["main"].count("raced again by") == page.tags["table"], "a line to reproduce under each table")
    images = [values for tag, values in page.attributes if tag == "svg" and values.get("role") == "img"]
    expect(len(images) >= 10 and all(values.get("aria-label") for values in images), "every picture has a name")


def check_says(folder: str, page: Page, results: dict) -> None:
    """The page has what the results have: verdicts, figures, trials, files."""
    said = page.texts["main"]
    for cell in results["cells"]:
        for comparison in cell["comparisons"]:
            expect("%.3f" % comparison["ratio"] in said, "the ratio of %s is in the page" % cell["name"])
        for entry in cell["entries"]:
            figure = "%.3f" % (entry["metrics"]["records_per_s"]["median"] / 1e6)
            expect(figure in said, "M records/s of %s in %s: %s" % (entry["entry"], cell["name"], figure))
    data = data_of(page_of(folder))
    expect([t["number"] for t in data["trials"]] == [t["number"] for t in results["trials"]], "all trials are in the data")
    with open(os.path.join(folder, "trials", "00001.json"), encoding="utf-8") as file:
        trial = json.load(file)
    raw = data["trials"][0]["raw"]
    expect(raw["observation"] == trial["observation"] and raw["gates"] == trial["gates"], "raw JSON is the file's")
    expect(said.count("unavailable: this matrix asks for no controls") == 2, "what was not measured is unavailable")
    expect("Latency against load" in said, "two rates make a curve")


def check_percentiles(folder: str, page: Page, results: dict) -> None:
    """The merged median of a closed cell, computed here from the files' buckets."""
    cell, entry = results["cells"][0]["name"], results["cells"][0]["entries"][0]["entry"]
    buckets = {}
    for trial in results["trials"]:
        if trial["cell"] == cell and trial["entry"] == entry and trial["outcome"] == "counted":
            with open(os.path.join(folder, "trials", trial["file"]), encoding="utf-8") as file:
                for low, count in json.load(file)["details"]["generator"]["series"]["round_trip"]["buckets"]:
                    buckets[low] = buckets.get(low, 0) + count
    total, passed = sum(buckets.values()), 0
    for low in sorted(buckets):
        passed += buckets[low]
        if 2 * passed >= total:
            break
    # A bucket is 1/1024 of its value wide at most; its top is printed.
    width = 1 if low < 2048 else 2 ** (low.bit_length() - 11)
    expect("%.3f" % ((low + width - 1) / 1e6) in page.texts["main"], "p50 of %d round trips: %d ns" % (total, low))


def check_again(folder: str) -> None:
    first = page_of(folder)
    report(folder)
    expect(page_of(folder) == first, "computed again: the same bytes")


def check_excluded(folder: str) -> None:
    change_results(folder, lambda results: exclude_first(results, "gate nothing_else_ran: planted"))
    report(folder)
    page = check_form(folder)
    expect("gate nothing_else_ran: planted" in page.texts["main"], "an excluded trial stands with its reason")
    expect(sum("excluded" in values.get("class", "") for tag, values in page.attributes if tag == "path") == 1,
           "and is grey in its picture")


def check_incomplete(folder: str) -> None:
    def cut(results: dict) -> None:
        results["complete"] = False
        results["cells"][1]["rows_counted"] = 3
    change_results(folder, cut)
    report(folder)
    page = check_form(folder)
    expect("Incomplete." in page.texts["main"] and "the run ended before its rows were done" in page.texts["main"],
           "what is missing, and why")


def check_lost_file(folder: str) -> None:
    os.unlink(os.path.join(folder, "trials", "00002.json"))
    report(folder)
    page = check_form(folder)
    expect("1 of 48 trials have no readable file" in page.texts["main"], "a lost file is said, and stops nothing")


def check_further_keys(folder: str) -> None:
    def add(results: dict) -> None:
        results["a_key_of_tomorrow"] = [1]
        results["cells"][0]["another"] = {"x": None}
        results["trials"][0]["third"] = True
    change_results(folder, add)
    report(folder)
    check_form(folder)


def check_hostile(folder: str) -> None:
    make_hostile(folder, "c-tuned")
    report(folder)
    # First of all: a parser may not come to an end in a page where it is otherwise.
    expect("<script>alert" not in page_of(folder), "no tag of its making anywhere")
    page = check_form(folder)
    expect(page.texts["h1"] == HOSTILE, "a hostile title is text")
    expect(page.texts["title"].startswith(HOSTILE), "and in <title>")
    expect(page.texts["th"].count(HOSTILE) >= 5, "a hostile contestant is text in its tables")
    expect(page.texts["main"].count(HOSTILE) >= 12, "hostile words of WELCOME, a wrong answer and a reason are text")
    labels = [values["aria-label"] for tag, values in page.attributes if tag == "svg" and "aria-label" in values]
    expect(any(HOSTILE in label for label in labels), "and in attributes")
    data = data_of(page_of(folder))
    expect(any(entry["name"] == HOSTILE for entry in data["entries"]), "the script gets it as it is")
    handlers = [key for _, values in page.attributes for key in values if key.startswith("on")]
    expect(not handlers, "no handler in an attribute: %s" % handlers)


def leaves(value, change):
    """The same value with `change` made to all that is no object and no list."""
    if isinstance(value, dict):
        return {key: leaves(one, change) for key, one in value.items()}
    if isinstance(value, list):
        return [leaves(one, change) for one in value]
    return change(value)


def text_of(folder: str, name: str) -> str:
    with open(os.path.join(folder, name), encoding="utf-8") as file:
        return file.read()


def change_leaves(folder: str, change) -> None:
    """Makes the change to all that stands in results.json, but for what says that it is one, and the files."""
    def make(results: dict) -> None:
        for key in results:
            results[key] = results[key] if key == "schema" else leaves(results[key], change)
    change_results(folder, make)
    report(folder)


def check_no_numbers(folder: str) -> None:
    """A figure that is not there is a dash, wherever it is missing."""
    change_leaves(folder, lambda one: None if isinstance(one, (int, float)) and not isinstance(one, bool) else one)
    for name in ("report.md", "report.html"):
        found = re.findall(r".{0,60}\b(?:nan|inf)\b.{0,30}", text_of(folder, name))
        expect(not found, "no figure that is none in %s: %s" % (name, found[:3]))
    check_form(folder)


def columns(line: str) -> int:
    return len(re.findall(r"(?<!\\)\|", line))


def check_no_markup(folder: str) -> None:
    """Whatever a text of the results is, report.md has no mark, link, row or head of its making."""
    wicked = "<b>x</b>|[y](z)\n# w\n```"
    change_leaves(folder, lambda one: wicked if isinstance(one, str) else one)
    text = text_of(folder, "report.md")
    prose = re.sub(r"(?<!\\)`[^`\n]*`", "", re.sub(r"^```\n.*?\n```\n", "", text, flags=re.M | re.S))
    for mark in ("<b>", "[y](", "\n# w", "`"):
        expect(not re.search(r"(?<!\\)" + re.escape(mark), prose), "%r is inert" % mark)
    blocks = [block.split("\n") for block in re.findall(r"(?:^\|.*\n)+", text, re.M)]
    ragged = [line for block in blocks for line in block if line and columns(line) != columns(block[0])]
    expect(blocks and not ragged, "every row has its table's columns: %s" % ragged[:2])
    check_form(folder)


def check_said_at_once(folder: str) -> None:
    """The head of both pages: generator-bound verdicts and entries that never counted; tables go by place."""
    def plant(results: dict) -> None:
        cell = results["cells"][0]
        cell.update(server_is_limit="failed", headroom=1.1, headroom_min=1.3)
        cell["places"] = {"of": {"c-tuned": 2, "c-yyjson": 1}}
        results["complete"] = False
        for trial in results["trials"]:
            if trial["cell"] == results["cells"][1]["name"] and trial["entry"] == "c-yyjson":
                trial.update(outcome="excluded", reason="planted: never")
    change_results(folder, plant)
    report(folder)
    text = text_of(folder, "report.md")
    head = text[:text.index("## What may be concluded")]
    expect("**, generator-bound\n" in head and "sockets and generator hide" in head, "report.md says it beside the verdict: %s" % head)
    page = check_form(folder)
    listed = page.texts["li"]
    expect("c-yyjson in %s, all 6 trials excluded; the last: planted: never" % "open/800" in listed, "and the page who never counted")
    cell = text[text.index("### simple/keep"):]
    expect(cell.index("| 1 | c-yyjson |") < cell.index("| 2 | c-tuned |"), "the first place comes first")
    expect("Shown without verdict: " in text and "Shown without verdict: " in page.texts["main"], "with the reason")


def check_foreign_file_name(folder: str) -> None:
    """A file's name that leads elsewhere is neither read nor linked."""
    def plant(results: dict) -> None:
        results["trials"][2]["file"] = "../manifest.json"
        results["trials"][3]["file"] = "javascript:alert(1)"
    change_results(folder, plant)
    report(folder)
    page = check_form(folder)
    expect(all("manifest" not in link and "javascript" not in link for link in page.links), "no link leads out of trials/")
    check_links_of_rest(folder, page)


def check_links_of_rest(folder: str, page: Page) -> None:
    lost = [link for link in page.links if link.startswith("trials/") and not os.path.exists(os.path.join(folder, link))]
    expect(not lost, "all others lead to files: %s" % lost)


def main() -> None:
    skip_unless_built()
    with Race() as race:
        done = race.run(three_cells(race))
        expect(done.returncode == 0, "the race ends well: %s" % done.stderr)
        results = race.results()
        page = check_form(race.out)
        check_links(race.out, page)
        check_tables(page)
        check_says(race.out, page, results)
        check_percentiles(race.out, page, results)
        check_again(race.out)
        for check in (check_excluded, check_incomplete, check_lost_file, check_further_keys, check_hostile,
                      check_no_numbers, check_no_markup, check_said_at_once, check_foreign_file_name):
            copy = race.path(check.__name__)
            shutil.copytree(race.out, copy)
            check(copy)


if __name__ == "__main__":
    main()
