"""The sample corpus is complete, attributed, and its evidence can be found."""

import hashlib
import json
import tomllib
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parent.parent
CORPUS = ROOT / "sample_corpus"
DOMAINS = ("biology", "constitution", "health", "legal", "manuals", "physics")
CATEGORIES = {
    "direct",
    "semantic",
    "multi-part",
    "cross-section",
    "structured",
    "identifier",
    "unanswerable",
}
MAX_BYTES = 400_000

Row = dict[str, Any]


def collapse(text: str) -> str:
    """White-space runs as one space: evidence given as text is matched so."""
    return " ".join(text.split())


def documents() -> dict[str, Path]:
    return {
        path.relative_to(CORPUS).as_posix(): path
        for path in sorted(CORPUS.rglob("*"))
        if path.suffix in {".md", ".txt"}
    }


def questions(domain: str) -> list[Row]:
    text = (CORPUS / domain / "questions.jsonl").read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()]


def passages(row: Row) -> list[dict[str, str]]:
    """Every passage of every slot, alternatives included."""
    return [
        passage
        for slot in row["evidence"]
        for passage in (slot if isinstance(slot, list) else [slot])
    ]


def provenance() -> list[dict[str, str]]:
    with (ROOT / "licences" / "sample_corpus" / "PROVENANCE.toml").open("rb") as file:
        entries: list[dict[str, str]] = tomllib.load(file)["file"]
    return entries


def test_every_file_has_a_provenance_with_a_matching_hash() -> None:
    entries = {entry["path"]: entry for entry in provenance()}
    assert len(entries) == len(provenance())
    shipped = set(documents()) | {f"{domain}/questions.jsonl" for domain in DOMAINS}
    assert set(entries) == shipped
    # Whatever lies there is read: notices among the documents would be one.
    there = {path.relative_to(CORPUS).as_posix() for path in CORPUS.rglob("*") if path.is_file()}
    assert there == shipped
    for path, entry in entries.items():
        digest = hashlib.sha256((CORPUS / path).read_bytes()).hexdigest()
        assert digest == entry["sha256"], path
        for key in ("title", "source", "licence", "attribution", "changes"):
            assert entry[key].strip(), f"{path}: no {key}"


def test_the_domains_are_those_listed_here() -> None:
    assert tuple(sorted(path.name for path in CORPUS.iterdir() if path.is_dir())) == DOMAINS


def test_documents_are_small_clean_utf8() -> None:
    files = documents()
    assert sum(path.stat().st_size for path in files.values()) < MAX_BYTES
    for name, path in files.items():
        data = path.read_bytes()
        assert not data.startswith(b"\xef\xbb\xbf"), name
        assert b"\r" not in data, name
        assert "project gutenberg" not in data.decode("utf-8").lower(), name


def test_ids_are_unique_over_all_domains() -> None:
    counts = Counter(row["id"] for domain in DOMAINS for row in questions(domain))
    assert [name for name, count in counts.items() if count > 1] == []


@pytest.mark.parametrize("domain", DOMAINS)
def test_every_evidence_occurs_once_in_its_document_and_in_no_other(domain: str) -> None:
    texts = {name: collapse(path.read_text("utf-8")) for name, path in documents().items()}
    wrong: dict[str, list[str]] = defaultdict(list)
    for row in questions(domain):
        for passage in passages(row):
            wanted = collapse(passage["text"])
            found = {name: text.count(wanted) for name, text in texts.items() if wanted in text}
            if not wanted or found != {passage["document"]: 1}:
                wrong[row["id"]].append(f"{wanted[:60]!r} found in {found}")
    assert not wrong


@pytest.mark.parametrize("domain", DOMAINS)
def test_rows_are_well_formed(domain: str) -> None:
    for row in questions(domain):
        assert row["question"].strip().endswith(("?", ".")), row["id"]
        assert row["category"] in CATEGORIES, row["id"]
        answerable = row["category"] != "unanswerable"
        assert bool(row["evidence"]) is answerable, row["id"]
        assert bool(row.get("answer")) is answerable, row["id"]
        if row["category"] in {"multi-part", "cross-section"}:
            assert len(row["evidence"]) > 1, row["id"]
        for passage in passages(row):
            assert passage["document"].startswith(f"{domain}/"), row["id"]


@pytest.mark.parametrize("domain", DOMAINS)
def test_each_domain_has_enough_questions_of_enough_kinds(domain: str) -> None:
    rows = questions(domain)
    if domain == "constitution":
        assert len(rows) == 32
        return
    assert len(rows) >= 15
    categories = {row["category"] for row in rows}
    assert len(categories) >= 5
    assert "unanswerable" in categories
