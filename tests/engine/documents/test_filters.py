"""What is left out of a folder, by patterns, `.gitignore` and custom, is what a person expects."""

from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING

import pytest

from chunkbench_engine.documents.corpus import find_question_files, load_corpus
from chunkbench_engine.documents.filters import Filters
from chunkbench_engine.documents.summary import remarks, summarise
from chunkbench_engine.documents.walk import walk
from chunkbench_engine.errors import BadInput

if TYPE_CHECKING:
    from pathlib import Path


def write(root: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return root


def names(root: Path, *include: str, exclude: tuple[str, ...] = ()) -> list[str]:
    return [d.id for d in load_corpus(root, Filters(include, exclude)).documents]


FILES = dict.fromkeys(["a.md", "b.txt", "guide/c.md", "guide/old/d.md", "old/e.md"], "text")


def test_include_names_what_alone_is_read(tmp_path: Path) -> None:
    write(tmp_path, FILES)
    assert names(tmp_path, "*.txt") == ["b.txt"]
    assert names(tmp_path, "guide/") == ["guide/c.md", "guide/old/d.md"]
    assert names(tmp_path, "/a.md", "old/**") == ["a.md", "old/e.md"]


def test_exclude_goes_before_include(tmp_path: Path) -> None:
    write(tmp_path, FILES)
    assert names(tmp_path, exclude=("old/",)) == ["a.md", "b.txt", "guide/c.md"]
    assert names(tmp_path, "*.md", exclude=("guide",)) == ["a.md", "old/e.md"]


def test_include_is_about_documents_and_questions_are_found_all_the_same(tmp_path: Path) -> None:
    write(tmp_path, FILES | {"questions.jsonl": "", "old/questions.jsonl": ""})
    filters = Filters(("*.txt",), ("old/",))
    assert find_question_files(tmp_path, filters) == [tmp_path / "questions.jsonl"]


def test_a_pattern_that_is_none_is_refused(tmp_path: Path) -> None:
    write(tmp_path, FILES)
    with pytest.raises(BadInput, match=r"^--exclude ! is no pattern: "):
        names(tmp_path, exclude=("!",))


def test_filters_that_leave_nothing_say_so(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"5 files: is left out by --include|a\.md is left out by"):
        names(write(tmp_path, FILES), "*.pdf")


def test_gitignore_leaves_out_what_git_does(tmp_path: Path) -> None:
    """Git itself says what should be read."""
    repository = write(
        tmp_path / "repository",
        {
            ".gitignore": "*.log.md\n/build/\ndrafts\n!keep.log.md\n# comment\n\\!odd.md\n",
            "docs/.gitignore": "secret*.md\n!secret-not.md\nbuild/\n!\n",
            "docs/deep/.gitignore": "!secret.md\n/x.md\n",
        }
        | dict.fromkeys(
            [
                *("a.md", "a.log.md", "keep.log.md", "!odd.md", "build/b.md", "drafts/c.md"),
                *("docs/a.md", "docs/secret.md", "docs/secret-not.md", "docs/build/b.md"),
                *("docs/drafts", "docs/deep/secret.md", "docs/deep/x.md", "docs/deep/y/x.md"),
                *("docs/deep/z.log.md", "docs/deep/drafts/z.md"),
            ],
            "text",
        ),
    )
    git = ["git", "-C", str(repository)]
    subprocess.run([*git, "init", "-q"], check=True)
    out = subprocess.run(
        [*git, "ls-files", "-co", "--exclude-standard", "-z"], capture_output=True, check=True
    ).stdout.decode()
    expected = sorted(name for name in out.split("\0") if name and not name.endswith(".gitignore"))
    assert sorted(walk(repository)[0]) == expected
    below = [name.removeprefix("docs/") for name in expected if name.startswith("docs/")]
    assert sorted(walk(repository / "docs")[0]) == below


def test_a_folder_asked_for_by_name_is_read_though_its_repository_ignores_it(
    tmp_path: Path,
) -> None:
    write(tmp_path, {".gitignore": "/data/\n*.log.md\n", "data/a.md": "a", "data/b.log.md": "b"})
    (tmp_path / ".git").mkdir()
    assert names(tmp_path / "data") == ["a.md", "b.log.md"]


def test_what_is_left_out_is_said_in_total_and_needs_no_warning(tmp_path: Path) -> None:
    write(
        tmp_path,
        FILES
        | {
            ".gitignore": "old/",
            "node_modules/x/readme.md": "x",
            "env/pyvenv.cfg": "",
            "env/y.md": "y",
            "questions.jsonl": "",
        },
    )
    corpus = load_corpus(tmp_path, Filters(exclude=("b.txt",)))
    assert [document.id for document in corpus.documents] == ["a.md", "guide/c.md"]
    assert remarks(corpus) == []
    assert summarise(corpus) == (
        "2 documents: 2 Markdown; beside them 2 folders of installed or generated files, "
        "2 in .gitignore, 1 hidden, 1 left out by --exclude, 1 with questions"
    )


def test_gold_is_never_a_document(tmp_path: Path) -> None:
    row = '{"question": "Who?", "evidence": [{"document": "a.md", "text": "I"}]}'
    write(
        tmp_path,
        {
            "a.md": "I",
            "gold.jsonl": row,
            "set.json": f"[{row}]",
            "set.csv": "id,question\n1,Who?\n",
            "named.txt": "what is named with -q",
            "table.csv": "name,age\nAnn,3\n",
            "settings.json": '{"query": "x"}',
        },
    )
    corpus = load_corpus(tmp_path, apart=[tmp_path / "named.txt"])
    assert [document.id for document in corpus.documents] == ["a.md", "settings.json", "table.csv"]


def test_patterns_that_cannot_be_read_are_not_passed_over(tmp_path: Path) -> None:
    folder = write(tmp_path, {"a.md": "kept", "drafts/b.md": "left out"})
    (folder / ".gitignore").write_bytes(b"drafts/\x00\x01\x02\xff\xfe\x00")
    with pytest.raises(BadInput, match=r"\.gitignore cannot be read .*make it readable"):
        load_corpus(folder)
