"""HTML to Markdown, by markdownify on lxml's parser."""

from __future__ import annotations

import re
import warnings

from bs4 import BeautifulSoup, XMLParsedAsHTMLWarning
from bs4.dammit import EncodingDetector
from markdownify import MarkdownConverter

from chunkbench_engine.documents.convert.converted import Converted, Refused
from chunkbench_engine.documents.decode import Decoded, NotText, decode

_NOT_SHOWN = ("script", "style", "template", "noscript", "iframe", "svg", "head")
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
