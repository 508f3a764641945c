"""The words that documents of each language count, name and caption sections with: one block each.

To add a language, add a block to `LANGUAGES` and its examples to `tests/numbering/test_languages.py`:

    "et": HeadingWords(
        part=_words("osa"),
        chapter=_words("peatükk, #. peatükk"),
        contents=_words("sisukord"),
    ),

Words are lower case and separated by commas; texts match them in any case, and without their accents too. A
word stands before its number: "osa 3". Where it does not, `#` stands for the number:

    第#章           around the number
    第#部_          the same; a space or the end of the text must follow
    #. peatükk     after it, with a dot: 3. peatükk
    # luku         after it, without a dot: 3 luku
    #e chapitre    after it, with an ending: 1er chapitre, 2ème chapitre

Number words are separated by spaces and count from one; "_" stands for a space, "/" separates forms. Each
ordinal may take each of the endings. Ordinals may stand on both sides of a word: Erster Teil, Глава первая.

This is Python and not TOML since every command reads it: `tomllib` takes 5 ms to parse the same data, the
compiled module loads in less than one.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

Words = tuple[str, ...]


class HeadingWords(NamedTuple):
    """The words of one language; a field that does not apply stays empty.

    The fields from `part` to `appendix` are kinds of numbered sections. Fields whose comment says
    "expressions" hold regular expressions, in which a space stands for any white space and which begin with
    a letter.
    """

    part: Words = ()
    chapter: Words = ()
    subchapter: Words = ()
    section: Words = ()
    article: Words = ()
    clause: Words = ()
    item: Words = ()
    note: Words = ()
    appendix: Words = ()
    course_unit: Words = ()  # seldom numbers a section, but sets a number apart when titles are compared
    cardinals: str = ""  # "Book Two"
    ordinals: str = ""  # "Erster Teil"
    ordinal_endings: str = ""  # separated by spaces; none where the ordinals are complete
    common: str = ""  # the most common words, separated by spaces: they tell the language of a document
    has_chinese_numerals: bool = False  # 第二章 and 第2章
    longer_words: Words = ()  # begin with a word for a section and are none: 条件 is no 条
    months: Words = ()  # where a day is written "1. Januar": it looks like an item of a list
    page: Words = ()  # expressions for the word before a page number
    figure: Words = ()  # before the number of a caption, abbreviations with their dot
    table: Words = ()
    contents: Words = ()  # titles of printed contents
    contents_lists: Words = ()  # titles of lists of figures, tables and the like
    contents_expressions: Words = ()  # expressions for more such titles
    front_titles: Words = ()  # titles in front of the numbered chapters, of which they never hold one
    front_labels: Words = ()  # the same, but they begin a paragraph as often as they head a section
    titles: Words = ()  # other titles that head a section in most documents
    no_headings: Words = ()  # begin what is seldom a heading: theorems, notes, sources
    no_heading_expressions: Words = ()  # expressions for more of them
    continued: Words = ()  # expressions that end the title of a section that began earlier
    continued_in_brackets: Words = ()  # the same, only in brackets: "(cont'd)"


def _words(text: str) -> Words:
    """The words of a list with commas."""
    return tuple(word.strip() for word in text.split(","))


_LISTED = ("figures", "tables", "illustrations", "listings", "algorithms", "appendices", "exhibits")

LANGUAGES: dict[str, HeadingWords] = {
    "en": HeadingWords(
        part=_words("part, book, title, volume, file"),
        chapter=_words("chapter"),
        subchapter=_words("subchapter, subpart, subtitle, subdivision"),
        section=_words("section, sec."),
        article=_words("article, clause, rule, regulation"),
        item=_words("item"),
        note=_words("note"),
        appendix=_words("appendix, annexure, annex, schedule, exhibit, attachment"),
        course_unit=_words("lecture, step, unit, lesson, module"),
        cardinals="one two three four five six seven eight nine ten eleven twelve thirteen fourteen "
        "fifteen sixteen seventeen eighteen nineteen twenty",
        ordinals="first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth",
        common="the of and to in is that for it as with was on are by be this an from at or which not have "
        "has you can will we if their its",
        page=(r"page", r"p\.", r"pg\.?"),
        figure=_words("figure, fig., fig, chart, plate, algorithm, listing, box"),
        table=_words("table, tab., tab"),
        contents=_words("contents, table of contents"),
        contents_lists=_words("list of figures, list of tables"),
        contents_expressions=(
            *("contents?", r"brief\s*contents?", r"detailed\s*contents?", r"table of\s*contents?"),
            *("chapter contents?", "section contents?", "index to .*"),
            *_LISTED,
            *(f"list of {listed}" for listed in _LISTED),
            *(f"table of {listed}" for listed in _LISTED),
        ),
        front_titles=_words(
            "abstract, acknowledgement, acknowledgements, acknowledgment, acknowledgments, copyright, "
            "foreword"
        ),
        front_labels=_words("keywords, copyright notice, status of this memo"),
        titles=_words(
            "introduction, conclusion, conclusions, references, bibliography, appendix, appendices, index, "
            "preface, glossary, summary, executive summary, background, related work, methods, method, "
            "results, discussion, overview, nomenclature, signatures, exhibits, notation, prerequisites, "
            "dedication, abbreviations, definitions, scope, purpose, history, notes, exercises, problems, "
            "results and discussion, conclusions and future work, future work, materials and methods, "
            "experiments, evaluation, limitations, motivation, preliminaries, license"
        ),
        no_headings=_words(
            "theorem, lemma, proof, definition, remark, example, corollary, proposition, claim, exercise, "
            "problem, question, note, warning, caution, tip, important, figure, fig., table, listing, "
            "algorithm, source, see, where, http, www."
        ),
        continued=("continued",),
        continued_in_brackets=(r"cont(?:inue)?[’'.]?d?\.?",),
    ),
    "zh": HeadingWords(
        part=_words("第#编, 第#篇, 第#部分, 第#編, 第#卷_"),
        chapter=_words("第#章"),
        section=_words("第#节, 第#節"),
        article=_words("第#条, 第#條"),
        clause=_words("第#款, 第#项, 第#目, 第#类, 第#項, 第#類"),
        appendix=_words("附录#, 附件#, 附表#, 附注#, 附錄#, 附註#"),
        has_chinese_numerals=True,
        longer_words=_words("条件, 项目, 目标, 目的, 目录, 类似, 條件, 項目, 目標, 目錄, 類似"),
        figure=_words("图, 图表, 圖, 圖表"),
        table=_words("表"),
        contents=_words("目录, 目次, 目錄"),
        contents_expressions=(
            r"目\s*[录錄次]",
            *(r"[图圖]\S{0,2}\s*目\s*[录錄]", r"表\S{0,2}\s*目\s*[录錄]"),
            *(r"插[图表圖]\S{0,2}\s*目\s*[录錄]", r"附[图表圖]\S{0,2}\s*目\s*[录錄]"),
            *(r"[图圖]\S?索引", r"表\S?索引"),
        ),
        front_titles=_words("前言, 引言, 摘要, 致谢, 致謝"),
        front_labels=_words("关键词, 關鍵詞"),
        titles=_words(
            "绪论, 概述, 结论, 总结, 参考文献, 附录, 释义, 重要提示, 备查文件目录, 声明, 索引, 附件, 简介, "
            "范围, 规范性引用文件, 术语和定义, 术语与定义, 公司声明, 重大事项提示, 重大风险提示, 财务报告, "
            "审计报告, 緒論, 結論, 總結, 參考文獻, 附錄, 釋義, 聲明, 簡介, 範圍"
        ),
        no_heading_expressions=(
            *("[定引命推]理", "定[义義]", "[证證]明", r"注[：:]", "注意", r"[图圖]\s?\d", r"表\s?\d"),
            *("单位[：:]", "适用", "来源[：:]", "單位[：:]"),
        ),
        continued_in_brackets=("续", "續"),
    ),
    "ja": HeadingWords(
        part=_words("第#部_, 第#巻_"),
        chapter=_words("#章_"),
        section=_words("#節_"),
        appendix=_words("付録#, 附録#, 付属書#, 附属書#, 別表#, 別紙#, 資料#"),
        has_chinese_numerals=True,
        figure=_words("図, 図表, 写真"),
        table=_words("表"),
        contents=_words("目次, もくじ"),
        contents_lists=_words("図目次, 表目次, 図表目次, 図一覧, 表一覧"),
        front_titles=_words("はじめに, まえがき, 序文, 要旨, 謝辞, 緒言"),
        titles=_words(
            "序論, 序章, 概要, 結論, 終わりに, おわりに, あとがき, まとめ, 参考文献, 参考資料, 文献, 索引, "
            "付録, 附録, 用語集, 関連研究, 考察, 結果, 背景, 目的, 注意事項, 付記, 演習問題, 練習問題"
        ),
        no_headings=_words("定理, 補題, 証明, 定義, 系, 命題, 例題, 注記, 出典, 出所"),
        continued_in_brackets=("続き", "つづき", "続"),
    ),
    "ko": HeadingWords(
        part=_words("제#편, 제#부, 제#권"),
        chapter=_words("제#장, #장"),
        section=_words("제#절, #절"),
        article=_words("제#조"),
        clause=_words("제#관, 제#항"),
        appendix=_words("부록#, 별표#, 별첨#, 붙임#, 첨부#"),
        has_chinese_numerals=True,
        figure=_words("그림, 도표, 사진"),
        table=_words("표"),
        contents=_words("목차, 차례"),
        contents_lists=_words("그림 목차, 표 목차, 그림 차례, 표 차례"),
        contents_expressions=(r"목\s*차", r"차\s*례"),
        front_titles=_words("머리말, 서문, 초록, 요약, 국문초록, 감사의 글, 일러두기"),
        titles=_words(
            "서론, 들어가며, 개요, 결론, 맺음말, 참고문헌, 색인, 찾아보기, 부록, 용어집, 관련 연구, 소개"
        ),
        no_headings=_words("정리, 보조정리, 증명, 정의, 따름정리, 명제, 예제, 주의, 참고, 경고, 출처, 자료"),
        continued_in_brackets=("계속",),
    ),
    "de": HeadingWords(
        part=_words("teil, buch, band, titel, #. teil, #. buch, #. titel"),
        chapter=_words("kapitel, kap., hauptstück, #. kapitel, #. hauptstück"),
        subchapter=_words("unterkapitel, untertitel"),
        section=_words("abschnitt, #. abschnitt"),
        article=_words("artikel, art."),
        note=_words("anmerkung, erläuterung"),
        appendix=_words("anhang, anlage, beilage"),
        course_unit=_words("vorlesung, lektion, einheit, übung, aufgabe, modul, schritt"),
        cardinals="eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn",
        ordinals="erst zweit dritt viert fünft sechst siebt/siebent acht neunt zehnt elft zwölft dreizehnt "
        "vierzehnt fünfzehnt",
        ordinal_endings="er e es",
        common="der die und in den von zu das mit sich des auf für ist im dem nicht ein eine als auch es an "
        "werden aus er hat dass sie nach wird bei einer um am sind noch wie einem über so zum haben "
        "nur oder aber vor zur bis",
        months=_words(
            "januar, jänner, februar, märz, april, mai, juni, juli, august, september, oktober, november, "
            "dezember"
        ),
        page=("seite", r"s\."),
        figure=_words("abbildung, abb., bild, grafik, schaubild, diagramm"),
        table=_words("tabelle, tab., übersicht"),
        contents=_words("inhalt, inhaltsverzeichnis, inhaltsübersicht"),
        contents_lists=_words("abbildungsverzeichnis, tabellenverzeichnis, anlagenverzeichnis"),
        front_titles=_words(
            "vorwort, geleitwort, danksagung, zusammenfassung, kurzfassung, abkürzungsverzeichnis"
        ),
        titles=_words(
            "einleitung, einführung, fazit, schluss, schlussfolgerung, schlussfolgerungen, ausblick, "
            "literatur, literaturverzeichnis, quellenverzeichnis, sachverzeichnis, stichwortverzeichnis, "
            "anhang, glossar, grundlagen, überblick, ergebnisse, diskussion, methoden, motivation, "
            "hintergrund, anmerkungen, übungen, aufgaben, definitionen, symbolverzeichnis, "
            "zusammenfassung und ausblick, stand der technik, verwandte arbeiten"
        ),
        no_headings=_words(
            "satz, theorem, hilfssatz, beweis, definition, bemerkung, beispiel, korollar, folgerung, "
            "proposition, aufgabe, frage, hinweis, anmerkung, warnung, achtung, tipp, wichtig, abbildung, "
            "abb., tabelle, tab., quelle, siehe"
        ),
        continued_in_brackets=("fortsetzung", "fortgesetzt", r"forts\."),
    ),
    "fr": HeadingWords(
        part=_words("partie, livre, titre, tome, #e partie, #e livre"),
        chapter=_words("chapitre, chap., #e chapitre"),
        subchapter=_words("sous-chapitre, sous-partie, sous-titre"),
        section=_words("section, sous-section, #e section"),
        article=_words("article, art."),
        appendix=_words("annexe, appendice, pièce jointe"),
        course_unit=_words("leçon, cours, séance, fiche, exercice, étape, module"),
        cardinals="un deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize",
        ordinals="premier/première deuxième/second/seconde troisième quatrième cinquième sixième septième "
        "huitième neuvième dixième onzième douzième treizième quatorzième quinzième",
        common="de la le et les des en un du une que est pour qui dans par sur au il sont pas ce avec plus "
        "ou ne se son cette aux nous vous être comme mais si fait peut",
        page=("page", r"p\."),
        figure=_words("figure, fig., graphique, schéma, illustration, encadré, encart, carte"),
        table=_words("tableau, tab., table"),
        contents=_words("table des matières, sommaire, table de matières"),
        contents_lists=_words(
            "table des figures, liste des figures, liste des tableaux, table des illustrations, "
            "liste des illustrations, liste des annexes, table des annexes"
        ),
        front_titles=_words(
            "résumé, remerciements, avant-propos, préface, liste des abréviations, préambule"
        ),
        front_labels=_words("mots-clés"),
        titles=_words(
            "introduction, introduction générale, conclusion, conclusions, conclusion générale, "
            "bibliographie, références, références bibliographiques, annexe, annexes, index, lexique, "
            "glossaire, présentation, objectifs, prérequis, historique, notations, résultats, discussion, "
            "contexte, état de l'art, perspectives, exercices, notes, synthèse, définitions, méthodes, "
            "méthodologie"
        ),
        no_headings=_words(
            "théorème, lemme, preuve, démonstration, définition, remarque, exemple, corollaire, "
            "proposition, propriété, exercice, problème, question, note, avertissement, attention, astuce, "
            "important, figure, fig., tableau, tab., source, voir"
        ),
        continued_in_brackets=("suite", "suite et fin", "fin"),
    ),
    "es": HeadingWords(
        part=_words("parte, libro, título, tomo, volumen, #e parte"),
        chapter=_words("capítulo, cap., #e capítulo"),
        subchapter=_words("subcapítulo, subtítulo"),
        section=_words("sección, apartado"),
        article=_words("artículo, art."),
        note=_words("nota"),
        appendix=_words("anexo, apéndice"),
        course_unit=_words("lección, tema, unidad, módulo, práctica, ejercicio, paso"),
        cardinals="uno/una dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince",
        ordinals="primero/primera/primer segundo/segunda tercero/tercera/tercer cuarto/cuarta "
        "quinto/quinta sexto/sexta séptimo/séptima octavo/octava noveno/novena décimo/décima "
        "undécimo/undécima/décimo_primero/décimo_primera "
        "duodécimo/duodécima/décimo_segundo/décimo_segunda décimo_tercero/décimo_tercera "
        "décimo_cuarto/décimo_cuarta décimo_quinto/décimo_quinta",
        common="de la que el en y los se del las un por con una para es su al lo como más o pero sus le ha "
        "si sin sobre este ya entre cuando todo esta ser son también fue había muy hasta",
        page=(r"p[áa]gina", r"p[áa]g\."),
        figure=_words("figura, fig., gráfico, gráfica, ilustración, imagen, esquema, recuadro"),
        table=_words("tabla, cuadro, tab."),
        contents=_words(
            "tabla de contenido, tabla de contenidos, contenido, contenidos, índice, índice general"
        ),
        contents_lists=_words(
            "índice de figuras, índice de tablas, índice de cuadros, lista de figuras, lista de tablas, "
            "índice de gráficos, índice de ilustraciones, índice de anexos"
        ),
        front_titles=_words("resumen, agradecimientos, prólogo, prefacio, dedicatoria"),
        front_labels=_words("palabras clave"),
        titles=_words(
            "introducción, conclusión, conclusiones, bibliografía, referencias, "
            "referencias bibliográficas, anexo, anexos, apéndice, apéndices, índice alfabético, glosario, "
            "resumen ejecutivo, antecedentes, objetivos, metodología, resultados, discusión, "
            "trabajo futuro, trabajos relacionados, ejercicios, problemas, notas, definiciones, "
            "motivación, marco teórico, estado del arte, recomendaciones"
        ),
        no_headings=_words(
            "teorema, lema, demostración, prueba, definición, observación, ejemplo, corolario, "
            "proposición, ejercicio, problema, pregunta, nota, advertencia, aviso, sugerencia, importante, "
            "figura, fig., tabla, cuadro, gráfico, fuente, véase"
        ),
        continued_in_brackets=("continuación", r"cont\."),
    ),
    "pt": HeadingWords(
        part=_words("parte, livro, título, tomo, volume, #e parte"),
        chapter=_words("capítulo, cap., #e capítulo"),
        subchapter=_words("subcapítulo, subtítulo"),
        section=_words("seção, secção, subseção, subsecção"),
        article=_words("artigo, art."),
        note=_words("nota, nota explicativa"),
        appendix=_words("anexo, apêndice"),
        course_unit=_words("lição, aula, unidade, módulo, exercício, passo"),
        cardinals="um/uma dois/duas três quatro cinco seis sete oito nove dez onze doze treze catorze quinze",
        ordinals="primeiro/primeira segundo/segunda terceiro/terceira quarto/quarta quinto/quinta "
        "sexto/sexta sétimo/sétima oitavo/oitava nono/nona décimo/décima "
        "décimo_primeiro/décima_primeira décimo_segundo/décima_segunda "
        "décimo_terceiro/décima_terceira décimo_quarto/décima_quarta",
        common="de a o que e do da em um para com não uma os no se na por mais as dos como mas ao ele das à "
        "seu sua ou quando muito nos já eu também só pelo pela até isso é são foi ser",
        page=(r"p[áa]gina", r"p[áa]g\."),
        figure=_words("figura, fig., gráfico, ilustração, imagem, foto, esquema, quadro"),
        table=_words("tabela, tab."),
        contents=_words("sumário, conteúdo, índice, índice geral, tabela de conteúdo, tabela de conteúdos"),
        contents_lists=_words(
            "lista de figuras, lista de tabelas, índice de figuras, índice de tabelas, "
            "lista de ilustrações, lista de gráficos, lista de quadros, lista de anexos"
        ),
        front_titles=_words(
            "resumo, agradecimentos, prefácio, prólogo, lista de siglas, lista de abreviaturas, "
            "lista de abreviaturas e siglas, dedicatória"
        ),
        front_labels=_words("palavras-chave"),
        titles=_words(
            "introdução, conclusão, conclusões, considerações finais, bibliografia, referências, "
            "referências bibliográficas, anexo, anexos, apêndice, apêndices, índice remissivo, glossário, "
            "objetivos, metodologia, resultados, discussão, trabalhos futuros, trabalhos relacionados, "
            "exercícios, notas, definições, motivação, recomendações, resultados e discussão"
        ),
        no_headings=_words(
            "teorema, lema, demonstração, prova, definição, observação, exemplo, corolário, proposição, "
            "exercício, problema, pergunta, questão, nota, aviso, atenção, dica, importante, figura, fig., "
            "tabela, quadro, gráfico, fonte, veja"
        ),
        continued_in_brackets=("continuação", r"cont\.", "conclusão"),
    ),
    "it": HeadingWords(
        part=_words("parte, libro, titolo, tomo, volume, #e parte"),
        chapter=_words("capitolo, cap., capo, #e capitolo"),
        subchapter=_words("sottocapitolo"),
        section=_words("sezione, paragrafo"),
        article=_words("articolo, art."),
        note=_words("nota"),
        appendix=_words("appendice, allegato"),
        course_unit=_words("lezione, modulo, unità, esercizio, esercitazione, passo"),
        cardinals="uno/una due tre quattro cinque sei sette otto nove dieci undici dodici tredici "
        "quattordici",
        ordinals="primo/prima secondo/seconda terzo/terza quarto/quarta quinto/quinta sesto/sesta "
        "settimo/settima ottavo/ottava nono/nona decimo/decima undicesimo/undicesima "
        "dodicesimo/dodicesima tredicesimo/tredicesima",
        common="di e il la che in un a per è una sono con del non si da le dei della al come più i nel lo "
        "gli questo anche alla delle ma ed se dal o su essere ha può quando nella degli",
        page=("pagina", r"pag\."),
        figure=_words("figura, fig., grafico, illustrazione, immagine, schema, riquadro"),
        table=_words("tabella, tab., tavola, prospetto"),
        contents=_words("indice, indice generale, sommario, contenuti"),
        contents_lists=_words(
            "elenco delle figure, elenco delle tabelle, indice delle figure, indice delle tabelle"
        ),
        contents_expressions=("índice generale",),
        front_titles=_words("prefazione, premessa, ringraziamenti, sommario, riassunto, dedica"),
        titles=_words(
            "introduzione, conclusione, conclusioni, bibliografia, riferimenti bibliografici, riferimenti, "
            "appendice, appendici, allegati, indice analitico, glossario, obiettivi, metodologia, "
            "risultati, discussione, sviluppi futuri, conclusioni e sviluppi futuri, lavori correlati, "
            "esercizi, definizioni, stato dell'arte, motivazione, panoramica"
        ),
        no_headings=_words(
            "teorema, lemma, dimostrazione, definizione, osservazione, esempio, corollario, proposizione, "
            "esercizio, problema, domanda, nota, avvertenza, attenzione, suggerimento, importante, figura, "
            "fig., tabella, fonte, vedi"
        ),
        continued_in_brackets=("continua", "segue", "seguito"),
    ),
    "ca": HeadingWords(
        part=_words("part, llibre, títol, volum, #e part"),
        chapter=_words("capítol, cap., #e capítol"),
        section=_words("secció, apartat"),
        article=_words("article, art."),
        note=_words("nota"),
        appendix=_words("annex, apèndix"),
        course_unit=_words("lliçó, tema, unitat, mòdul"),
        cardinals="un/una dos/dues tres quatre cinc sis set vuit nou deu onze dotze",
        ordinals="primer/primera segon/segona tercer/tercera quart/quarta cinquè/cinquena sisè/sisena "
        "setè/setena vuitè/vuitena novè/novena desè/desena",
        common="de la i el que a en un les per del és una els amb no se al més com o dels ha són aquest pel "
        "aquesta també si però seu seva entre quan fer està ser d'un",
        page=("pàgina", r"pàg\."),
        figure=_words("figura, fig., gràfic, il·lustració"),
        table=_words("taula, quadre"),
        contents=_words("índex, índex general, sumari, taula de continguts, continguts"),
        contents_lists=_words("índex de figures, índex de taules, llista de figures, llista de taules"),
        front_titles=_words("resum, agraïments, pròleg, prefaci"),
        front_labels=_words("paraules clau"),
        titles=_words(
            "introducció, conclusió, conclusions, bibliografia, referències, annexos, apèndix, glossari, "
            "objectius, metodologia, resultats, índex alfabètic"
        ),
        no_headings=_words(
            "teorema, lema, demostració, definició, observació, exemple, corol·lari, proposició, exercici, "
            "nota, avís, figura, taula, vegeu"
        ),
        continued_in_brackets=("continuació",),
    ),
    "nl": HeadingWords(
        part=_words("deel, boek, titel, band"),
        chapter=_words("hoofdstuk, hfst."),
        section=_words("sectie, afdeling, paragraaf"),
        article=_words("artikel, art."),
        note=_words("noot, toelichting"),
        appendix=_words("bijlage, appendix"),
        course_unit=_words("les, college, module, opdracht, stap"),
        cardinals="een/één twee drie vier vijf zes zeven acht negen tien elf twaalf",
        ordinals="eerste tweede derde vierde vijfde zesde zevende achtste negende tiende elfde twaalfde",
        common="de van het een en in is dat op te zijn met voor niet aan er om ook als bij dan of maar door "
        "naar uit hij worden wordt deze nog wel kan zich tot over heeft u je dit",
        page=("pagina", r"pag\.", r"blz\."),
        figure=_words("figuur, fig., afbeelding, grafiek, kader, illustratie"),
        table=_words("tabel"),
        contents=_words("inhoud, inhoudsopgave, inhoudstafel"),
        contents_lists=_words("lijst van figuren, lijst van tabellen, lijst met figuren, lijst met tabellen"),
        front_titles=_words("voorwoord, dankwoord, samenvatting, woord vooraf"),
        titles=_words(
            "inleiding, introductie, conclusie, conclusies, literatuur, literatuurlijst, bibliografie, "
            "referenties, bijlagen, trefwoordenlijst, begrippenlijst, overzicht, resultaten, discussie, "
            "methode, achtergrond"
        ),
        no_headings=_words(
            "stelling, lemma, bewijs, definitie, opmerking, voorbeeld, gevolg, propositie, opgave, vraag, "
            "let op, waarschuwing, tip, belangrijk, figuur, tabel, bron, zie"
        ),
        continued_in_brackets=("vervolg", "vervolgd"),
    ),
    "sv": HeadingWords(
        part=_words("del, bok, avdelning"),
        chapter=_words("kapitel, kap., # kap., # kapitlet"),
        section=_words("avsnitt, sektion"),
        article=_words("artikel"),
        appendix=_words("bilaga, appendix"),
        course_unit=_words("lektion, föreläsning, modul, övning, steg"),
        cardinals="ett/en två tre fyra fem sex sju åtta nio tio elva tolv",
        ordinals="första andra tredje fjärde femte sjätte sjunde åttonde nionde tionde elfte tolfte",
        common="och i att det som en på är av för med den till inte om ett har de man var så från kan vid "
        "eller men när detta ska under sig efter också du alla finns",
        page=("sida", r"sid\."),
        figure=_words("figur, fig., bild, diagram"),
        table=_words("tabell"),
        contents=_words("innehåll, innehållsförteckning"),
        contents_lists=_words("figurförteckning, tabellförteckning, figurer och tabeller"),
        front_titles=_words("förord, sammanfattning, tack"),
        front_labels=_words("nyckelord"),
        titles=_words(
            "inledning, introduktion, slutsats, slutsatser, litteratur, litteraturförteckning, referenser, "
            "källor, källförteckning, bilagor, sakregister, ordlista, bakgrund, syfte, metod, resultat, "
            "diskussion, översikt, noter"
        ),
        no_headings=_words(
            "sats, lemma, bevis, definition, anmärkning, exempel, följdsats, övning, observera, varning, "
            "tips, viktigt, figur, tabell, källa"
        ),
        continued_in_brackets=("fortsättning", r"forts\.?"),
    ),
    "da": HeadingWords(
        part=_words("del, bog, bind, #. del"),
        chapter=_words("kapitel, kap., #. kapitel"),
        section=_words("afsnit, #. afsnit"),
        article=_words("artikel"),
        appendix=_words("bilag, appendiks, tillæg"),
        course_unit=_words("lektion, forelæsning, modul, øvelse, opgave, trin"),
        cardinals="et/en/én to tre fire fem seks syv otte ni ti elleve tolv",
        ordinals="første anden/andet tredje fjerde femte sjette syvende ottende niende tiende ellevte tolvte",
        common="og i at det er en til af som på de med for den ikke der et har kan var fra om vil eller "
        "også men sig når ved efter du hvis blev skal denne dette",
        months=_words(
            "januar, februar, marts, april, maj, juni, juli, august, september, oktober, november, december"
        ),
        page=("side",),
        figure=_words("figur, fig., diagram, boks"),
        table=_words("tabel"),
        contents=_words("indhold, indholdsfortegnelse"),
        contents_lists=_words(
            "figurliste, tabelliste, figurfortegnelse, tabelfortegnelse, liste over figurer"
        ),
        front_titles=_words("forord, resumé, sammenfatning, tak"),
        front_labels=_words("nøgleord"),
        titles=_words(
            "indledning, introduktion, konklusion, litteratur, litteraturliste, referencer, kilder, bilag, "
            "stikordsregister, ordliste, baggrund, formål, metode, resultater, diskussion, oversigt, noter"
        ),
        no_headings=_words(
            "sætning, lemma, bevis, definition, bemærkning, eksempel, korollar, øvelse, opgave, bemærk, "
            "advarsel, tip, vigtigt, figur, tabel, kilde"
        ),
        continued_in_brackets=("fortsat", r"forts\."),
    ),
    "nb": HeadingWords(
        part=_words("del, bok, bind, #. del"),
        chapter=_words("kapittel, kap., #. kapittel"),
        section=_words("avsnitt, seksjon"),
        article=_words("artikkel"),
        appendix=_words("vedlegg, tillegg, appendiks"),
        course_unit=_words("leksjon, forelesning, modul, øvelse, oppgave, trinn"),
        cardinals="en/ett/én to tre fire fem seks sju/syv åtte ni ti elleve tolv",
        ordinals="første andre/annen/annet tredje fjerde femte sjette sjuende/syvende åttende niende tiende",
        common="og i det er en til på som av for at med de den ikke et har om kan fra var eller også men "
        "seg når ved etter du hvis ble skal denne dette være må",
        months=_words(
            "januar, februar, mars, april, mai, juni, juli, august, september, oktober, november, desember"
        ),
        page=("side",),
        figure=_words("figur, fig., diagram, boks"),
        table=_words("tabell"),
        contents=_words("innhold, innholdsfortegnelse"),
        contents_lists=_words(
            "figurliste, tabelliste, figurer, tabeller, liste over figurer, liste over tabeller"
        ),
        front_titles=_words("forord, sammendrag, takk"),
        front_labels=_words("nøkkelord"),
        titles=_words(
            "innledning, introduksjon, konklusjon, litteratur, litteraturliste, referanser, kilder, "
            "stikkordregister, ordliste, bakgrunn, formål, metode, resultater, diskusjon, oversikt, noter"
        ),
        no_headings=_words(
            "teorem, setning, lemma, bevis, definisjon, merknad, eksempel, korollar, øvelse, oppgave, "
            "merk, advarsel, tips, viktig, figur, tabell, kilde"
        ),
        continued_in_brackets=("fortsatt", "fortsettelse", r"forts\."),
    ),
    "fi": HeadingWords(
        part=_words("osa, kirja, #. osa, # osa"),
        chapter=_words("luku, #. luku, # luku"),
        section=_words("jakso, osio, #. jakso"),
        article=_words("artikla, # artikla, #. artikla"),
        note=_words("liitetieto"),
        appendix=_words("liite"),
        course_unit=_words("luento, oppitunti, moduuli, harjoitus, tehtävä, vaihe"),
        cardinals="yksi kaksi kolme neljä viisi kuusi seitsemän kahdeksan yhdeksän kymmenen",
        ordinals="ensimmäinen toinen kolmas neljäs viides kuudes seitsemäs kahdeksas yhdeksäs kymmenes",
        common="ja on ei se että oli hän tai myös kun mutta ovat joka sen voi jos niin kuin mitä tämä sitä "
        "ole mukaan vain jotka tämän sekä voidaan olla kanssa",
        months=_words(
            "tammikuuta, helmikuuta, maaliskuuta, huhtikuuta, toukokuuta, kesäkuuta, heinäkuuta, elokuuta, "
            "syyskuuta, lokakuuta, marraskuuta, joulukuuta"
        ),
        page=("sivu", r"s\."),
        figure=_words("kuva, kuvio, kaavio"),
        table=_words("taulukko"),
        contents=_words("sisällys, sisällysluettelo, sisältö"),
        contents_lists=_words("kuvaluettelo, taulukkoluettelo, kuviot ja taulukot, kuviot, taulukot"),
        front_titles=_words("esipuhe, tiivistelmä, kiitokset, alkusanat"),
        front_labels=_words("avainsanat"),
        titles=_words(
            "johdanto, johtopäätökset, yhteenveto, lähteet, kirjallisuus, lähdeluettelo, viitteet, "
            "liitteet, hakemisto, sanasto, tausta, tavoitteet, menetelmät, tulokset, pohdinta, päätelmät, "
            "yleistä"
        ),
        no_headings=_words(
            "lause, lemma, todistus, määritelmä, huomautus, esimerkki, seuraus, tehtävä, huomaa, varoitus, "
            "vihje, tärkeää, kuva, taulukko, lähde, katso"
        ),
        continued_in_brackets=("jatkuu", "jatkoa", r"jatk\."),
    ),
    "pl": HeadingWords(
        part=_words("część, księga, tytuł, tom, dział"),
        chapter=_words("rozdział, rozdz."),
        section=_words("sekcja, oddział, podrozdział"),
        article=_words("artykuł, art."),
        note=_words("nota"),
        appendix=_words("załącznik, dodatek, aneks"),
        course_unit=_words("lekcja, wykład, moduł, ćwiczenie, zadanie, krok"),
        cardinals="jeden dwa trzy cztery pięć sześć siedem osiem dziewięć dziesięć",
        ordinals="pierwszy/pierwsza/pierwsze drugi/druga/drugie trzeci/trzecia/trzecie czwarty/czwarta "
        "piąty/piąta szósty/szósta siódmy/siódma ósmy/ósma dziewiąty/dziewiąta "
        "dziesiąty/dziesiąta jedenasty/jedenasta dwunasty/dwunasta",
        common="i w na z do się nie że jest o to jak przez po od za dla są oraz lub tym który ale może być "
        "jego jednak także które która tego ze czy jako",
        page=("strona", r"str\."),
        figure=_words("rysunek, rys., wykres, ilustracja, schemat, ramka, zdjęcie"),
        table=_words("tabela, tab., tablica"),
        contents=_words("spis treści, spis rzeczy"),
        contents_lists=_words("spis rysunków, spis tabel, spis ilustracji, spis tablic, spis wykresów"),
        front_titles=_words("przedmowa, streszczenie, podziękowania, od autora"),
        front_labels=_words("słowa kluczowe"),
        titles=_words(
            "wstęp, wprowadzenie, podsumowanie, wnioski, zakończenie, bibliografia, literatura, skorowidz, "
            "indeks, załączniki, dodatki, słownik, słowniczek, cel pracy, metody, wyniki, dyskusja, "
            "przypisy, zadania, ćwiczenia"
        ),
        no_headings=_words(
            "twierdzenie, lemat, dowód, definicja, uwaga, przykład, wniosek, zadanie, ćwiczenie, pytanie, "
            "ostrzeżenie, wskazówka, ważne, rysunek, rys., tabela, tab., źródło, zobacz"
        ),
        continued_in_brackets=("ciąg dalszy", r"cd\.", r"c\.\s?d\."),
    ),
    "cs": HeadingWords(
        part=_words("část, kniha, svazek, #. část, #. kniha"),
        chapter=_words("kapitola, hlava, kap., #. kapitola, #. hlava"),
        subchapter=_words("díl, podkapitola"),
        section=_words("oddíl, sekce"),
        article=_words("článek, čl."),
        note=_words("poznámka"),
        appendix=_words("příloha, dodatek"),
        course_unit=_words("lekce, přednáška, cvičení, úloha, krok"),
        cardinals="jedna dva tři čtyři pět šest sedm osm devět deset",
        ordinals="první druhá/druhý/druhé třetí čtvrtá/čtvrtý pátá/pátý šestá/šestý sedmá/sedmý osmá/osmý "
        "devátá/devátý desátá/desátý jedenáctá/jedenáctý dvanáctá/dvanáctý",
        common="a v na se je že s z do o i to jako k pro po za by jsou nebo ve od který ale tak které být "
        "při která jeho také však podle může není této",
        months=_words(
            "ledna, února, března, dubna, května, června, července, srpna, září, října, listopadu, prosince"
        ),
        page=("strana", "stránka", r"str\."),
        figure=_words("obrázek, obr., graf, schéma"),
        table=_words("tabulka, tab."),
        contents=_words("obsah"),
        contents_lists=_words("seznam obrázků, seznam tabulek, seznam příloh"),
        front_titles=_words("předmluva, abstrakt, poděkování, anotace"),
        front_labels=_words("klíčová slova"),
        titles=_words(
            "úvod, závěr, literatura, použitá literatura, seznam použité literatury, rejstřík, přílohy, "
            "slovník, slovníček, cíle, metody, výsledky, diskuse, shrnutí, poznámky, cvičení, úlohy, "
            "přehled"
        ),
        no_headings=_words(
            "věta, lemma, důkaz, definice, poznámka, příklad, důsledek, tvrzení, úloha, cvičení, otázka, "
            "upozornění, varování, tip, důležité, pozor, obrázek, obr., tabulka, tab., zdroj, viz"
        ),
        continued_in_brackets=("pokračování", r"pokr\."),
    ),
    "sk": HeadingWords(
        part=_words("časť, kniha, zväzok, #. časť"),
        chapter=_words("kapitola, hlava, #. kapitola"),
        subchapter=_words("diel, podkapitola"),
        section=_words("oddiel, sekcia"),
        article=_words("článok, čl."),
        note=_words("poznámka"),
        appendix=_words("príloha, dodatok"),
        cardinals="jeden dva tri štyri päť šesť sedem osem deväť desať",
        ordinals="prvá/prvý druhá/druhý tretia/tretí štvrtá/štvrtý piata/piaty šiesta/šiesty siedma/siedmy "
        "ôsma/ôsmy deviata/deviaty desiata/desiaty",
        common="a v na sa je že s z do o aj to ako k pre po za by sú alebo vo od ktorý ale tak ktoré byť "
        "pri ktorá jeho tiež však podľa môže nie tejto",
        months=_words(
            "januára, februára, marca, apríla, mája, júna, júla, augusta, septembra, októbra, novembra, "
            "decembra"
        ),
        page=("strana", r"str\."),
        figure=_words("obrázok, obr., graf, schéma"),
        table=_words("tabuľka, tab."),
        contents=_words("obsah"),
        contents_lists=_words("zoznam obrázkov, zoznam tabuliek, zoznam príloh"),
        front_titles=_words("predslov, abstrakt, poďakovanie, anotácia"),
        front_labels=_words("kľúčové slová"),
        titles=_words(
            "úvod, záver, literatúra, použitá literatúra, zoznam použitej literatúry, prílohy, slovník, "
            "ciele, metódy, výsledky, diskusia, zhrnutie, poznámky"
        ),
        no_headings=_words(
            "veta, lema, dôkaz, definícia, poznámka, príklad, dôsledok, tvrdenie, úloha, cvičenie, "
            "upozornenie, varovanie, pozor, obrázok, tabuľka, zdroj, pozri"
        ),
        continued_in_brackets=("pokračovanie",),
    ),
    "hu": HeadingWords(
        part=_words("#. rész, rész, #. könyv, #. kötet"),
        chapter=_words("#. fejezet, fejezet"),
        subchapter=_words("#. alfejezet"),
        section=_words("#. szakasz"),
        article=_words("#. cikk"),
        appendix=_words("#. függelék, #. melléklet, függelék, melléklet"),
        course_unit=_words("#. lecke, #. előadás, #. gyakorlat, #. feladat"),
        cardinals="egy kettő három négy öt hat hét nyolc kilenc tíz",
        ordinals="első második harmadik negyedik ötödik hatodik hetedik nyolcadik kilencedik tizedik "
        "tizenegyedik tizenkettedik",
        common="a az és hogy nem is egy ez van meg de ha csak vagy mint azt el volt már még kell ki lehet "
        "amely ezt után szerint így minden mely úgy között",
        page=("oldal",),
        figure=_words("ábra, #. ábra, kép, #. kép, grafikon, #. grafikon"),
        table=_words("táblázat, #. táblázat, #. tábla"),
        contents=_words("tartalom, tartalomjegyzék"),
        contents_lists=_words("ábrajegyzék, ábrák jegyzéke, táblázatok jegyzéke, táblázatjegyzék"),
        front_titles=_words("előszó, kivonat, összefoglaló, köszönetnyilvánítás"),
        front_labels=_words("kulcsszavak"),
        titles=_words(
            "bevezetés, bevezető, összefoglalás, összegzés, következtetések, irodalom, irodalomjegyzék, "
            "hivatkozások, tárgymutató, mellékletek, függelékek, szójegyzék, célkitűzések, módszerek, "
            "eredmények, jegyzetek, feladatok"
        ),
        no_headings=_words(
            "tétel, lemma, bizonyítás, definíció, megjegyzés, példa, következmény, állítás, feladat, "
            "figyelem, figyelmeztetés, tipp, fontos, forrás, lásd"
        ),
        continued_in_brackets=("folytatás", r"folyt\."),
    ),
    "ro": HeadingWords(
        part=_words("partea, cartea, titlul, volumul, partea a"),
        chapter=_words("capitolul, cap., capitolul al"),
        section=_words("secțiunea, subsecțiunea"),
        article=_words("articolul, art."),
        note=_words("nota"),
        appendix=_words("anexa, anexă, apendice"),
        course_unit=_words("lecția, cursul, modulul, exercițiul"),
        cardinals="unu doi/două trei patru cinci șase șapte opt nouă zece",
        ordinals="întâi/i/întâia/prima doilea/doua treilea/treia patrulea/patra cincilea/cincea "
        "șaselea/șasea șaptelea/șaptea optulea/opta nouălea/noua zecelea/zecea",
        common="de și în a la cu pe că este din care nu pentru o un mai sau se ca fi prin sunt au al dar să "
        "cele această acest le dacă poate după între fost ce",
        page=("pagina", r"pag\."),
        figure=_words("figura, fig., graficul, imaginea"),
        table=_words("tabelul, tab., tabela"),
        contents=_words("cuprins, cuprinsul"),
        contents_lists=_words("lista figurilor, lista tabelelor, listă de figuri, listă de tabele"),
        front_titles=_words("prefață, cuvânt înainte, rezumat, mulțumiri"),
        front_labels=_words("cuvinte cheie"),
        titles=_words(
            "introducere, concluzii, concluzie, bibliografie, referințe, anexe, index, glosar, obiective, "
            "metodologie, rezultate, discuții, exerciții"
        ),
        no_headings=_words(
            "teorema, lema, demonstrație, definiție, definiția, observație, exemplu, exemplul, corolar, "
            "propoziția, exercițiu, notă, avertisment, atenție, sfat, important, figura, tabelul, sursa, "
            "vezi"
        ),
        continued_in_brackets=("continuare",),
    ),
    "ru": HeadingWords(
        part=_words("часть, книга, том, раздел"),
        chapter=_words("глава, гл."),
        subchapter=_words("подраздел"),
        section=_words("параграф, секция"),
        article=_words("статья, ст."),
        note=_words("примечание"),
        appendix=_words("приложение"),
        course_unit=_words("лекция, урок, модуль, занятие, упражнение, задача, тема, шаг"),
        cardinals="один/одна два/две три четыре пять шесть семь восемь девять десять",
        ordinals="перв втор трет четверт пят шест седьм восьм девят десят одиннадцат двенадцат тринадцат "
        "четырнадцат пятнадцат",
        ordinal_endings="ый ая ое ой ий ья ье",
        common="и в не на с что по как для к из от это а за его при или все так но то у же бы если только "
        "также может быть между был они можно этом который",
        page=("страница", r"стр\.", r"с\."),
        figure=_words("рисунок, рис., схема, график, диаграмма, фото, иллюстрация, листинг"),
        table=_words("таблица, табл."),
        contents=_words("содержание, оглавление"),
        contents_lists=_words(
            "список рисунков, список таблиц, список иллюстраций, перечень рисунков, перечень таблиц"
        ),
        front_titles=_words("предисловие, аннотация, реферат, благодарности, от автора"),
        front_labels=_words("ключевые слова"),
        titles=_words(
            "введение, заключение, выводы, литература, список литературы, библиография, "
            "список использованных источников, список использованной литературы, ссылки, приложения, "
            "указатель, предметный указатель, алфавитный указатель, глоссарий, словарь терминов, обзор, "
            "результаты, обсуждение, цели, постановка задачи, примечания, упражнения, задачи, "
            "термины и определения, общие положения, список сокращений"
        ),
        no_headings=_words(
            "теорема, лемма, доказательство, определение, замечание, пример, следствие, утверждение, "
            "предложение, упражнение, задача, вопрос, примечание, предупреждение, внимание, совет, важно, "
            "рисунок, рис., таблица, табл., источник, см."
        ),
        continued_in_brackets=("продолжение", "окончание", r"прод\."),
    ),
    "uk": HeadingWords(
        part=_words("частина, книга, том"),
        chapter=_words("глава, розділ"),
        section=_words("підрозділ, параграф, секція"),
        article=_words("стаття, ст."),
        note=_words("примітка"),
        appendix=_words("додаток"),
        course_unit=_words("лекція, урок, модуль, заняття, вправа, тема, крок"),
        cardinals="один/одна два/дві три чотири п'ять шість сім вісім дев'ять десять",
        ordinals="перш друг трет четверт п'ят шост сьом восьм дев'ят десят",
        ordinal_endings="ий а е ій я є",
        common="і в не на з що та до як для за від це або при його є у але ж якщо також може бути між був "
        "вони можна який яка які цього про із",
        page=("сторінка", r"стор\.", r"с\."),
        figure=_words("рисунок, рис., схема, графік, діаграма"),
        table=_words("таблиця, табл."),
        contents=_words("зміст"),
        contents_lists=_words("список рисунків, список таблиць, перелік рисунків, перелік таблиць"),
        front_titles=_words("передмова, анотація, реферат, подяки"),
        front_labels=_words("ключові слова"),
        titles=_words(
            "вступ, висновки, література, список літератури, список використаних джерел, бібліографія, "
            "додатки, покажчик, предметний покажчик, глосарій, огляд, результати, обговорення, примітки, "
            "вправи, загальні положення, перелік умовних позначень"
        ),
        no_headings=_words(
            "теорема, лема, доведення, означення, визначення, зауваження, приклад, наслідок, твердження, "
            "вправа, задача, примітка, увага, порада, важливо, рисунок, рис., таблиця, джерело, див."
        ),
        continued_in_brackets=("продовження", "закінчення"),
    ),
    "el": HeadingWords(
        part=_words("μέρος, βιβλίο, τόμος, τίτλος"),
        chapter=_words("κεφάλαιο, κεφ."),
        section=_words("ενότητα, τμήμα"),
        article=_words("άρθρο"),
        note=_words("σημείωση"),
        appendix=_words("παράρτημα"),
        course_unit=_words("μάθημα, διάλεξη, άσκηση, βήμα"),
        cardinals="ένα δύο τρία τέσσερα πέντε έξι επτά/εφτά οκτώ/οχτώ εννέα/εννιά δέκα",
        ordinals="πρώτο/πρώτη/πρώτος δεύτερο/δεύτερη/δεύτερος τρίτο/τρίτη/τρίτος τέταρτο/τέταρτη "
        "πέμπτο/πέμπτη έκτο/έκτη έβδομο/έβδομη όγδοο/όγδοη ένατο/ένατη δέκατο/δέκατη",
        common="και το της του η να την των με για που στο από είναι σε τα στην ή θα δεν οι τον τις ένα μια "
        "ως αυτό ότι όπως αν κατά",
        page=("σελίδα", r"σελ\."),
        figure=_words("σχήμα, εικόνα, διάγραμμα, γράφημα"),
        table=_words("πίνακας"),
        contents=_words("περιεχόμενα, πίνακας περιεχομένων"),
        contents_lists=_words("κατάλογος σχημάτων, κατάλογος πινάκων, λίστα σχημάτων, λίστα πινάκων"),
        front_titles=_words("πρόλογος, περίληψη, ευχαριστίες"),
        front_labels=_words("λέξεις κλειδιά"),
        titles=_words(
            "εισαγωγή, συμπεράσματα, επίλογος, βιβλιογραφία, αναφορές, παραρτήματα, ευρετήριο, γλωσσάρι, "
            "στόχοι, μεθοδολογία, αποτελέσματα, ασκήσεις, σημειώσεις"
        ),
        no_headings=_words(
            "θεώρημα, λήμμα, απόδειξη, ορισμός, παρατήρηση, παράδειγμα, πόρισμα, πρόταση, άσκηση, "
            "σημείωση, προσοχή, προειδοποίηση, σχήμα, πίνακας, πηγή"
        ),
        continued_in_brackets=("συνέχεια",),
    ),
    "tr": HeadingWords(
        part=_words("kısım, kitap, cilt, #. kısım, #. kitap"),
        chapter=_words("bölüm, #. bölüm"),
        section=_words("kesim, alt bölüm"),
        article=_words("madde"),
        note=_words("dipnot"),
        appendix=_words("ek"),
        course_unit=_words("ders, ünite, modül, alıştırma, adım"),
        cardinals="bir iki üç dört beş altı yedi sekiz dokuz on",
        ordinals="birinci ikinci üçüncü dördüncü beşinci altıncı yedinci sekizinci dokuzuncu onuncu",
        common="ve bir bu için ile de da olarak olan çok daha ne gibi kadar sonra en ise her veya değil "
        "olduğu ancak göre tarafından var ya şekilde",
        page=("sayfa", r"s\."),
        figure=_words("şekil, grafik, resim, çizelge"),
        table=_words("tablo"),
        contents=_words("içindekiler"),
        contents_lists=_words(
            "şekiller listesi, tablolar listesi, şekil listesi, tablo listesi, çizelgeler listesi"
        ),
        front_titles=_words("önsöz, özet, teşekkür"),
        front_labels=_words("anahtar kelimeler"),
        titles=_words(
            "giriş, sonuç, sonuçlar, sonuç ve öneriler, kaynakça, kaynaklar, ekler, dizin, sözlük, amaç, "
            "yöntem, bulgular, tartışma, genel bilgiler, özgeçmiş"
        ),
        no_headings=_words(
            "teorem, lemma, kanıt, ispat, tanım, örnek, sonuç, önerme, alıştırma, soru, uyarı, dikkat, "
            "ipucu, önemli, şekil, tablo, kaynak"
        ),
        continued_in_brackets=("devamı", "devam"),
    ),
    "vi": HeadingWords(
        part=_words("phần, phần thứ, quyển, tập"),
        chapter=_words("chương, chương thứ"),
        section=_words("mục, tiết"),
        article=_words("điều"),
        appendix=_words("phụ lục"),
        course_unit=_words("bài, bài giảng, bài tập, bước"),
        cardinals="một hai ba bốn năm sáu bảy tám chín mười",
        ordinals="nhất nhì/hai ba tư năm sáu bảy tám chín mười",
        common="và của là có các được cho trong một với không những để khi này đó đã người như từ ra về bạn "
        "hay nếu tại nhiều sẽ trên vào bằng",
        page=("trang",),
        figure=_words("hình, biểu đồ, sơ đồ"),
        table=_words("bảng"),
        contents=_words("mục lục"),
        contents_lists=_words(
            "danh mục hình, danh mục bảng, danh sách hình vẽ, danh sách bảng, danh mục hình vẽ"
        ),
        front_titles=_words("lời nói đầu, tóm tắt, lời cảm ơn, lời tựa"),
        front_labels=_words("từ khóa"),
        titles=_words(
            "giới thiệu, mở đầu, kết luận, tài liệu tham khảo, phụ lục, chỉ mục, thuật ngữ, tổng quan, "
            "mục tiêu, phương pháp, kết quả, bài tập, ghi chú"
        ),
        no_headings=_words(
            "định lý, bổ đề, chứng minh, định nghĩa, chú ý, ví dụ, hệ quả, ghi chú, cảnh báo, nguồn"
        ),
        continued_in_brackets=("tiếp theo", "tiếp"),
    ),
    "id": HeadingWords(
        part=_words("bagian, buku, jilid"),
        chapter=_words("bab"),
        section=_words("subbab, paragraf"),
        article=_words("pasal"),
        note=_words("catatan"),
        appendix=_words("lampiran"),
        course_unit=_words("pelajaran, modul, latihan, langkah"),
        cardinals="satu dua tiga empat lima enam tujuh delapan sembilan sepuluh",
        ordinals="pertama/kesatu kedua ketiga keempat kelima keenam ketujuh kedelapan kesembilan kesepuluh",
        common="yang dan di untuk dengan dari ini pada dalam tidak adalah atau akan ke oleh dapat juga "
        "sebagai itu anda telah karena jika ada bisa tersebut secara",
        page=("halaman", r"hal\."),
        figure=_words("gambar, grafik, diagram"),
        table=_words("tabel"),
        contents=_words("daftar isi"),
        contents_lists=_words("daftar gambar, daftar tabel, daftar lampiran"),
        front_titles=_words("kata pengantar, abstrak, prakata, ucapan terima kasih"),
        front_labels=_words("kata kunci"),
        titles=_words(
            "pendahuluan, kesimpulan, penutup, daftar pustaka, referensi, indeks, glosarium, "
            "latar belakang, tujuan, metode, hasil, pembahasan, hasil dan pembahasan, rumusan masalah, "
            "kesimpulan dan saran"
        ),
        no_headings=_words(
            "teorema, lema, bukti, definisi, contoh, latihan, catatan, peringatan, penting, sumber"
        ),
        continued_in_brackets=("lanjutan",),
    ),
    "ar": HeadingWords(
        part=_words("الجزء, الباب, الكتاب, القسم, المجلد"),
        chapter=_words("الفصل, فصل"),
        section=_words("المبحث, المطلب"),
        article=_words("المادة, مادة"),
        note=_words("إيضاح, ملاحظة"),
        appendix=_words("الملحق, ملحق, المرفق"),
        course_unit=_words("الدرس, المحاضرة, الوحدة"),
        cardinals="واحد اثنان ثلاثة أربعة خمسة ستة سبعة ثمانية تسعة عشرة",
        ordinals="الأول/الأولى/الاول/أول الثاني/الثانية/ثاني الثالث/الثالثة/ثالث الرابع/الرابعة/رابع "
        "الخامس/الخامسة/خامس السادس/السادسة السابع/السابعة الثامن/الثامنة التاسع/التاسعة "
        "العاشر/العاشرة الحادي_عشر الثاني_عشر الثالث_عشر الرابع_عشر الخامس_عشر",
        page=("صفحة",),
        figure=_words("الشكل, شكل, الرسم البياني"),
        table=_words("الجدول, جدول"),
        contents=_words("المحتويات, الفهرس, فهرس المحتويات, جدول المحتويات, قائمة المحتويات, فهرس"),
        contents_lists=_words("قائمة الأشكال, قائمة الجداول, فهرس الأشكال, فهرس الجداول"),
        front_titles=_words("تمهيد, ملخص, الملخص, شكر وتقدير, تقديم"),
        titles=_words("مقدمة, المقدمة, خاتمة, الخاتمة, الخلاصة, المراجع, المصادر والمراجع, الملاحق, النتائج"),
        no_headings=_words("مبرهنة, برهان, تعريف, مثال, ملاحظة, تنبيه, تحذير, المصدر"),
        continued_in_brackets=("تابع", "يتبع"),
    ),
    "he": HeadingWords(
        part=_words("חלק, ספר, כרך"),
        chapter=_words("פרק"),
        section=_words("סעיף"),
        note=_words("ביאור"),
        appendix=_words("נספח, תוספת"),
        course_unit=_words("שיעור, הרצאה, יחידה, תרגיל"),
        cardinals="אחד/אחת שניים/שתיים שלושה/שלוש ארבעה/ארבע חמישה/חמש שישה/שש שבעה/שבע שמונה תשעה/תשע "
        "עשרה/עשר",
        ordinals="ראשון/ראשונה שני/שנייה שלישי/שלישית רביעי/רביעית חמישי/חמישית שישי/שישית שביעי/שביעית "
        "שמיני/שמינית תשיעי/תשיעית עשירי/עשירית",
        page=("עמוד", r"עמ'"),
        figure=_words("איור, תרשים, תמונה"),
        table=_words("טבלה, לוח"),
        contents=_words("תוכן עניינים, תוכן העניינים, תוכן"),
        contents_lists=_words("רשימת איורים, רשימת טבלאות"),
        front_titles=_words("הקדמה, תקציר, תודות, פתח דבר"),
        titles=_words("מבוא, סיכום, מסקנות, ביבליוגרפיה, רשימת מקורות, מקורות, נספחים, מפתח"),
        no_headings=_words("משפט, למה, הוכחה, הגדרה, הערה, דוגמה, מסקנה, תרגיל, אזהרה, מקור"),
        continued_in_brackets=("המשך",),
    ),
}


SECTION_KINDS = HeadingWords._fields[: HeadingWords._fields.index("appendix") + 1]
"""The fields that hold words for numbered sections."""


def all_words(kind: str, languages: Mapping[str, HeadingWords] = LANGUAGES) -> list[str]:
    """The words of one kind (a field of `HeadingWords`) in all languages, in the order of the table."""
    found: dict[str, None] = {}
    for language in languages.values():
        found.update(dict.fromkeys(getattr(language, kind)))
    return list(found)


def any_expression(*kinds: str) -> str:
    """A regular expression for any word or expression of some kinds, a space standing for any white space."""
    words = [word for kind in kinds for word in all_words(kind)]
    alternatives = [word.replace(" ", r"\s+") for word in dict.fromkeys(words)]
    return "(?:" + "|".join(alternatives) + ")"


def all_spellings(*kinds: str) -> frozenset[str]:
    """The words of some kinds, with and without accents, but for spellings that are English titles.

    Catalan contents are headed "Índex"; an English index lists no contents.
    """
    words = [word for kind in kinds for word in all_words(kind)]
    bare = {spelling for word in words for spelling in spellings(word)} - set(LANGUAGES["en"].titles)
    return frozenset(words) | bare


def first_letters(words: Iterable[str]) -> frozenset[str]:
    """The characters, in both cases, that one of some words or expressions can begin with."""
    # An expression may begin with a set of letters.
    letters = {word.lstrip("[")[0] for word in words}
    both_cases = letters | {letter.upper() for letter in letters}
    # The other letters that the `re` module takes for i and s where case does not count.
    both_cases |= {"İ", "ı"} if "i" in letters else set()
    both_cases |= {"ſ"} if "s" in letters else set()
    return frozenset(both_cases)


def spellings(word: str) -> Iterator[str]:
    """A word and how capitals often spell it: without its accents."""
    yield word
    if not word.isascii():
        bare = without_accents(word)
        if bare != word:
            yield bare


def ordinal_words(words: HeadingWords) -> dict[str, int]:
    """The values of the ordinals of a language, spaces left out: "zweiter" is 2."""
    endings = words.ordinal_endings.split() or [""]
    return _values(words.ordinals, endings)


def number_words(words: HeadingWords) -> dict[str, int]:
    """The values of the cardinals and ordinals of a language, spaces left out: "zwei" and "zweiter" are 2."""
    return _values(words.cardinals, [""]) | ordinal_words(words)


def _values(row: str, endings: Sequence[str]) -> dict[str, int]:
    values: dict[str, int] = {}
    for value, forms in enumerate(row.split(), start=1):
        for form in forms.replace("_", "").split("/"):
            for ending in endings:
                values.update(dict.fromkeys(spellings(form + ending), value))
    return values


_LAST_ACCENTED = "\u03ff"  # the last Greek letter; the marks of later scripts are parts of their letters
_DOTLESS_I = "ı"


def without_accents(word: str) -> str:
    """A word in Latin or Greek letters without its accents; words of other scripts stay as they are."""
    if word[0] > _LAST_ACCENTED:
        return word
    letters = unicodedata.normalize("NFD", word).replace(_DOTLESS_I, "i")
    return "".join(letter for letter in letters if not unicodedata.combining(letter))
