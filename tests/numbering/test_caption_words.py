"""Captions of all languages by example."""

from __future__ import annotations

import pytest

from held.numbering.titles import caption_end, is_figure_caption


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("Figure 3. Sails", "Figure 3."),
        ("Table IV Sails", "Table IV"),
        ("Fig. 2a Sails", "Fig. 2a"),
        ("图 3 帆", "图 3"),
        ("表A.1 帆", "表A.1"),
        ("Abbildung 3: Segel", "Abbildung 3"),
        ("Abb. 2.1 Segel", "Abb. 2.1"),
        ("Tableau n° 4 – Voiles", "Tableau n° 4"),
        ("Рис. 4. Парус", "Рис. 4."),
        ("図5 帆", "図5"),
        ("표 2. 돛", "표 2"),
        ("3. ábra: Vitorla", "3. ábra"),
        ("GRAFICO 2 - VELE", "GRAFICO 2"),
        ("[그림 3-1] 돛", "[그림 3-1]"),
        ("<표 2> 돛", "<표 2>"),
        ("2. sz. ábra: Vitorla", "2. sz. ábra"),
        ("Biểu đồ 2: Buồm", "Biểu đồ 2"),
        ("شكل (3-1) شراع", "شكل (3-1)"),
        ("Πίν. 2 Πανιά", "Πίν. 2"),
        ("Мал. 3. Вітрило", "Мал. 3."),
    ],
)
def test_a_caption_begins_with_its_label(text: str, label: str) -> None:
    assert text[: caption_end(text)] == label


@pytest.mark.parametrize(
    "text",
    [
        "Table 1 shows the sails",
        "表 1 中的帆",
        "図3に示す",
        "표 3은 돛을 보인다",
        "Abbildung 3 zeigt die Segel",
        "Figures of speech",
        "表现良好",
        "Tabelle der Segel",
        "3. április",
        "[3] Sails",
        "<표> 돛",
        "",
    ],
)
def test_a_sentence_or_a_longer_word_is_no_caption(text: str) -> None:
    assert caption_end(text) == 0


def test_figures_are_told_from_tables() -> None:
    assert is_figure_caption("Рисунок 2 – Парус")
    assert not is_figure_caption("Таблица 2 – Паруса")
