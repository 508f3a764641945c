"""Every geometric threshold of the layout, named with its unit.

Units are in the names: `_PT` points, `_EM` multiples of the font size at hand, `_LINES` and `_ROWS` line and
row heights, `_SHARE` a part of a whole between 0 and 1, `_TIMES` a factor, `_COUNT` a number of things.
The comment beside a threshold says what it bounds and why that much. `python -m research.mutation` changes
each of them and reports which changes no test and no real document notices.
"""

from __future__ import annotations

# --- Lines: building lines from runs, gaps between words, scripts -------------------------------------------

# From runs to lines
MAX_WORD_GAP_EM = 1.25  # between two words of one line; runs further apart are cells or columns
MIN_SPACE_EM = 0.17  # gap that is read as a space
MIN_SPACE_AT_FONT_CHANGE_EM = 0.095  # the same between letters of two fonts: a word seldom changes its font
MIN_SPACE_BETWEEN_CJK_EM = 0.6  # Chinese has no spaces, but justified lines stretch
MAX_SIZE_CHANGE_IN_A_WORD_SHARE = 0.05  # difference of two font sizes that look the same
MIN_WHITE_DISPLAY_SIZE_TIMES = 1.4  # of the page's usual size; marks that nobody shall see are small
MIN_WHITE_TEXT_GROUND_PT = 4.0  # height of a box behind white text; lower ones are rules
MAX_REPRINT_SHIFT_PT = 1.2  # shadows and fake bold print the same text again this far aside
MIN_SHADOW_HEIGHT_PT = 12.0  # of display text, whose shadow may lie further aside
MAX_SHADOW_SHIFT_SHARE = 0.36  # of the text's height, by which its shadow is lower or higher
MIN_SHADOW_OVERLAP_SHARE = 0.7  # of the narrower one's width that lies on the other
MIN_SAME_BASELINE_OVERLAP_SHARE = 0.45  # of the lower run's height; a superscript overlaps by about half
EM_OF_LINE_HEIGHT_SHARE = 0.8  # the em of a line whose font size is unknown, of its height

# Text beside a line that does not belong to it: notes beside titles, words in the margin
MIN_SIDE_NOTE_GAP_EM = 0.2  # from this gap on, a run must have the line's height to continue it
MIN_SAME_LINE_HEIGHT_TIMES = 0.55  # height of a run that continues a line, of the line's height ...
MAX_SAME_LINE_HEIGHT_TIMES = 1.8  # ... and its upper bound
MIN_MARGIN_WORD_GAP_EM = 0.75  # from this gap on, even a small change of size marks a word in the margin
MAX_STEP_BACK_EM = 0.6  # a run may begin this far before its line's end: accents, kerned formulas
MAX_STEP_BACK_AT_LINE_START_EM = 0.2  # the same for a run painted later at the line's left

# Pieces of one line that the content stream separates; heights are those of the lower piece
MAX_TORN_LINE_OVERLAP_LINES = 0.3  # the pieces may overlap horizontally by this
MAX_TORN_LINE_GAP_LINES = 0.45  # or stand this far apart
MIN_TORN_LINE_HEIGHT_SHARE = 0.5  # height of the lower piece, of the higher one's
MIN_TORN_LINE_SHARED_HEIGHT_SHARE = 0.6  # vertical overlap

# Pieces that do not count for a line's height: indices, roots, large brackets
MIN_BASELINE_PIECE_SIZE_SHARE = 0.85  # of the line's font size; smaller pieces are raised or lowered
MAX_BASELINE_PIECE_HEIGHT_TIMES = 1.4  # of the height of the line's own runs
MIN_STACK_OVERLAP_PT = 1.0  # horizontal overlap of runs over each other: fractions, limits of sums
MIN_STACK_LEVEL_OVERLAP_SHARE = 0.4  # vertical overlap of runs on one level of a stack, of the lower one

# Runs that reach over several ruled cells
MIN_BAR_INSET_PT = 4.0  # a bar nearer to a run's end stands beside it, not in it
MIN_CELL_TO_GUTTER_WIDTH_TIMES = 1.5  # a cell is this much wider than the white between two tables
MIN_HIDDEN_GAPS_WIDTH_TIMES = 1.2  # a run this much wider than its characters ...
MIN_HIDDEN_GAP_EM = 1.0  # ... and this much more has gaps inside

# Runs that join text of several places; the reader parts them at gaps of 1.2 heights
MIN_SEVERAL_PLACES_HEIGHT_TIMES = 3.2  # of the style's line height: two lines and such a gap
MIN_SEVERAL_PLACES_WIDTH_TIMES = 3.0  # of the same; narrower ones are brackets and vertical text

# Drop caps: a paragraph's first letter that reaches over several lines
MIN_DROP_CAP_SIZE_TIMES = 2.0  # of the size of the lines beside it: two lines are the least a drop cap takes
MIN_DROP_CAP_LINES_COUNT = 2  # lines beside it
MAX_DROP_CAP_GAP_EM = 1.5  # from the letter to the lines beside it, which may follow its slope
MAX_DROP_CAP_LINE_SHIFT_EM = 1.0  # by which such a line may reach under a letter with an overhang

# From lines to rows
MIN_ROW_OVERLAP_SHARE = 0.5  # vertical overlap of two pieces of one row, of the lower one's height
MIN_PAGE_COLUMN_GAP_EM = 3.0  # between a title and the word "Page" over the page numbers of a list
MAX_SIDE_NOTE_SIZE_SHARE = 0.55  # font size of a note beside a title, of the title's
CJK_LINE_END_EM = 2.2  # a line may end two characters early to keep punctuation off the margin
MIN_PROMINENT_SIZE_TIMES = 1.09  # of the body size: text that is set like a heading
MIN_CHAPTER_NUMBER_SIZE_TIMES = 1.5  # of the body size: a bare number that opens a chapter
DEFAULT_BODY_SIZE_PT = 10.0  # the body size of a document without text

# --- Running heads, page numbers, repeated images -----------------------------------------------------------

# Running heads; sizes are compared with the body size
HEAD_ZONE_SHARE = 0.2  # of the page's height, at its top and at its bottom
HEAD_ZONE_BORDER_SHARE = 0.1  # below the zone; the row next to a running head is looked for there
MAX_HEAD_ROW_OFFSET_SHARE = 0.6  # between the middles of lines of one row, of the larger half height
MAX_HEAD_SHIFT_PT = 3.0  # a running head moves at most this much from page to page
MAX_LOOSE_HEAD_SHIFT_PT = 30.0  # the same for page numbers, and on pages of another height
HEAD_LEVEL_RASTER_PT = 1.5  # distances from the page's edge are counted on this raster
MIN_LEVEL_REPEATS_SHARE = 0.5  # lines at a level that other pages repeat, of all pages with a line there
MIN_LEVEL_COVERAGE_SHARE = (
    0.5  # pages with a line at a level, of all: the level belongs to the whole document
)
MIN_DOCUMENT_HEAD_SHARE = 0.66  # of all pages: a running head that names the document, not a section
MIN_COMMON_STYLE_SHARE = 0.1  # of a level's lines: a style that is usual there
MIN_HEAD_CLEARANCE_EM = 1.4  # between a running head and the text
MIN_LEVEL_CLEARANCE_SHARE = 0.6  # clearance of a line that no page repeats, of its level's usual one
MIN_HALF_HEAD_CLEARANCE_EM = 2.4  # the same for half a running head; rows of text are closer
MIN_LARGE_PRINT_SIZE_TIMES = 1.3
MIN_HEADING_LIKE_SIZE_TIMES = 1.05
MIN_SLIDE_TYPE_SHARE = 0.025  # body size of a slide, of its height: a screen is read from afar
MIN_SLIDE_TITLE_SIZE_TIMES = 0.9  # the text of a slide may be as large as its title
MIN_REPEATED_TITLE_SIZE_TIMES = 1.1  # a title that a running head repeats, of the running head's size
MAX_TITLE_PITCH_EM = 1.6  # from one line of a title to the next

# Slides that build up: pages that the next one shows again with more on it
MIN_OVERLAY_TEXT_SHARE = 0.8  # of a page's own text that the next page repeats; the rest may be replaced
MAX_TEMPLATE_PAGES_SHARE = 0.5  # of all pages: text on more of them is no page's own

# Watermarks
MIN_ROTATED_WATERMARK_SIZE_PT = 30.0
MIN_WATERMARK_SIZE_TIMES = 1.8  # of the body size, for upright text
MIN_DIAGONAL_EXTENT_EM = 2.5  # diagonal text takes this much both across and down
WATERMARK_ZONE_START_SHARE = 0.15  # of the page's height, from either end; running heads stand outside
MIN_WATERMARK_PAGES_SHARE = 0.4  # of all pages have it

# Margin marks: side tabs, line numbers, stamps
MARGIN_ZONE_SHARE = 0.1  # of the page's width, at either side
NARROW_MARGIN_ZONE_SHARE = 0.065  # the same for a mark on a single page: axis labels come close
SIDE_TAB_ZONE_START_SHARE = 0.1  # of the page's height, from either end; running heads stand outside
MIN_EVEN_STEPS_SHARE = 0.8  # equal steps between line numbers
MIN_LINE_NUMBERED_PAGES_SHARE = 0.5  # of all pages

# The same text or image at the same position of several pages
SAME_POSITION_RASTER_PT = 4.0
MIN_REPEATED_IMAGE_PAGES_SHARE = 0.1  # of all pages
MIN_GROUND_IMAGE_SHARE = 0.05  # of the page's area; smaller images stand in a head or foot

# --- Printed contents ---------------------------------------------------------------------------------------

# Rows and columns of a list
MAX_PAGE_LABEL_OFFSET_PT = 5.0  # between the right ends of page labels of one column
MAX_ENTRY_PIECE_OFFSET_LINES = 0.4  # between the middles of pieces of one row, of the lower one's height
MIN_OUTERMOST_LIST_EDGE_SHARE = 0.9  # of the text width; nothing stands to the right of such a list
MAX_UNLABELLED_OUTDENT_PT = 40.0  # a title without page label begins at most this far left of the list ...
MAX_FOUND_TITLE_OUTDENT_PT = 60.0  # ... and one that a later page repeats this far
MIN_LIST_HEADING_SIZE_TIMES = 1.25  # of an entry's font size; larger text heads a list
MAX_ENTRY_SIZE_CHANGE_SHARE = 0.12  # of the font size between entries of one list
MAX_ENTRY_PITCH_EM = 3.0  # from one entry to the next

# Titles over several lines
MAX_ENTRY_LINE_PITCH_EM = 2.2  # from one line of a title to the next
MIN_WRAPPED_LINE_SHARE = 0.6  # of the column's width; shorter lines do not wrap
MAX_WRAPPED_LINE_OUTDENT_PT = 1.0  # the second line of a title begins at most this far left of the first
MAX_HANGING_PITCH_SHARE = 0.85  # distance of a hanging line to its title, of that to the row below

# Lists told from tables and text
MIN_RISING_NUMBERS_SHARE = 0.7  # of a page's numbers at line ends, for the page to be examined
MIN_RISING_LABELS_SHARE = 0.8  # of a list's page labels
MIN_LABELLED_ENTRIES_SHARE = 0.6  # rows with page label or leader, of the list's
MIN_LED_ENTRIES_SHARE = 0.5  # rows with a leader, for a list that is known by its leaders
MIN_DISTINCT_LABELS_SHARE = 0.15  # of the labels; a column of equal numbers counts nothing
MIN_NUMBERED_LINES_SHARE = 0.6  # lines that begin with a number on a page of contents without heading
MIN_PAGES_PER_TITLE_TIMES = 2.0  # numbers before titles that run this much higher than the titles count pages

# Titles found again on later pages, of all titles of a list
MIN_TITLES_FOUND_WITH_LEADERS_SHARE = 0.3
MIN_TITLES_FOUND_WITHOUT_LEADERS_SHARE = 0.5
MIN_TITLES_FOUND_ANNOUNCED_SHARE = 0.6  # without page labels, below a heading "Contents"
MIN_TITLES_FOUND_UNANNOUNCED_SHARE = 0.9  # without page labels and without such a heading

# --- Strokes: rules and boxes that tables and figures share -------------------------------------------------

MAX_STROKE_WIDTH_PT = 3.0  # wider ones are boxes
MAX_THICK_STROKE_PT = 7.0  # a long box up to this height is a thick line
MIN_THICK_STROKE_LENGTH_TIMES = 20.0  # of its height
MAX_STROKE_GAP_PT = 2.6  # strokes this close meet
MAX_ROW_BREAK_PT = 7.5  # in the vertical lines between two rows; a line of text needs more
MIN_BROKEN_LINES_COUNT = 4  # that break off at one height; three may be the frames of charts
MAX_BAR_EDGE_OFFSET_PT = (
    MAX_STROKE_GAP_PT + MAX_STROKE_WIDTH_PT / 2
)  # of a joined line from its strokes' edges
MIN_LONG_RULE_PT = 20.0  # on a page with too many rules only those longer than this are used
MAX_OFF_PAGE_PT = 20.0  # what reaches further beyond the page is decoration
MIN_PAGE_GROUND_SHARE = 0.8  # of the page's area; larger boxes are its background
MIN_SHADE_INSET_PT = 2.0  # between a cell's side and the shade behind its text ...
MAX_SHADE_INSET_PT = 9.0  # ... at most
MAX_BAND_BREAK_PT = 14.0  # between the shades of one row; a gutter between two tables is wider
BOOKTABS_RULES_COUNT = 3  # above and below the names, and below the last row
MIN_RULED_ROWS_COUNT = 4  # rules of one length; three rows between them are a table of words
MAX_RULED_ROW_LINES = 7.0  # a row between two rules is at most as many lines high
MAX_HEADER_GAP_LINES = 1.0  # between the first or last rule and the row outside of it
MIN_WORD_COLUMN_GAP_EM = 0.7  # between two columns of words
MAX_VALUES_AMONG_WORDS_SHARE = 0.33  # numbers stand in columns without the help of rules
MIN_SEVERAL_CELLS_SHARE = 0.7  # of the rows between rules have text in several columns
MIN_SHARED_ROW_EDGES_COUNT = 4  # by the shaded cells of two columns of one table
MIN_BAND_HEIGHT_PT = 5.0
MAX_BAND_HEIGHT_PT = 60.0  # higher boxes hold paragraphs
MIN_BAND_WIDTH_PT = 100.0
SAME_BAND_EDGE_PT = 8.0  # between the ends of two shaded rows of a table
MIN_BAND_GAP_BANDS = 0.6  # between two shaded rows, in heights of a row ...
MAX_BAND_GAP_BANDS = 4.0  # ... at most
MAX_SHADE_OVERHANG_PT = 1.0  # by which the shade may be higher than its cell
EDGE_RASTER_PT = 0.5  # edges of boxes are compared on this raster
MIN_CELL_EDGES_SHARED_COUNT = 3  # edges that a cell shares with other rules

# --- Tables -------------------------------------------------------------------------------------------------

MIN_PAGE_LINES_COUNT = 3  # a page with fewer lines has no table

# Words and numbers within a line.
MAX_SAME_WORD_GAP_EM = 0.12  # runs that stand closer are one word
MIN_VALUE_GAP_EM = 0.75  # a number behind a wider gap is a cell of its own
MAX_THOUSANDS_GAP_EM = 0.42  # between the groups of digits in "12 345"
MAX_SHARE_GAP_EM = 0.6  # between a number and its share in brackets, "101 (20.4%)"
MIN_LEADER_DOTS_COUNT = 3  # fewer dots are no leaders
MIN_TRAILING_VALUES_COUNT = 2  # as many numbers at the end of a line are cells, whatever precedes them

# Lines to rows of cells.
MIN_TABLE_ROW_OVERLAP_SHARE = 0.5  # of the lower height: lines that share more stand in one row
MIN_LABEL_OVERLAP_SHARE = 0.2  # the same for a label and the values beside it
MIN_ROW_HEIGHT_PT = 6.0  # gaps are measured in rows at least this high
MAX_CELL_CHARS = 28  # two longer texts in a row are running text
STRAY_VALUE_ROWS = 10  # one row in ten may have a number in its label, left of the value columns
CELL_TEXT_LINE_PT = 4.0  # raster on which pieces of a cell count as one line

# A column of words right behind a column of numbers.
SAME_NUMBER_END_PT = 3.0  # numbers that end within this distance are one column
MIN_NUMBERS_BEFORE_WORDS_COUNT = 3
MIN_NUMBER_START_SPREAD_EM = 0.3  # numbers with units begin closer together
MIN_WORD_END_SPREAD_EM = 1.0  # units end closer together
CUT_GAP_PT = 1.0  # kept free on both sides of the edge where a cell is cut
MIN_CUT_MARGIN_PT = 4.0  # a text isn't cut closer to its ends, neither at an edge nor at a drawn bar

# Columns from the extents of the cells.
MIN_BODY_ROWS_COUNT = 2  # with amounts: fewer don't show the columns
MIN_LABEL_WIDTH_PT = 8.0  # labels begin at least this far left of the first value column
LABEL_COLUMN_GAP_PT = 1.0  # kept free between the labels and the first value column
MAX_HALF_COLUMN_GAP_PT = 7.0  # short and long values of one column, never in one row
MIN_COLUMN_GAP_PT = 0.6  # stretches with less white between them are one column
MIN_FULL_ROWS_COUNT = 3  # rows with a piece in each column show the columns by their order
MIN_FULL_ROWS_SHARE = 0.7
MIN_FULL_ROW_CELLS_COUNT = 3
MAX_ROWS_TWICE_IN_COLUMN_SHARE = 0.02  # of a column's pieces: with more the column is split
MAX_PIECES_OVER_GUTTER_SHARE = 0.3  # of a column's pieces that may reach over the gutter that splits it
MAX_RIGHT_EDGE_SPREAD_PT = 5.0  # cells of one column that are set flush right
MAX_LEFT_EDGE_SPREAD_PT = 2.0  # flush left

# Columns of running text beside a table.
SAME_TEXT_EDGE_PT = 3.0  # raster on which the edges of lines count as the same
MAX_COLUMN_INDENT_PT = 30.0  # a first line of a paragraph or an item begins no further right
MIN_PROSE_LINE_PT = 90.0  # width of a line that may show a column of running text
MIN_PROSE_LINE_CHARS = 25
MAX_CHANCE_LINES_COUNT = 4  # lines that share both their edges by chance
MAX_TEXT_EDGE_SHIFT_PT = 3.0  # a line that fills a column ends and begins this close to its edges
MIN_TEXT_COLUMN_SHARE = 0.7  # of the page's text that a column without a twin is wide
MAX_TWIN_WIDTH_SHIFT_SHARE = 0.15  # of the width of two columns of text side by side
MIN_RAGGED_LINE_SHARE = 0.75  # of its column that a line of text set ragged fills at least
MIN_FILLING_LINE_CHARS = 20
TEXT_COLUMN_OVERHANG_PT = 9.0  # by which lines may reach out of a text column
MAX_PARAGRAPH_GAP_PT = 60.0  # a text column goes on below less white

# Vertically centred cells: "Luo", then "2,400  2,080", then "Minzhi".
MAX_WRAPPED_LINES_COUNT = 12  # of one row; more are columns of running text
MAX_WRAPPED_LINE_CHARS = 60
MIN_WRAPPED_ROWS_COUNT = 2  # one may be chance
MAX_WRAPPED_OFF_MIDDLE_LINES = 0.25  # by which a cell's middle misses that of its row
MIN_WRAPPED_COLUMN_GAP_PT = 3.0  # what stands closer may be the parts of a heading's number
MIN_WRAPPED_ROW_GAP_PT = 3.0  # white between rows beyond that between the lines of a cell

# Borderless tables: where a block of rows begins and ends.
MIN_TITLE_SIZE_TIMES = 1.12  # the size of a table's text: a larger line is a title
MAX_NAME_OUTDENT_PT = 10.0  # by which a column's name may begin left of its values
BLOCK_MARGIN_PT = 4.0  # strokes this close to a block of rows belong to it
MAX_STRETCH_GAP_ROWS = 2.0  # of white between the rows of one stretch
MIN_FRAME_SHARE = 0.5  # of the width of rows: a rule that frames them is as long

# Rows between horizontal rules (booktabs).
MIN_FRAME_RULE_PT = 60.0  # shorter rules stand under numbers, or are fraction bars
SAME_RULE_END_PT = 6.0  # raster on which the ends of rules count as the same
FRAME_OVERHANG_PT = 9.0  # by which cells may reach out of a frame at its sides
FRAME_MARGIN_PT = 2.0  # by which the middle of a row may miss a frame above and below

# What stands in columns and is no table.
MAX_PAGE_NUMBER_CHARS = 4
MIN_FIGURE_AROUND_BOXES_TIMES = 2.0  # the area of a row of boxes: a larger figure around them is a diagram

# Drawn grids.
MAX_GRID_CELLS_COUNT = 6000  # a grid of more is a drawing
MIN_GRID_COLUMN_EDGES_COUNT = 3
OUTER_EDGE_TOUCHES_TIMES = 2.0  # rules that run on further than so many touches have an edge at their end
MAX_BAR_MARGIN_LINE_SHARE = 0.2  # of a line's width: a bar closer to its end isn't drawn through it
MIN_BAR_MARGIN_RUN_SHARE = 0.15  # of a run's width: the same for a word
MIN_SPACE_GAP_HEIGHTS = 0.17  # of a run's height: a wider gap is a space
MAX_CUT_RUN_CHARS = 40  # a longer run with a bar through it is running text
MAX_SLIVER_PT = 13.0  # an empty row or column that is narrower is padding between frames
MAX_BAND_OVERHANG_PT = 2.0  # by which a text may reach into the next row or column
MAX_HEADER_ROWS_COUNT = 5
MAX_LABELS_BELOW_HEADER_LINES = 4.5  # between a shaded header and the first values: two labels

# Grids that are no table.
MAX_OPEN_AREA_SHARE = 0.35  # of a grid, open to the page around it
MAX_EMPTY_CELL_SHARE = 0.4  # of a grid's area that one cell without text may take
MIN_FORM_BLANKS_COUNT = 30  # with so many empty cells a grid is a form rather than a diagram
MIN_RUNNING_TEXT_SHARE = 0.8  # of a grid's width that a line of running text fills
MAX_RUNNING_LINES_SHARE = 0.5  # of a cell's lines,
MAX_RUNNING_LINES_OF_MANY_SHARE = 0.25  # or of many lines
MANY_CELL_LINES_COUNT = 6
MIN_ROWS_AMONG_TEXT_COUNT = 3  # with several cells, in a grid that holds more running text than cells
MIN_LINE_NUMBERS_COUNT = 5  # that count up in a cell: a listing stands beside them
MAX_CUT_LINES_SHARE = 0.25  # of the lines that have a bar through a word
MIN_NAMED_COLUMNS_SHARE = 0.8
MIN_FULL_GRID_SHARE = 0.9  # of the rows or cells that hold something: a full grid
MIN_FILLED_ROWS_SHARE = 0.6  # of the rows
MIN_FILLED_GRID_SHARE = 0.3  # of the cells
MIN_FULL_GRID_CELLS_COUNT = 9
MIN_ALIGNED_COLUMNS_SHARE = (
    0.34  # of a grid's columns, without a name for each, that have texts below each other
)
MIN_CELL_CHARS = 1.5  # on average; fewer are the marks of a chart
MIN_LATTICE_ROWS_COUNT = 2
MIN_LATTICE_COLUMNS_COUNT = 3

# Cells of a grid that hold several rows or columns.
MAX_SIDE_BY_SIDE_SHARE = 0.15  # of the pieces: with more the grid's lines aren't those of its columns
MIN_STACKED_ROWS_COUNT = 3  # rows in one drawn row of cells
MAX_LABEL_IN_STACK_SHARE = 0.85  # of its column that the label of such a row fills; wrapped text fills more
MAX_STACKED_VALUES_COUNT = 2  # in one cell; more are rows
MAX_STACKED_OVERLAP_PT = 3.0  # by which lines upon each other may overlap
MIN_PIECE_GAP_PT = 14.0  # between two pieces of a cell that belong to different columns

# Text around a grid.
MIN_ROWS_BESIDE_TEXT_COUNT = 4  # with fewer rows, what stands beside a grid is ignored
MAX_NAMES_ABOVE_GRID_LINES = 1.5  # between a grid and the column names above it
MIN_LONE_ROW_FILLED_COUNT = 3  # cells with text in a grid of one row,
MIN_LONE_ROW_CELLS_COUNT = 5  # or cells in all
MIN_LONE_ROW_HEIGHT_LINES = 1.2  # shades of single words are lower

# Tables that stand right upon each other.
MAX_HEADER_CELL_CHARS = 24  # of a year or unit beside a heading in a table
MAX_TABLE_HEADING_CHARS = 160  # of a heading that stands in a table
MAX_NUMBERED_TITLES_PAGES_APART = 12  # between two headings of one series, of which one stands in a table
TABLE_RULE_MARGIN_PT = 3.0  # a rule this close to a table is its own
MAX_STACKED_EDGE_SHIFT_PT = 16.0
MAX_STACKED_DISTANCE_PT = 30.0
MAX_STACKED_WHITE_PT = 6.0  # beside the label between them
STACKED_LABEL_REACH_PT = 2.0  # by which the middle of that label may miss the gap

# Header rows.
MAX_RULE_BELOW_NAME_PT = 6.0  # between a spanning name and the rule under it
MAX_RULE_INTO_NAME_PT = 2.0  # by which that rule may touch the name
MAX_NAME_BEYOND_RULE_PT = 4.0  # by which a name may reach over the ends of that rule
MIN_NAME_OVERLAP_PT = 3.0  # that a name and a column share, if it may name the column
MAX_FLUSH_SHIFT_PT = 2.0  # by which a name misses the edge of the column that it is flush with
MIN_NAME_GAP_EM = 0.4  # beyond a space, between the names of two columns in one piece of text
MIN_NAMES_WIDTH_TIMES = 1.5  # its words' width: a narrower piece amid the columns is one name
MAX_NAME_WORDS_COUNT = 12  # that are distributed over columns
MIN_NAMED_COLUMN_SHARE = 0.4  # of a column's width: a name that covers more stands over it
MIN_SPANNING_NAME_PT = 12.0  # a shorter name doesn't span columns
MAX_NAME_OFF_CENTRE_PT = 6.0  # by which a name misses the middle of what it names
MAX_NAME_LINE_GAP_LINES = 0.4  # between the lines of one name
RULE_BETWEEN_ROWS_PT = 3.0  # by which a rule between two rows may reach into them
MAX_LABEL_INDENT_PT = 30.0  # of a label between the names and the first amounts
MIN_LABEL_COLUMN_PT = 60.0  # such a label is never longer than the larger of this and the label column

# Cells of borderless tables.
MAX_VALUE_BEFORE_COLUMN_PT = 2.0  # a number at the end of a text that stands in a number column
MAX_VALUE_END_SHIFT_PT = 4.0
MIN_TEXT_BEFORE_COLUMN_PT = 12.0
MAX_WRAPPED_LABEL_GAP_PT = 2.0  # beyond the usual gap between rows
MAX_LABEL_OUTDENT_PT = 2.0  # the second line of a label may begin this much further left
MIN_HANGING_INDENT_PT = 2.0  # the second line of a full label begins this much further right
MIN_FULL_LABEL_SHARE = 0.86  # of the label column: a line that fills more may have been broken
MIN_BROKEN_LABEL_COLUMN_PT = 60.0  # labels break only in a wider column

# Numbers and rows that a narrow cell or a page break cuts.
CELL_PADDING_PT = 12.0  # at both sides of a cell together: what most programs leave, and one more
MAX_TABLE_EM_PT = 11.0  # the type in tables: what didn't fit on a line is no wider
MIN_ROWS_AROUND_CUT_COUNT = 2  # with fewer a column is filled by chance

# Tables that go on over a page break.
SAME_DRAWN_EDGE_PT = 4.0  # by which drawn column edges differ from page to page
SAME_COLUMN_END_PT = 9.0  # the same without rules: a bracket or a wider number
SAME_LABEL_INDENT_PT = 16.0  # by which labels are indented differently
MIN_SHARED_EDGES_SHARE = 0.6  # of the column edges that both parts have

# Header rows of tables whose cells aren't marked.
MAX_GUESSED_HEADER_ROWS_COUNT = 3
MAX_COLUMN_NAME_CHARS = 40

# --- Figures ------------------------------------------------------------------------------------------------

MIN_FIGURE_RULES_COUNT = 3  # a page with fewer rules, and without bitmaps, has no figure
MAX_ICON_AREA_PT2 = 2500.0  # square points: a smaller picture is an icon
MAX_FIGURE_PAGE_SHARE = 0.55  # of the page's area: a larger bitmap under text is its background
MAX_PICTURE_SLICE_GAP_PT = 3.0  # between the slices of one picture
MAX_CENTRE_OUTSIDE_PT = 2.0  # by which the centre of what a box holds may lie outside the box
FURNITURE_RULE_MARGIN_PT = 6.0  # around a running head or foot, in which its rule stands
DRAWING_TABLE_MARGIN_PT = 5.0  # around a table, in which its own rules stand

# Running text decides what a box with strokes or a bitmap is.
MAX_PICTURE_TEXT_LINES = 1  # of running text on a picture
MAX_CHART_TEXT_LINES = 2  # of running text in a chart that an axis or a caption confirms
MIN_LINE_IN_BOX_PT = 2.0  # by which a line must reach into a box to count as inside
MAX_PANEL_EDGE_SHIFT_PT = 1.5  # between the left edges of the lines of a panel of text
MAX_PANEL_PITCH_EM = 1.8  # between the tops of such lines
MIN_PANEL_LINES = 6  # closely below another that make a panel of text
MIN_PICTURE_LABELS_COUNT = 5  # on a picture: fewer, one of them large, are a title and not labels

# A drawing among other strokes: no underlines, no frame, no shades behind text.
STROKE_RASTER_PT = 8.0  # cell of the raster on which neighbouring strokes meet
MIN_DRAWING_STROKES_COUNT = 6  # that make a drawing by themselves
MAX_STROKE_PAGE_SHARE = 0.5  # of the page's area: a larger box is a background or a page frame
MAX_STROKE_LENGTH_SHARE = 0.95  # of the page's width: a longer stroke is a rule between texts
MIN_UPRIGHT_STROKES_SHARE = 0.3  # of a drawing's strokes that are not horizontal
STROKE_POSITION_PT = 4.0  # strokes that begin closer than this begin at one position
MIN_STROKE_POSITIONS_COUNT = 4  # across and down, at which a drawing's strokes begin
MAX_INNER_STROKE_WIDTH_SHARE = 0.9  # of the frame's width: the shades of a listing's lines are wider
MIN_INNER_STROKE_INSET_PT = 4.0  # between the middle of an inner stroke and the frame
MIN_INNER_STROKES_COUNT = 3  # inside the frame
MIN_INNER_AREA_SHARE = 0.25  # of the frame's area: less is a framed note with an icon

# Labels inside and around a figure.
MAX_LABEL_SIZE_TIMES = 1.3  # the body size: larger text is no label
MAX_SMALL_LABEL_SIZE_TIMES = 0.95  # the body size: smaller text is no running text
MAX_LABEL_OVERHANG_PT = 5.0  # by which a label may stick out of its figure
MAX_TICK_GAP_PT = 16.0  # between a drawing and the numbers or labels along its edge
MAX_LABEL_BEYOND_AXIS_PT = 20.0  # by which a label along an axis may reach beyond its end
MAX_LABEL_ROW_SHIFT_PT = 2.0  # between the tops of labels side by side
MIN_TURNED_HEIGHT_TIMES = 0.6  # its width: text that runs upwards is higher than a word
MIN_FIGURE_SIDE_PT = 32.0  # what is narrower or lower is an icon or a line
MAX_DRAWING_PARTS_GAP_PT = 40.0  # between the parts of a drawing that stand side by side
MIN_CAPTIONED_STROKES_COUNT = 3  # that make the drawing at a caption
MAX_DRAWING_CAPTION_GAP_PT = 60.0  # between a drawing and its caption, axis labels between them
MAX_OBSTACLE_OVERLAP_PT = 3.0  # by which running text may reach into the drawing that it bounds
MAX_STROKE_OVERLAP_PT = 1.0  # by which a drawing's stroke may reach into the text that bounds it

# An axis: numbers under each other on one edge, at equal distances, going up in equal steps.
MIN_AXIS_TICKS_COUNT = 3  # numbers that make an axis
MAX_TICK_EDGE_SHIFT_PT = 3.0  # between edges that are on one line
MAX_TICK_STEP_DIFFERENCE_SHARE = 0.01  # by which the steps of the values differ: only by rounding
MAX_TICK_DISTANCE_DIFFERENCE_SHARE = 0.1  # by which the distances of the numbers differ,
MAX_TICK_DISTANCE_DIFFERENCE_PT = 2.0  # or this much, whichever is more

# The plot at an axis.
MAX_AXIS_GAP_PT = 24.0  # between the numbers along an axis and its strokes
MAX_AXIS_OVERLAP_PT = 4.0  # by which a stroke may reach into the numbers along the axis
MAX_PLOT_BEYOND_AXIS_SHARE = 0.3  # of the axis' height, by which a plot may be higher
MIN_AXIS_STROKE_SHARE = 0.7  # of the axis' height that a stroke must have to be the axis itself
MIN_GRID_LINES_COUNT = 3
MIN_GRID_LINE_WIDTH_PT = 64.0
MAX_FRAME_AREA_TIMES = 2.5  # the chart's area: a larger box is not its frame

# --- Text blocks: paragraphs, run-ins, footnotes, code listings ---------------------------------------------

MAX_TITLE_ROWS = 4  # without those of its label: longer texts are paragraphs

# A centred block.
MAX_CENTRED_ROWS = 4  # a longer block is a paragraph, however narrow
MAX_CENTRED_MARGIN_DIFFERENCE_PT = 4.0  # between the left and right margins of a row,
MAX_CENTRED_MARGIN_DIFFERENCE_SHARE = 0.08  # or of both margins together, whichever is more
MAX_CENTRED_WIDTH_SHARE = 0.9  # of the column: a block that fills more is not clearly centred

# Left and right edges of rows.
MAX_ALIGNED_EDGE_SHIFT_PT = 2.0  # between edges that are aligned
MAX_JUSTIFIED_EDGE_SHIFT_PT = 0.8  # between the right edges of justified rows
MIN_JUSTIFIED_WIDTH_EM = 12.0  # a shorter row may end where its neighbour does by chance
MAX_JUSTIFIED_INDENT_PT = 40.0  # between the left edges of two justified rows
MIN_FIRST_WORD_SHARE = 0.5  # of a row's mean character: `first_word_width` is never less
MIN_NARROW_TEXT_ROWS = 3  # on one left edge that show the right edge of a narrower text,
MIN_NARROW_TEXT_SHARE = 0.6  # of the column that such a text fills
MAX_SHORT_ROW_SHARE = 0.4  # of the column: a lead-in, a signature
MIN_NEARLY_FULL_ROW_SHARE = 0.75  # of the column
MIN_WIDENED_ROW_TIMES = 2.0  # the width of the row above
MIN_CENTRED_EDGE_SHIFT_PT = 3.0  # between the left edges of centred rows; flush rows share theirs
MAX_SHARED_AXIS_SHIFT_PT = 3.0  # between the axes of two centred rows
MAX_COLUMN_AXIS_SHIFT_PT = 12.0  # between the axis of centred rows and that of their column
MAX_FIRST_LINE_INDENT_EM = 6.0  # further in, a row stands by itself
MIN_FIRST_LINE_INDENT_EM = 0.8  # of a paragraph's first line,
MIN_FIRST_LINE_INDENT_AFTER_BREAK_EM = 0.5  # and of one that begins a column or page
MIN_ITEM_NUMBER_INDENT_EM = 0.5  # by which an item's number stands off the text above
MIN_ROW_BEFORE_REFERENCE_EM = 20.0  # wide, of a row that goes on with a reference in another colour
MAX_FORMULA_NUMBER_INSET_EM = 6.0  # between a formula's number and the right edge of the text below
MAX_HANGING_SHIFT_EM = 0.5  # between the left edges of the lines of one hanging paragraph
MIN_NEW_ITEM_PITCH_TIMES = 1.3  # the distance above, which shows that something new begins
MAX_TEXT_SIZE_CHANGE_SHARE = 0.07  # between the font sizes of one paragraph's rows, of repeated running heads

# Pitch: the distance between the baselines of rows.
DEFAULT_PITCH_EM = 1.3  # where the document shows none
MIN_TEXT_PITCH_EM = 0.9  # closer rows are no lines of one text,
MAX_TEXT_PITCH_EM = 3.0  # and neither are rows further apart
MAX_SAME_LINE_SHIFT_EM = 0.3  # closer rows stand on one line; further above they belong elsewhere
ALWAYS_CLOSE_PITCH_EM = 1.25  # rows of one paragraph, whatever the usual pitch
MIN_WIDE_PITCH_TIMES = 1.28  # the usual pitch: another paragraph begins
ALWAYS_FAR_PITCH_EM = 3.2  # another paragraph begins, whatever the usual pitch,
MAX_WIDELY_SPACED_PITCH_EM = 4.2  # except in widely spaced text,
MAX_WIDELY_SPACED_DIFFERENCE_SHARE = 0.04  # whose pitches differ by no more
MAX_CONFIRMED_PITCH_EM = 2.3  # of a wider pitch the row below can't show that it is usual here

# Rows of one heading.
MAX_HEADING_PITCH_EM = 2.0  # between its rows,
MAX_HEADING_PITCH_TIMES = 1.3  # or times the usual pitch, whichever is more
MAX_TIGHT_PITCH_TIMES = 0.9  # the usual pitch: closer than any text is set
MIN_LARGE_HEADING_SIZE_TIMES = 1.18  # the body size: large print close together is one heading,
MAX_LARGE_HEADING_PITCH_EM = 1.4  # where its rows are no further apart
MIN_HANGING_TITLE_INDENT_EM = 0.6  # of a second row that hangs under the title behind its number,
MAX_HANGING_TITLE_SHIFT_EM = 1.5  # by which it may miss the title's left edge
MIN_NUMBER_TAB_EM = 1.5  # between a number and its title that gives the title an edge of its own
MIN_CENTRED_MARGIN_EM = 2.0  # between a centred row and the column's left edge

# A number and the title beside it; a formula and its number.
MAX_NUMBER_TITLE_GAP_EM = 6.5  # between a number and its title
MAX_NUMBER_TITLE_OVERLAP_EM = 0.2  # by which a title may begin before its number ends
MAX_NUMBER_TITLE_TOP_SHIFT_EM = 1.0  # between their tops
MAX_FORMULA_NUMBER_GAP_EM = 8.0  # between a formula and the number at its end
MAX_COLUMN_END_SHIFT_PT = 1.5  # between the right edges of an equation's number and of its column
MIN_LINES_AT_COLUMN_END_COUNT = 4  # lines that end there

# A label ("Chapter 3") and the title below it.
OPENER_ZONE_SHARE = 0.5  # of the page's height: the first line of a chapter's opening stands above
MAX_OPENER_GAP_EM = 6.0  # between two lines of an opening
MAX_TITLE_LINE_GAP_EM = 1.0  # between two lines of a title that differ in size or slant
MIN_LOOK_BELOW_TITLES_SHARE = 0.8  # of all short texts that look like a subtitle
MIN_SUBTITLE_SIZE_SHARE = 0.75  # of its title's size, to be part of the heading
MIN_SUBTITLE_SIZE_STEP_TIMES = 1.05  # a title's size, of the size of its subtitle
MAX_LABEL_ROWS = 2  # "CHAPTER", and "ONE" below it
MIN_LABEL_GAP_EM = -0.5  # between a label and its title: they may overlap,
MAX_LABEL_GAP_EM = 4.0  # and stand this far apart
MAX_LABELLED_TITLE_SHARE = 0.8  # of the column's width, for a title in the font of the text
MAX_CAPTION_LABEL_GAP_EM = 1.0  # between "Table 3" and the caption's text below it
MIN_CENTRED_LABEL_INDENT_EM = 4.0  # of a label in the middle of its column
MAX_FLUSH_TITLE_INDENT_PT = 12.0  # of a heading that begins at the column's left edge below such a label,
MIN_FLUSH_TITLE_MARGIN_SHARE = 0.5  # of the label's indent that is free to the right of the heading

# Run-in headings.
MIN_RUN_IN_GAP_EM = 0.7  # between a run-in heading and its text, where no full stop parts them

# Lists, captions, displayed formulas.
MAX_LIST_EDGE_SHIFT_PT = 1.0  # between the left edges of the items of one list
MAX_LIST_ITEM_GAP_EM = 0.8  # between two items
MAX_CAPTION_ROWS = 6
MIN_MATH_FONT_SHARE = 0.35  # of a formula's characters that are set in a font for mathematics
MAX_FORMULA_GAP_EM = 1.0  # of the body size, between the pieces of one formula
MAX_GAP_AFTER_FORMULA_NUMBER_EM = 0.35  # the same below its number: limits of a sum

# Footnotes.
MAX_FOOTNOTE_SIZE_TIMES = 0.93  # the body size
MIN_FOOTNOTE_TOP_SHARE = 0.3  # of the page's height: what begins above is text in small print,
MAX_MARGIN_COLUMN_SHARE = 0.6  # except in a column of at most this share of the widest

# Paragraphs and tables that go on after a column or page break.
MAX_CONTINUED_TITLE_ROWS = 3  # of a title above the rest of a table
MAX_OPEN_ROW_SLACK_EM = 1.0  # free at the end of a last row beyond the width of the next word
MAX_CJK_CONTINUATION_INDENT_EM = 1.0  # Chinese paragraphs begin two characters in

# Code listings.
MAX_MONOSPACE_SHARE = 0.85  # of a document's characters: more of them are its running text
MAX_CODE_SIZE_TIMES = 1.15  # the usual size on the page: larger words are headings
MAX_LINE_NUMBER_GAP_EM = 4.0  # between the number of a row of code and the code
MAX_ADDRESS_ROW_GAP_EM = 0.6  # between the rows of a web address
MAX_CODE_ROW_GAP_EM = 2.4  # between the rows of one listing: one may be left blank
MIN_BLANK_CODE_ROW_TIMES = 1.6  # the usual distance of rows: one is left blank
MAX_CODE_OUTDENT_EM = 12.0  # by which a row may begin left of the first
MAX_CODE_REACH_EM = 20.0  # by which a row may begin right of the widest before it
MIN_CODE_ROWS = 2  # a single one must look like code
MIN_NUMBER_ROWS_SHARE = 0.6  # of the rows of a typewritten table
MAX_CODE_ROWS_BESIDE_TEXT_SHARE = 0.5  # of a listing's rows: more are terms beside their explanations
MAX_CODE_EXPLANATION_GAP_EM = 20.0  # between such a term and its explanation
MAX_CODE_SHIFT_CHARS = 40  # characters between the left edges of a listing's parts on two pages
DEFAULT_CODE_CHARACTER_EM = 0.6  # wide: a character of most monospaced fonts

# Superscripts and underlines.
MIN_SUPERSCRIPT_RISE_EM = 0.1  # between the middles of a superscript and its line
MIN_SUBSCRIPT_DROP_EM = 0.17  # more, since small letters on the baseline have a lower middle, too
MAX_UNDERLINED_LINES = 4  # in a longer text underlines are links
MAX_UNDERLINE_THICKNESS_PT = 2.5  # what is higher is a box
MAX_UNDERLINE_OVERHANG_PT = 2.5  # by which a stroke may go beyond its text, or lie below it
MIN_UNDERLINED_HEIGHT_PT = 0.1  # of a text's box; others come from broken files
MIN_UNDERLINED_WIDTH_SHARE = 0.5  # of a line: a number before a title often has no stroke
MIN_UNDERLINE_DEPTH_SHARE = 0.5  # of a line's height: what is drawn above strikes text out

# --- Page: columns, reading order, turned text --------------------------------------------------------------

MAX_LINES_AROUND_TABLE_SHARE = 0.75  # of a table's width: such lines don't show how wide the column is

# Zones and gutters of the reading order.
MIN_GUTTER_EM = 0.75  # between two columns
MIN_OVERLAPPED_HEIGHT_TIMES = 6  # the overlap: boxes of tightly set lines overlap by up to a sixth
MAX_PLAIN_ZONE_ROWS = 2  # a zone of no more is a line with a wide gap, no pair of columns
MAX_PLAIN_ZONE_BOXES_COUNT = 12  # a zone of more boxes is taken to have more rows
MIN_ZONE_GAP_TIMES = 0.6  # the narrowest gutter: the white between zones that are divided anew
MIN_TERMS = 4  # lines of a list of terms beside their explanations,
MIN_TERMS_SHARE = 0.5  # of the lines of the explanations,
MIN_EXPLAINED_TERMS_SHARE = 0.9  # that begin on the line of a term;
MAX_TERM_WIDTH_SHARE = 0.5  # of the widest explanation,
MAX_END_LABEL_SHARE = 0.3  # of the width of its zone, for a label at the right end of a line
MAX_END_LABEL_HEIGHT_EM = 2.0  # a higher one is a figure
MIN_LABELLED_LINES_SHARE = 0.8  # of the labels: the edge of a zone may part one from its line
MAX_END_LABEL_SHIFT_EM = 0.3  # by which such a label may miss the right edge
MIN_END_LABEL_GAP_EM = 2.0  # between a line and its label
MIN_RAGGED_END_EM = 0.5  # between the ends of those lines, which running text shares
MIN_HEAD_ROWS = 2  # of centred names above columns,
MIN_HEAD_EDGE_DISTANCE_EM = 0.4  # between the ends of these names and the columns' edges
MAX_TAIL_TITLE_SHARE = 0.65  # of its column that a title at the foot of a zone fills

# Columns of running text, as opposed to pieces of rows.
MIN_COLUMN_LINES = 3  # in each column of a zone,
MIN_INNER_COLUMN_LINES = 6  # in each column beside a picture or a chart,
MIN_LONGEST_COLUMN_LINES = 4  # and in its longest
MIN_FILLED_COLUMN_SHARE = 0.5  # of a column's width that its median line fills
MIN_FULL_LINE_SHARE = 0.95  # of the width that a line of running text fills from edge to edge,
MIN_FULL_LINE_TIMES = 10.0  # its height: names and codes may all be of one length
MIN_FULL_LINES = 8  # make a column of text, however many pieces of formulas stand between
MAX_SIDE_COLUMN_SHARE = 0.35  # of its neighbour's lines that a side column has
MIN_EQUAL_COLUMN_SHARE = 0.85  # of the wider column: columns of one text are equally wide,
MAX_COLUMN_TOP_SHIFT_LINES = 1.0  # and begin at one height,
MIN_LINES_BEFORE_SHORT_COLUMN = 8  # of the longest column, if the last one ends early

# Side notes: what stands beside the text and is read where it stands.
MAX_BLOCK_LINE_GAP_EM = 0.6  # between the lines of a footnote, or of a note beside the text
MAX_SIDE_TITLE_DROP_EM = 0.35  # by which a title in the margin may begin below the text beside it
MIN_SIDE_TITLE_WIDTH_EM = 4.0  # of such a title

# Authors side by side on a first page, each with centred lines below the name.
MAX_AUTHOR_DEPTH_SHARE = 0.5  # of the page's text: authors stand above
MIN_AUTHOR_LINES = 2  # a name, and something else
MAX_AUTHOR_AXIS_SHIFT_EM = 0.5  # between the middles of one author's lines
MAX_AUTHOR_LINE_GAP_EM = 0.9  # between such lines
MAX_AUTHOR_LINE_OVERLAP_EM = 0.4  # by which they may overlap
MIN_EXTRA_AUTHOR_GAP_EM = 0.45  # between two authors, more than between the lines of one
MIN_AUTHOR_WIDTH_DIFFERENCE_EM = 1.0  # between an author's lines: those of running text are equally wide
MAX_AUTHOR_TOP_SHIFT_EM = 0.6  # between the tops of authors side by side

# Text that is not upright, and text that runs from top to bottom.
MIN_SIDEWAYS_TEXT_SHARE = 0.5  # of a page's characters that stand sideways: the page is set so
MIN_SIDEWAYS_UPRIGHT_SHARE = 0.8  # of these in runs higher than wide: the others stand aslant
MIN_SIDEWAYS_TABLE_SHARE = 0.4  # of these in tables: a page shown as a picture is a figure
MIN_SIDEWAYS_OVERLAP_SHARE = 0.5  # of the narrower run's width that runs of one sideways line share
MAX_TURNED_LABEL_GAP_PT = 12.0  # between a figure and its axis labels
MIN_VERTICAL_TEXT_SHARE = 0.6  # of a page's characters that stand in columns
MIN_VERTICAL_RUN_TIMES = 2.0  # its width: three characters in a row are as much wider than high
MAX_VERTICAL_RUN_EM = 1.3  # two characters side by side are wider

# --- Doubt: signs that a table may be wrong -----------------------------------------------------------------

TABLE_EDGE_PT = 2.0  # the box of a table may end inside a character
MAX_NEXT_ROW_GAP_EM = 1.2  # from a table to a line that may be its next row
MAX_SAME_TABLE_ROW_SHIFT_PT = 2.0  # between the middles of texts on one line
MIN_HIDDEN_COLUMN_GAP_EM = 0.9  # between words of one cell that may be those of two columns
MIN_COLUMN_WHITE_EM = 0.4  # between two columns, from their top to their bottom
MIN_RULE_LENGTH_EM = 0.8  # of a rule between rows or columns
MAX_ALIGNMENT_SHIFT_EM = 0.6  # of a cell against its column

# --- The title of a document -------------------------------------------------------------------------------

MAX_TITLE_LINE_GAP_LINES = 2.5  # between two lines of a title on a cover
MAX_TITLE_SIZE_CHANGE_SHARE = 0.06  # of the size, between two lines of one title
MIN_TITLE_RELATIVE_SIZE = 1.15  # times the size of the body text
