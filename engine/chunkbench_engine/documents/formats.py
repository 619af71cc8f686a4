"""Which files are read, and by what: one row a format."""

from __future__ import annotations

from importlib import import_module, metadata
from importlib.util import find_spec
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable

    from chunkbench_engine.documents.convert.converted import Converted

EXTRA = "pip install 'chunkbench-tui[documents]'"
_CONVERT = "chunkbench_engine.documents.convert"


class Format(NamedTuple):
    """A kind of file.

    Attributes:
        name: as it is said to a person.
        suffixes: in lower case.
        converter: module of `convert` that makes text of it; "" for text, which is kept as it is.
        imports: what that module needs of the extra `documents`.
        package: the distribution that does the work, named in notes with its version.
    """

    name: str
    suffixes: tuple[str, ...]
    converter: str = ""
    imports: tuple[str, ...] = ()
    package: str = ""

    @property
    def missing(self) -> bool:
        """Whether the extra that it needs is not installed."""
        return any(find_spec(name) is None for name in self.imports)

    @property
    def reader(self) -> str:
        """Package and version, "" where it is our own doing."""
        return f"{self.package} {metadata.version(self.package)}" if self.package else ""

    def convert(self) -> Callable[[bytes], Converted]:
        """The converter, imported. Raises `Refused` when it is called."""
        found: Callable[[bytes], Converted] = import_module(f"{_CONVERT}.{self.converter}").convert
        return found


FORMATS = (
    Format("Markdown", (".md", ".markdown", ".mdown", ".mkd", ".mdx", ".qmd")),
    Format("text", (".txt", ".text", ".log")),
    Format("reStructuredText", (".rst", ".rest")),
    Format("AsciiDoc", (".adoc", ".asciidoc")),
    Format("Org", (".org",)),
    Format("LaTeX", (".tex",)),
    Format("HTML", (".html", ".htm", ".xhtml"), "html", ("markdownify", "lxml"), "markdownify"),
    Format("PDF", (".pdf",), "pdf", ("pypdf",), "pypdf"),
    Format("Word", (".docx",), "word", ("docx",), "python-docx"),
    Format("PowerPoint", (".pptx",), "slides", ("pptx",), "python-pptx"),
    Format("notebook", (".ipynb",), "notebook"),
    Format("table", (".csv", ".tsv")),
    Format("subtitles", (".srt", ".vtt")),
    Format(
        "data",
        (".json", ".jsonl", ".ndjson", ".yaml", ".yml", ".toml", ".ini", ".cfg", ".xml"),
    ),
    Format(
        "source code",
        (
            *(".py", ".pyi", ".js", ".mjs", ".cjs", ".jsx", ".ts", ".tsx", ".vue", ".svelte"),
            *(".java", ".kt", ".kts", ".scala", ".groovy", ".clj", ".go", ".rs", ".swift"),
            *(".c", ".h", ".cc", ".cpp", ".cxx", ".hpp", ".hh", ".cs", ".fs", ".m", ".mm"),
            *(".rb", ".php", ".pl", ".pm", ".lua", ".r", ".jl", ".hs", ".ml", ".ex", ".exs"),
            *(".erl", ".dart", ".sql", ".sh", ".bash", ".zsh", ".fish", ".ps1", ".css", ".scss"),
            *(".tf", ".proto", ".graphql", ".cmake", ".gradle", ".zig", ".nim"),
        ),
    ),
)  # fmt: skip
"""All formats, in the order in which they are named."""

BY_SUFFIX = {suffix: form for form in FORMATS for suffix in form.suffixes}
"""Formats by lower-case suffix."""

READ = "Markdown, text, reStructuredText, HTML, PDF, Word, PowerPoint, notebooks, source code"
"""What is read, for a message."""
