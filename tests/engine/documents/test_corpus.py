"""A corpus is what can be read of a folder, and an account of the rest."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from chunkbench_engine.documents.corpus import find_question_files, load_corpus
from chunkbench_engine.errors import BadInput


def write(root: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode())
    return root


def ids(path: Path) -> list[str]:
    return [document.id for document in load_corpus(path).documents]


def reasons(path: Path) -> dict[str, str]:
    return {skipped.path: skipped.reason for skipped in load_corpus(path).skipped}


def test_documents_are_read_recursively_and_named_by_their_sorted_relative_path(
    tmp_path: Path,
) -> None:
    write(tmp_path, {"b.txt": "b", "a/z.md": "z", "a.markdown": "a", "a/deep/er/x.TEXT": "x"})
    assert ids(tmp_path) == ["a.markdown", "a/deep/er/x.TEXT", "a/z.md", "b.txt"]


def test_a_single_file_is_a_corpus_of_its_own_name(tmp_path: Path) -> None:
    write(tmp_path, {"notes.md": "text", "other.md": "text"})
    corpus = load_corpus(tmp_path / "notes.md")
    assert [document.id for document in corpus.documents] == ["notes.md"]
    assert (corpus.name, corpus.root) == ("notes.md", tmp_path.resolve())


def test_offsets_count_the_file_as_it_is_with_its_line_ends(tmp_path: Path) -> None:
    write(tmp_path, {"a.md": "\ufeffone\r\ntwo\r\n"})
    (document,) = load_corpus(tmp_path).documents
    assert document.text == "one\r\ntwo\r\n"
    assert document.note == "byte order mark dropped"


def test_everything_else_is_listed_with_a_reason(tmp_path: Path) -> None:
    write(
        tmp_path,
        {
            "a.md": "text",
            "questions.jsonl": "",
            "questions_df.csv": "",
            "old.doc": "\xd0\xcf",
            "LICENSE": "terms",
            "blank.md": " \n ",
            "picture.txt": "\x00\x01\x02",
            ".git/config": "x",
        },
    )
    os.mkfifo(tmp_path / "pipe.md")
    found = reasons(tmp_path)
    assert found == {
        "questions.jsonl": "is a question file",
        "questions_df.csv": "is a question file",
        "old.doc": "is of another format (.doc)",
        "LICENSE": "has no suffix to tell its format",
        "blank.md": "is empty",
        "picture.txt": "is no text: 3 of its 3 bytes are control codes",
        ".git": "is hidden",
        "pipe.md": "is no regular file",
    }
    assert ids(tmp_path) == ["a.md"]


def test_a_file_that_cannot_be_opened_is_listed_with_the_systems_reason(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path, {"a.md": "text", "secret.md": "text"})
    read_bytes = Path.read_bytes

    def refuse(self: Path) -> bytes:
        if self.name == "secret.md":
            raise PermissionError(13, "Permission denied")
        return read_bytes(self)

    monkeypatch.setattr(Path, "read_bytes", refuse)
    assert reasons(tmp_path) == {"secret.md": "cannot be opened: Permission denied"}


def test_links_are_followed_once_and_loops_end(tmp_path: Path) -> None:
    corpus, elsewhere = tmp_path / "corpus", tmp_path / "elsewhere"
    write(corpus, {"a/x.md": "x"})
    write(elsewhere, {"y.md": "y"})
    (corpus / "a" / "up").symlink_to(corpus)
    (corpus / "again.md").symlink_to(corpus / "a" / "x.md")
    (corpus / "linked").symlink_to(elsewhere)
    (corpus / "twice").symlink_to(elsewhere)
    (corpus / "lost.md").symlink_to(corpus / "nowhere.md")
    (elsewhere / "back").symlink_to(corpus)
    assert ids(corpus) == ["a/x.md", "linked/y.md"]
    assert reasons(corpus) == {
        "a/up": "is a link to ., which is read under that name",
        "again.md": "is a link to a/x.md, which is read under that name",
        "linked/back": "is a link to ., which is read under that name",
        "lost.md": "is a link to something that does not exist",
        "twice": "is a link to linked, which is read under that name",
    }


def test_a_name_that_is_no_unicode_is_reported(tmp_path: Path) -> None:
    write(tmp_path, {"a.md": "text"})
    with open(os.path.join(os.fsencode(tmp_path), b"caf\xe9.md"), "wb") as file:
        file.write(b"text")
    assert reasons(tmp_path) == {
        "caf\ufffd.md": "has a name that is not valid UTF-8; rename it",
    }


def test_what_is_not_there_is_said_in_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"nowhere does not exist; give a folder or file"):
        load_corpus(tmp_path / "nowhere")
    with pytest.raises(BadInput, match=r"is empty; give a folder with documents \(Markdown, "):
        load_corpus(tmp_path)


def test_a_folder_without_readable_files_says_what_it_has_instead(tmp_path: Path) -> None:
    write(tmp_path, {"a.doc": "x", "d.md": ""})
    with pytest.raises(BadInput) as caught:
        load_corpus(tmp_path)
    assert str(caught.value).endswith(
        "notebooks, source code): a.doc is of another format (.doc); d.md is empty."
    )
    write(tmp_path, {f"{number}.xls": "x" for number in range(6)})
    with pytest.raises(BadInput, match=r": 6 files: is of another format \(\.xls"):
        load_corpus(tmp_path)


def test_a_file_that_cannot_be_read_says_why(tmp_path: Path) -> None:
    write(tmp_path, {"a.doc": "x", "b.md": "", "questions.json": "[]"})
    with pytest.raises(BadInput, match=r"a\.doc cannot be read as a document: it is of another"):
        load_corpus(tmp_path / "a.doc")
    with pytest.raises(BadInput, match=r"b\.md cannot be read as a document: it is empty"):
        load_corpus(tmp_path / "b.md")
    with pytest.raises(BadInput, match=r"questions\.json holds questions, but no documents"):
        load_corpus(tmp_path / "questions.json")


def test_the_hash_depends_on_names_and_texts_and_on_nothing_else(tmp_path: Path) -> None:
    first = load_corpus(write(tmp_path / "1", {"a.md": "x", "b.md": "y"})).sha256
    assert load_corpus(write(tmp_path / "2", {"b.md": "y", "a.md": "x"})).sha256 == first
    assert load_corpus(write(tmp_path / "3", {"a.md": "\ufeffx", "b.md": "y"})).sha256 == first
    assert load_corpus(write(tmp_path / "4", {"a.md": "x", "c.md": "y"})).sha256 != first
    assert load_corpus(write(tmp_path / "5", {"a.md": "x", "b.md": "z"})).sha256 != first


def test_question_files_are_found_by_their_exact_name_at_any_depth(tmp_path: Path) -> None:
    write(
        tmp_path,
        {
            "questions.jsonl": "",
            "b/questions.csv": "",
            "b/questions_old.csv": "",
            ".hidden/questions.json": "",
            "a.md": "x",
        },
    )
    assert find_question_files(tmp_path) == [
        tmp_path / "b/questions.csv",
        tmp_path / "questions.jsonl",
    ]
    assert find_question_files(tmp_path / "a.md") == []
