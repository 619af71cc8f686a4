"""HTML to Markdown, by markdownify on lxml's parser."""

from __future__ import annotations

import re
import warnings

from bs4 import BeautifulSoup, XMLParsedAsHTMLWarning
from bs4.dammit import EncodingDetector
from bs4.element import NavigableString
from markdownify import MarkdownConverter

from chunkbench_engine.documents.convert.converted import Converted, Refused
from chunkbench_engine.documents.decode import Decoded, NotText, decode

_NOT_SHOWN = ("script", "style", "template", "noscript", "iframe", "svg", "head")
_BAR = re.compile(r"\|")
_CELLS = ("td", "th")
_TABLE_PARTS = (*_CELLS, "tr", "tbody", "thead", "tfoot", "caption")
_NEVER_IN_CELLS = ("table", "h1", "h2", "h3", "h4", "h5", "h6")
_BLANK_LINES = re.compile(r"\n(?:[ \t]*\n){2,}")


def convert(data: bytes) -> Converted:
    """Headings as `#`, tables as Markdown's; without what a browser does not show either.

    The title stands as a heading where the page has no `h1`.
    """
    try:
        decoded = _decode(data)
    except NotText as error:
        raise Refused(str(error)) from error
    warnings.simplefilter("ignore", XMLParsedAsHTMLWarning)
    soup = BeautifulSoup(decoded.text, "lxml")
    title = soup.title.get_text(" ", strip=True) if soup.title else ""
    for element in soup(_NOT_SHOWN):
        element.decompose()
    for image in soup("img"):
        if str(image.get("src", "")).startswith("data:"):
            image.replace_with(str(image.get("alt", "")))
    _free_layout(soup)
    for string in soup.find_all(string=_BAR):
        if string.find_parent(_CELLS):
            string.replace_with(NavigableString(string.replace("|", "\\|")))
    # Its escapes would part an identifier's words: `a\_name` is nowhere in the page.
    converter = MarkdownConverter(
        heading_style="ATX", bullets="-", escape_asterisks=False, escape_underscores=False
    )
    text = _BLANK_LINES.sub("\n\n", converter.convert_soup(soup)).strip()
    if title and text and not soup.find("h1"):
        text = f"# {title}\n\n{text}"
    if not text:
        raise Refused("holds no text but what scripts would make")
    return Converted(text + "\n", decoded.note)


def _free_layout(soup: BeautifulSoup) -> None:
    """Make blocks of tables that only place things: those with headings or tables in them."""
    for table in soup("table"):
        if table.find(_NEVER_IN_CELLS):
            own = [tag for tag in table(_TABLE_PARTS) if tag.find_parent("table") is table]
            for tag in (table, *own):
                tag.name = "div"


def _decode(data: bytes) -> Decoded:
    """As `decode`, but an encoding that the page declares and keeps to goes before guesses."""
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        declared = EncodingDetector.find_declared_encoding(data, is_html=True)
        if declared:
            try:
                return Decoded(data.decode(declared), declared, note=f"encoded in {declared}")
            except (LookupError, UnicodeDecodeError):
                pass  # it lies; decode() says what it takes the page for
    return decode(data)
