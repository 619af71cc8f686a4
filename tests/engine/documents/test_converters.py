"""Each converter keeps what a reader sees: headings, lists, tables, code; and no more."""

from __future__ import annotations

import io
import json
from typing import Any

import docx
import pptx
import pytest
from docx.opc.constants import CONTENT_TYPE as CT
from docx.opc.constants import RELATIONSHIP_TYPE as RT
from docx.opc.packuri import PackURI
from docx.opc.part import Part
from docx.oxml import parse_xml
from docx.oxml.ns import nsdecls
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image
from pptx.chart.data import CategoryChartData
from pptx.enum.chart import XL_CHART_TYPE

from chunkbench_engine.documents.convert import html, notebook, slides, word
from chunkbench_engine.documents.convert.converted import Refused
from chunkbench_engine.documents.convert.pages import drop_running_lines, join_pages
from chunkbench_engine.documents.convert.tables import markdown_table


def saved(document: Any) -> bytes:  # noqa: ANN401 - of python-docx or python-pptx
    out = io.BytesIO()
    document.save(out)
    return out.getvalue()


def picture() -> io.BytesIO:
    out = io.BytesIO()
    Image.new("L", (6, 8), 255).save(out, "PNG")
    return out


def test_word_headings_tables_and_links() -> None:
    document = docx.Document()
    document.add_heading("Report", 0)
    document.add_heading("Costs", 2)
    table = document.add_table(rows=3, cols=2)
    for row, cells in enumerate([("Item", "Price"), ("a|b", "3\n4"), ("both", "both")]):
        for column, text in enumerate(cells):
            table.cell(row, column).text = text
    table.cell(2, 0).merge(table.cell(2, 1)).text = "both"
    document.add_paragraph("After.")
    document.add_picture(picture())
    text, detail = word.convert(saved(document))
    assert text == (
        "# Report\n\n## Costs\n\n"
        "| Item | Price |\n| --- | --- |\n| a\\|b | 3 4 |\n| both |  |\n\nAfter.\n"
    )
    assert detail == "1 table, 1 picture not read"


def test_word_lists_have_the_numbers_that_word_shows() -> None:
    document = docx.Document()
    for style in ("List Number", "List Number", "List Bullet"):
        document.add_paragraph(style, style)
    document.add_paragraph("Plain.")
    document.add_paragraph("on", "List Number")
    assert word.convert(saved(document)).text == (
        "1. List Number\n2. List Number\n- List Bullet\n\nPlain.\n\n3. on\n"
    )


def test_word_shows_insertions_and_content_controls_and_no_deletions() -> None:
    document = docx.Document()
    for inner in (
        "<w:r><w:t>kept </w:t></w:r><w:ins><w:r><w:t>new</w:t></w:r></w:ins>"
        "<w:del><w:r><w:delText>old</w:delText></w:r></w:del>",
        "<w:r><w:t>a</w:t><w:tab/><w:t>b</w:t><w:noBreakHyphen/><w:br/><w:t>c</w:t></w:r>",
    ):
        document.element.body.append(parse_xml(f"<w:p {nsdecls('w')}>{inner}</w:p>"))
    control = "<w:sdtContent><w:p><w:r><w:t>in a control</w:t></w:r></w:p></w:sdtContent>"
    document.element.body.append(parse_xml(f"<w:sdt {nsdecls('w')}>{control}</w:sdt>"))
    assert word.convert(saved(document)).text == "kept new\n\na\tb-\nc\n\nin a control\n"


def test_word_notes_are_at_the_end_and_referred_to() -> None:
    document = docx.Document()
    reference = '<w:r><w:t>Said</w:t></w:r><w:r><w:footnoteReference w:id="2"/></w:r>'
    document.element.body.append(parse_xml(f"<w:p {nsdecls('w')}>{reference}</w:p>"))
    separator = '<w:footnote w:type="separator" w:id="0"><w:p/></w:footnote>'
    note = '<w:footnote w:id="2"><w:p><w:r><w:t>By whom.</w:t></w:r></w:p></w:footnote>'
    blob = f"<w:footnotes {nsdecls('w')}>{separator}{note}</w:footnotes>".encode()
    name, kind = PackURI("/word/footnotes.xml"), f"{CT.WML_DOCUMENT_MAIN}-notes"
    part = Part(name, kind, blob, document.part.package)
    document.part.relate_to(part, RT.FOOTNOTES)
    text, detail = word.convert(saved(document))
    assert text == "Said[^2]\n\n[^2]: By whom.\n"
    assert detail == "1 note at the end"


def test_slides_have_their_title_as_a_heading_then_text_tables_and_notes() -> None:
    deck = pptx.Presentation()
    slide = deck.slides.add_slide(deck.slide_layouts[1])
    slide.shapes.title.text = "Plan"
    body = slide.placeholders[1].text_frame
    body.text = "First"
    line = body.add_paragraph()
    line.text, line.level = "deeper", 1
    slide.notes_slide.notes_text_frame.text = "Say hello."
    slide = deck.slides.add_slide(deck.slide_layouts[6])
    table = slide.shapes.add_table(2, 2, 0, 0, 100, 100).table
    for at, text in enumerate(["Year", "Sum", "2025", "7"]):
        table.cell(at // 2, at % 2).text = text
    data = CategoryChartData()
    data.categories = ["a"]
    data.add_series("s", [1])
    slide.shapes.add_chart(XL_CHART_TYPE.PIE, 0, 0, 100, 100, data)
    slide.shapes.add_picture(picture(), 0, 0)
    text, detail = slides.convert(saved(deck))
    assert text == (
        "## Plan\n\n- First\n  - deeper\n\nNotes: Say hello.\n\n"
        "## Slide 2\n\n| Year | Sum |\n| --- | --- |\n| 2025 | 7 |\n"
    )
    assert detail == "2 slides, 1 chart not read, 1 picture not read"


def test_a_notebook_is_its_markdown_and_its_code_in_fences() -> None:
    cells = [
        {"cell_type": "markdown", "source": ["# Title\n", "text"]},
        {"cell_type": "code", "source": "print('```')\n```", "outputs": [{"text": "x"}]},
        {"cell_type": "raw", "source": ""},
    ]
    data = json.dumps({"cells": cells, "metadata": {"language_info": {"name": "python"}}})
    text, detail = notebook.convert(data.encode())
    assert text == "# Title\ntext\n\n````python\nprint('```')\n```\n````"
    assert detail == "3 cells, 1 output left out"


def test_html_is_what_a_browser_shows() -> None:
    page = (
        "<title>Name of it</title><style>p{}</style><h2>Part</h2><p>a_b and *c*"
        "<script>x</script></p><img src='data:image/png;base64,AAAA' alt='a picture'>"
        "<table><tr><th>x<th>y<tr><td>1<td>2</table><pre>  code</pre>"
    )
    assert html.convert(page.encode()).text == (
        "# Name of it\n\n## Part\n\na_b and *c*\n\na picture\n\n"
        "| x | y |\n| --- | --- |\n| 1 | 2 |\n\n```\n  code\n```\n"
    )


def test_html_tables_keep_their_rows_and_those_for_layout_are_none() -> None:
    inner = "<table><tr><th>a|b<th>c<tr><td><code>x|y</code><td>one<br>two</table>"
    page = f"<table><tr><td><h1>Top</h1>{inner}<td><p>aside</p></table>"
    assert html.convert(page.encode()).text == (
        "# Top\n\n| a\\|b | c |\n| --- | --- |\n| `x\\|y` | one two |\n\naside\n"
    )


def test_html_is_decoded_as_it_declares_unless_that_is_a_lie() -> None:
    declared = '<meta charset="iso-8859-2"><p>Łódź</p>'
    converted = html.convert(declared.encode("iso-8859-2"))
    assert (converted.text, converted.detail) == ("Łódź\n", "encoded in iso-8859-2")
    assert html.convert(declared.encode()).text == "Łódź\n"
    lie = '<meta charset="ascii"><p>café and more</p>'
    converted = html.convert(lie.encode("windows-1252"))
    assert converted.text == "café and more\n"
    assert converted.detail == "not valid UTF-8; taken for Windows-1252"


def test_hard_line_breaks_are_joined_and_divided_words_put_together() -> None:
    page = [
        "Title",
        "A paragraph that runs over the whole width of the page and is di-",
        "vided at the end, where a well-known word comes last, one well-",
        "known to all.",
        "1. An item that runs over the whole width of the page and goes o-",
        "2. Another item, although the line before it was as long as a line",
    ]
    assert join_pages([page, ["and goes on."]]) == (
        "Title\nA paragraph that runs over the whole width of the page and is divided at the end, "
        "where a well-known word comes last, one well-known to all.\n\n"
        "1. An item that runs over the whole width of the page and goes o-\n"
        "2. Another item, although the line before it was as long as a line and goes on."
    )


def test_running_lines_go_but_only_where_most_pages_have_them() -> None:
    pages = [["Manual", f"text {word}", f"- {n} -"] for n, word in enumerate("abcd", start=1)]
    assert drop_running_lines(pages) == ([["text a"], ["text b"], ["text c"], ["text d"]], 8)
    assert drop_running_lines(pages[:2]) == ([list(page) for page in pages[:2]], 0)


WORDS = st.text("abcXYZ", min_size=1, max_size=12)
PAGES = st.lists(st.lists(st.lists(WORDS, max_size=9).map(" ".join), max_size=8), max_size=4)


@given(PAGES)
@settings(max_examples=60, deadline=None)
def test_joining_loses_no_word_and_makes_none(pages: list[list[str]]) -> None:
    words = [word for page in pages for line in page for word in line.split()]
    assert join_pages(pages).split() == words


CELLS = st.text("a|\\\n\r\x0b\u2028 é", max_size=6)


@given(st.lists(st.lists(CELLS, min_size=1, max_size=3), min_size=1, max_size=3))
@settings(max_examples=30, deadline=None)
def test_a_table_has_a_line_for_each_row_whatever_is_in_its_cells(rows: list[list[str]]) -> None:
    table = markdown_table(rows)
    assert len(table.split("\n")) == (len(rows) + 1 if table else 1)


def test_an_empty_table_is_none() -> None:
    assert markdown_table([["", " \n"], []]) == ""


def test_what_is_no_notebook_is_refused() -> None:
    with pytest.raises(Refused, match="is no notebook"):
        notebook.convert(b"[1]")
