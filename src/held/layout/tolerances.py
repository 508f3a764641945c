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
MIN_WHITE_TEXT_GROUND_PT = 4.0  # height of a box behind white text; lower ones are rules
MAX_REPRINT_SHIFT_PT = 1.2  # shadows and fake bold print the same text again this far aside
MIN_SAME_BASELINE_OVERLAP_SHARE = 0.45  # of the lower run's height; a superscript overlaps by about half
EM_OF_LINE_HEIGHT_SHARE = 0.8  # the em of a line whose font size is unknown, of its height

# Text beside a line that does not belong to it: notes beside titles, words in the margin
MIN_SIDE_NOTE_GAP_EM = 0.2  # from this gap on, a run must have the line's height to continue it
MIN_SAME_LINE_HEIGHT_TIMES = 0.55  # height of a run that continues a line, of the line's height ...
MAX_SAME_LINE_HEIGHT_TIMES = 1.8  # ... and its upper bound
MIN_MARGIN_WORD_GAP_EM = 0.75  # from this gap on, even a small change of size marks a word in the margin
MIN_MARGIN_WORD_SIZE_CHANGE_EM = 0.05  # that small change
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
MAX_HEAD_SIZE_CHANGE_SHARE = 0.08  # its font size changes at most this much
HEAD_LEVEL_RASTER_PT = 1.5  # distances from the page's edge are counted on this raster
MIN_LEVEL_REPEATS_SHARE = 0.5  # lines at a level that other pages repeat, of all pages with a line there
MIN_LEVEL_COVERAGE_SHARE = (
    0.5  # pages with a line at a level, of all: the level belongs to the whole document
)
MIN_COMMON_STYLE_SHARE = 0.1  # of a level's lines: a style that is usual there
MIN_HEAD_CLEARANCE_EM = 1.4  # between a running head and the text
MIN_LEVEL_CLEARANCE_SHARE = 0.6  # clearance of a line that no page repeats, of its level's usual one
MIN_HALF_HEAD_CLEARANCE_EM = 2.4  # the same for half a running head; rows of text are closer
MIN_LARGE_PRINT_SIZE_TIMES = 1.3
MIN_HEADING_LIKE_SIZE_TIMES = 1.05
MIN_REPEATED_TITLE_SIZE_TIMES = 1.1  # a title that a running head repeats, of the running head's size
MAX_TITLE_PITCH_EM = 1.6  # from one line of a title to the next

# Watermarks
MIN_TURNED_WATERMARK_SIZE_PT = 30.0
MIN_WATERMARK_SIZE_TIMES = 1.8  # of the body size, for upright text
MIN_DIAGONAL_EXTENT_EM = 2.5  # diagonal text takes this much both across and down
WATERMARK_ZONE_TOP_SHARE = 0.15  # of the page's height; running heads stand above ...
WATERMARK_ZONE_BOTTOM_SHARE = 0.85  # ... and below
MIN_WATERMARK_PAGES_SHARE = 0.4  # of all pages have it

# Margin marks: side tabs, line numbers, stamps
MARGIN_ZONE_SHARE = 0.1  # of the page's width, at either side
NARROW_MARGIN_ZONE_SHARE = 0.065  # the same for a mark on a single page: axis labels come close
SIDE_TAB_ZONE_TOP_SHARE = 0.1  # of the page's height; running heads stand above ...
SIDE_TAB_ZONE_BOTTOM_SHARE = 0.9  # ... and below
MIN_EVEN_STEPS_SHARE = 0.8  # equal steps between line numbers
MIN_LINE_NUMBERED_PAGES_SHARE = 0.5  # of all pages
MAX_TURNED_CHARACTERS_SHARE = 0.5  # of a page's characters; with more the whole page is set sideways

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
MIN_DISTINCT_LABELS_WITHOUT_LEADERS_SHARE = 0.4
MIN_NUMBERED_LINES_SHARE = 0.6  # lines that begin with a number on a page of contents without heading
MIN_TEXT_LINE_EM = 25.0  # width of a full line of text
MAX_FULL_LINE_RAGGEDNESS_EM = 1.0  # a full line ends this close to the right edge
MAX_FULL_LINES_SHARE = 0.4  # of the lines of a list; with more it is text
MIN_PAGES_PER_TITLE_TIMES = 2.0  # numbers before titles that run this much higher than the titles count pages

# Titles found again on later pages, of all titles of a list
MIN_TITLES_FOUND_WITH_LEADERS_SHARE = 0.3
MIN_TITLES_FOUND_WITHOUT_LEADERS_SHARE = 0.5
MIN_TITLES_FOUND_ANNOUNCED_SHARE = 0.6  # without page labels, below a heading "Contents"
MIN_TITLES_FOUND_UNANNOUNCED_SHARE = 0.9  # without page labels and without such a heading

# --- Strokes: rules and boxes that tables and figures share -------------------------------------------------

MAX_STROKE_WIDTH_PT = 3.0  # wider ones are boxes
MIN_STROKE_LENGTH_PT = 4.0  # shorter ones are dashes, ticks and parts of letters
MIN_STROKE_LENGTH_TIMES = 2.0  # of its height, for a horizontal stroke
MAX_THICK_STROKE_PT = 7.0  # a long box up to this height is a thick line
MIN_THICK_STROKE_LENGTH_TIMES = 20.0  # of its height
MAX_STROKE_GAP_PT = 2.6  # strokes this close meet
MAX_BAR_EDGE_OFFSET_PT = (
    MAX_STROKE_GAP_PT + MAX_STROKE_WIDTH_PT / 2
)  # of a joined line from its strokes' edges
MIN_LONG_RULE_PT = 20.0  # on a page with too many rules only those longer than this are used
MAX_OFF_PAGE_PT = 20.0  # what reaches further beyond the page is decoration
MIN_PAGE_GROUND_SHARE = 0.8  # of the page's area; larger boxes are its background
MIN_SHADE_INSET_PT = 2.0  # between a cell's side and the shade behind its text ...
MAX_SHADE_INSET_PT = 9.0  # ... at most
MAX_SHADE_OVERHANG_PT = 1.0  # by which the shade may be higher than its cell
EDGE_RASTER_PT = 0.5  # edges of boxes are compared on this raster
MIN_CELL_EDGES_SHARED_COUNT = 3  # edges that a cell shares with other rules

# --- Tables -------------------------------------------------------------------------------------------------

# --- Figures ------------------------------------------------------------------------------------------------

# --- Text blocks: paragraphs, run-ins, footnotes, code listings ---------------------------------------------

# --- Page: columns, reading order, turned text --------------------------------------------------------------
