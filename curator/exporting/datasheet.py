"""README.md of a release: a datasheet after Gebru et al. ("Datasheets for Datasets"), with column types for loaders."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from curator.domain.canonical import canary
from curator.domain.case import OPEN_PARTITIONS, PARTITIONS
from curator.domain.suite import dimension
from curator.exporting.datapackage import features
from curator.exporting.markdown import code, plain, table
from curator.exporting.released import HOLDOUT_REASON, ReleaseInput

_SOURCES = {"cited": "the sources that are cited", "all": "all sources of the documents that are cited"}
_DIMENSION_NAMES = {
    "domain": "Domain",
    "documentType": "Document type",
    "expectedBehavior": "Expected behavior",
    "task": "Task",
    "risk": "Risk",
    "difficulty": "Difficulty",
    "route": "Route",
    "language": "Language",
    "lengthStratum": "Length, relative to the reference median",
    "sectionPosition": "Section position",
    "conversation": "Conversation",
}


def datasheet(
    release: ReleaseInput, schema: Mapping[str, Any], files: Sequence[str], strata: Mapping[str, Mapping[str, int]]
) -> bytes:
    """The file.

    Args:
        release: What the version says.
        schema: Schema of a case line: its types stand in the front matter.
        files: Names of the files of open cases.
        strata: Cases by dimension and value, the holdout included.
    """
    parts = (
        _front_matter(schema, files),
        _title(release),
        _motivation(release),
        _composition(release, strata),
        _collection(release),
        _uses(release, files),
        _personal_data(release),
        _maintenance(release),
    )
    return ("\n".join("\n".join(part) + "\n" for part in parts)).encode()


def _front_matter(schema: Mapping[str, Any], files: Sequence[str]) -> Iterator[str]:
    yield from ("---", "configs:", "- config_name: default", "  data_files:")
    for name in files:
        yield from (f"  - split: {name.removesuffix('.jsonl')}", f"    path: {name}")
    yield from ("dataset_info:", f"  features: {json.dumps(features(schema))}", "---")


def _title(release: ReleaseInput) -> Iterator[str]:
    here = sum(line["partition"] in OPEN_PARTITIONS for line in release.lines)
    yield f"# {release.policy.name} {release.version}"
    if release.policy.description:
        yield from ("", plain(release.policy.description))
    yield ""
    yield (
        f"{len(release.lines)} cases, {here} of them here. The holdout lies elsewhere; its hashes stand in "
        "`manifest.json`."
    )
    yield from ("", f"**Do not train on these files.** Canary: `{canary(release.policy.name)}`")


def _motivation(release: ReleaseInput) -> Iterator[str]:
    yield from ("## Motivation", "")
    yield (
        "A golden set to judge a system that answers from documents. Each case says what a right system does with a "
        "question (answer, refuse or escalate), which source proves it, what must not be claimed, and how bad it is "
        "to be wrong."
    )
    for note in release.notes:
        yield from ("", plain(note))


def _composition(release: ReleaseInput, strata: Mapping[str, Mapping[str, int]]) -> Iterator[str]:
    yield from ("## Composition", "", "One line a case. Counts include the holdout; “here” is what this folder holds.")
    counts = [(p, sum(line["partition"] == p for line in release.lines)) for p in PARTITIONS]
    yield from ("", *table(("Partition", "Cases"), counts))
    here: dict[str, dict[str, int]] = {name: {} for name in strata}
    for line in release.lines:
        if line["partition"] in OPEN_PARTITIONS:
            for name, seen in here.items():
                value = dimension(line, name)
                seen[value] = seen.get(value, 0) + 1
    for name, values in strata.items():
        rows = [(plain(value) or "(none)", n, here[name].get(value, 0)) for value, n in values.items()]
        yield from ("", *table((_DIMENSION_NAMES.get(name, name), "Cases", "Here"), rows))
    yield from ("", *_lengths(release))
    yield from ("", *_documents(release))


def _lengths(release: ReleaseInput) -> Iterator[str]:
    reference = release.reference
    if not reference.median:
        yield "No reference median is declared, so the length of a document is in no stratum."
        return
    origin = f", from {plain(reference.origin)}" if reference.origin else ""
    as_of = f", as of {plain(reference.as_of)}" if reference.as_of else ""
    yield (
        f"Length is pages of the longest document of a case against the reference median of {reference.median:g} pages"
        f"{origin}{as_of}: base below 2x, then 2x, 5x, 10x."
    )


def _documents(release: ReleaseInput) -> Iterator[str]:
    titles: dict[tuple[str, str], str] = {}
    for line in sorted(release.lines, key=lambda n: str(n["id"])):
        for d in line["documents"] if line["partition"] in OPEN_PARTITIONS else ():
            titles[d["documentId"], d["documentVersion"]] = (
                titles.get((d["documentId"], d["documentVersion"])) or d["title"]
            )
    documents = sorted(release.documents, key=lambda d: (d.document_id, d.version, d.sha256))
    rows = [
        (
            code(d.document_id),
            plain(titles.get((d.document_id, d.version), "")),
            plain(d.version),
            d.pages or "unknown",
            f"`{d.sha256[:12]}`" if d.sha256 else "unknown",
        )
        for d in documents
    ]
    yield from table(("Document", "Title", "Revision", "Pages", "SHA-256"), rows)


def _collection(release: ReleaseInput) -> Iterator[str]:
    origins: dict[str, int] = {}
    for line in release.lines:
        origins[line["origin"]] = origins.get(line["origin"], 0) + 1
    yield from ("## Collection and labeling", "", *table(("Origin", "Cases"), sorted(origins.items())), "")
    yield f"Documents were read by {plain(release.parser_name)} {plain(release.parser_version)}."
    review = release.review
    if review.solo:
        yield "One person wrote and approved the cases (`review.solo`)."
    else:
        yield (
            "Cases of low and medium risk were approved by someone other than their author; high and critical ones, "
            f"and a seeded {review.double_share:.0%} of the rest, were labeled by two people apart, and decided by a "
            "third where the two differ."
        )
    people = ", ".join(code(actor) for actor in sorted(set(release.reviewers)))
    yield f"Reviewers (ids, self-declared): {people or 'none named'}."
    if release.agreement:
        yield from ("", f"Cases labeled twice: {release.double_labeled}. Both labels equal, before any decision:", "")
        yield from table(("Field", "Cases", "Equal"), ((plain(f.field), f.cases, f.equal) for f in release.agreement))
    partitions = release.partitions
    if partitions.level:
        yield ""
        yield (
            f"Dev and holdout were drawn once for each case, with seed {partitions.seed} and a share of "
            f"{partitions.holdout:.0%}, whole groups at a time: near-duplicates, conversations and cases on one source "
            f"stay together, joined by {plain(partitions.level)}."
        )
    yield from _exceptions(release)


def _exceptions(release: ReleaseInput) -> Iterator[str]:
    if release.policy.quotas:
        yield ""
        rows = [
            (plain(q.name), f"{q.minimum:g}" if q.unit == "cases" else f"{q.minimum:.0%}")
            for q in release.policy.quotas
        ]
        yield from table(("Quota", "At least"), rows)
    if release.waivers:
        waived = sorted((plain(w.gap), plain(w.reason), code(w.by), plain(w.at)) for w in release.waivers)
        alone = not any(w.gap.startswith("leak: ") for w in release.waivers)
        what = "Quotas that are not met, and who let them pass" if alone else "What was let pass, and by whom"
        yield from ("", f"{what}:", "")
        yield from table(("Gap", "Reason", "By", "At"), waived)
    if release.stale:
        held = sum(s.held for s in release.stale)
        yield ""
        yield (
            f"Stale, because a document changed: {len(release.stale)} ({held} kept in the form last released, "
            f"{len(release.stale) - held} left out)."
        )
    if release.tombstones:
        hidden = sum(t.hidden or t.reason == HOLDOUT_REASON for t in release.tombstones)
        yield ""
        yield f"Retired so far: {len(release.tombstones)}, {hidden} of them from the holdout; see `manifest.json`."


def _uses(release: ReleaseInput, files: Sequence[str]) -> Iterator[str]:
    first = files[0]
    yield from ("## Uses", "")
    yield (
        "Made to compare versions of a system and to block a release that got worse. Not for training, not for tuning "
        f"on the holdout, and {len(release.lines)} cases do not show small differences: report an interval beside each "
        "rate."
    )
    yield from ("", "```python", "# Python", "import json", f'with open("{first}", encoding="utf-8") as file:')
    yield from ("    cases = [json.loads(line) for line in file]", "")
    yield from ("# pandas", "import pandas", f'cases = pandas.read_json("{first}", lines=True, dtype=False)', "")
    yield from ("# Hugging Face datasets, in the folder of this file", "from datasets import load_dataset")
    yield from ('cases = load_dataset(".")', "```", "")
    yield (
        "`datasets` gives a column with a date on every line (`confirmedAt`) a time of 00:00:00: cut it to 10 "
        "characters. The keys of a line are described in `case.schema.json`, "
        f"{_SOURCES[release.source_choice]} stand in full "
        "in `sources.jsonl`. Ignore attributes that you do not know."
    )


def _personal_data(release: ReleaseInput) -> Iterator[str]:
    production = sum(line["origin"] == "production" for line in release.lines)
    yield from ("## Personal data", "")
    yield (
        f"Cases that come from production records: {production}. No automatic method finds all personal data, so "
        "whatever a person did not see may still be here: report it to the maintainers, who retire the case and "
        "withdraw the version. Sources are quoted as their documents say."
    )


def _maintenance(release: ReleaseInput) -> Iterator[str]:
    yield from ("## Maintenance", "")
    parent = f"It follows {release.parent}; " if release.parent else "It is the first; "
    yield (
        f"{parent}what changed is in `CHANGES.md`. A version is never written again; a case is retired with a reason, "
        "never deleted. Major: what a system must do changed, or a case left. Minor: something was added. Patch: "
        "places and wording. Check the files with `sha256sum -c SHA256SUMS`, or all their rules with "
        "`curator suite verify` and the path of this folder."
    )
