/* Reads the text and graphics of a page with PDFium: the inner loops of text_runs.py and graphics.py in C.

   A page has thousands of characters and text objects, and asking PDFium about each through ctypes takes longer
   than PDFium's own work. The functions here ask the same questions in the same order and compute with the same
   double arithmetic, so the result is the same to the last bit; tests/reading compares both.

   PDFium is not linked: `bind` gets the addresses of its functions from the library that pypdfium2 ships.
   The file runs in a sandboxed process and reads what a hostile PDF made PDFium return. So every buffer grows
   through `buffer_reserve`, every index is checked against the length of the text, and no number is converted
   to an integer before it is known to be in range. */

#define PY_SSIZE_T_CLEAN
#define Py_LIMITED_API 0x030B0000 /* the stable ABI of Python 3.11: one binary for all later versions */
#include <Python.h>
#include <limits.h>
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include "../system/_module.h"

#if defined(_WIN32) && !defined(_WIN64)
#error "PDFium's functions have another calling convention on 32-bit Windows"
#endif

/* Changes with every change of what the functions take or return; native.py expects the same number. */
#define INTERFACE_VERSION 2

/* The constants of text_runs.py; a test compares them. Shares of a piece's height, or points. */
#define MAX_GAP 1.2
#define MAX_SPACE 0.45
#define MAX_STEP_BACK 1.0
#define MIN_HEIGHT 4.0
#define OVERHANG 1.0
#define MIN_GAPPED_CHARACTER 0.6
#define MIN_TABULAR_PIECES 3
#define UNITS_PER_POINT 10.0
#define MAX_COORDINATE 1e6
/* The constants of graphics.py, in points; the last three in tenths of a point and counts. */
#define MAX_LINE_THICKNESS 3.0
#define MIN_LINE_LENGTH 8.0
#define MAX_BREAK 30
#define LINE_BAND 16
#define MAX_FORM_DEPTH 12
#define MAX_OBJECTS 200000

/* --- PDFium ---------------------------------------------------------------------------------------------- */

typedef void *Handle;
typedef struct { float left, top, right, bottom; } FloatRect; /* FS_RECTF */
typedef struct { float a, b, c, d, e, f; } FloatMatrix;       /* FS_MATRIX */

enum { PATH = 2, IMAGE = 3, FORM = 5 }; /* FPDF_PAGEOBJ_* */

/* In the order of `FUNCTIONS` in native.py. */
static struct {
    int (*count_chars)(Handle text_page);
    int (*utf16_text)(Handle text_page, int start, int count, unsigned short *buffer);
    unsigned (*unicode)(Handle text_page, int index);
    int (*has_map_error)(Handle text_page, int index);
    Handle (*text_object)(Handle text_page, int index);
    int (*loose_char_box)(Handle text_page, int index, FloatRect *box);
    int (*char_matrix)(Handle text_page, int index, FloatMatrix *matrix);
    int (*fill_colour)(Handle object, unsigned *red, unsigned *green, unsigned *blue, unsigned *alpha);
    Handle (*font)(Handle text_object);
    int (*font_size)(Handle text_object, float *size);
    int (*render_mode)(Handle text_object);
    int (*count_objects)(Handle page);
    Handle (*page_object)(Handle page, int index);
    int (*count_form_objects)(Handle form);
    Handle (*form_object)(Handle form, unsigned long index);
    int (*object_type)(Handle object);
    int (*object_bounds)(Handle object, float *left, float *bottom, float *right, float *top);
    int (*object_matrix)(Handle object, FloatMatrix *matrix);
} pdfium;

#define FUNCTION_COUNT (sizeof(pdfium) / sizeof(void *))

static int is_bound = 0;

static PyObject *
bind(PyObject *module, PyObject *addresses)
{
    void *functions[FUNCTION_COUNT];
    (void)module;
    if (!PyTuple_Check(addresses) || PyTuple_Size(addresses) != (Py_ssize_t)FUNCTION_COUNT) {
        PyErr_SetString(PyExc_ValueError, "one address for each function is needed");
        return NULL;
    }
    for (size_t i = 0; i < FUNCTION_COUNT; i++) {
        functions[i] = PyLong_AsVoidPtr(PyTuple_GetItem(addresses, (Py_ssize_t)i));
        if (functions[i] == NULL) {
            if (!PyErr_Occurred())
                PyErr_SetString(PyExc_ValueError, "a function without an address");
            return NULL;
        }
    }
    memcpy(&pdfium, functions, sizeof(pdfium));
    is_bound = 1;
    Py_RETURN_NONE;
}

/* --- growing buffers ------------------------------------------------------------------------------------- */

typedef struct {
    char *data;
    size_t used, size; /* bytes */
} Buffer;

/* Room for so many more bytes; NULL with MemoryError if there is none. The bytes count as used. */
static void *
buffer_reserve(Buffer *buffer, size_t bytes)
{
    if (bytes > (size_t)PY_SSIZE_T_MAX - buffer->used) {
        PyErr_NoMemory();
        return NULL;
    }
    size_t needed = buffer->used + bytes;
    if (needed > buffer->size || buffer->data == NULL) { /* also for no bytes: NULL is an error */
        size_t size = needed < 1024 ? 1024 : needed + needed / 2;
        char *data = PyMem_Realloc(buffer->data, size);
        if (data == NULL) {
            PyErr_NoMemory();
            return NULL;
        }
        buffer->data = data;
        buffer->size = size;
    }
    void *room = buffer->data + buffer->used;
    buffer->used = needed;
    return room;
}

static int
buffer_append(Buffer *buffer, const void *bytes, size_t count)
{
    void *room = buffer_reserve(buffer, count);
    if (room == NULL)
        return -1;
    memcpy(room, bytes, count);
    return 0;
}

static void
buffer_free(Buffer *buffer)
{
    PyMem_Free(buffer->data);
    buffer->data = NULL;
    buffer->used = buffer->size = 0;
}

static PyObject *
buffer_bytes(const Buffer *buffer)
{
    return PyBytes_FromStringAndSize(buffer->data, (Py_ssize_t)buffer->used);
}

/* --- characters ------------------------------------------------------------------------------------------ */

#define CODE_POINTS 0x110000
#define FIRST_UNMAPPED 0xF0000 /* in raw_page.py: glyphs without a Unicode value are moved to a private plane */
enum { KNOWN = 1, SPACE = 2, DECIMAL = 4, WORD = 8 };

/* What Python says about each character that has occurred. Pages of the table that are not used cost nothing. */
static uint8_t class_of[CODE_POINTS];

static int
is_character(PyObject *character, const char *method)
{
    PyObject *answer = PyObject_CallMethod(character, method, NULL);
    if (answer == NULL)
        return -1;
    int result = PyObject_IsTrue(answer);
    Py_DECREF(answer);
    return result;
}

static int
classify(Py_UCS4 code)
{
    static const char *const METHODS[] = {"isspace", "isdecimal", "isalnum"};
    static const uint8_t CLASSES[] = {SPACE, DECIMAL, WORD};
    uint8_t found = KNOWN;
    PyObject *character = PyUnicode_FromOrdinal((int)code);
    if (character == NULL)
        return -1;
    for (int i = 0; i < 3; i++) {
        int answer = is_character(character, METHODS[i]);
        if (answer < 0) {
            Py_DECREF(character);
            return -1;
        }
        if (answer)
            found |= CLASSES[i];
    }
    Py_DECREF(character);
    if (code == '_')
        found |= WORD; /* as \w in a regular expression */
    class_of[code] = found;
    return 0;
}

/* Classify all characters of a text, so that `class_of` can be read without checks from then on. */
static int
classify_all(const Py_UCS4 *text, Py_ssize_t length)
{
    for (Py_ssize_t i = 0; i < length; i++) {
        if (text[i] >= CODE_POINTS) {
            PyErr_SetString(PyExc_ValueError, "no character");
            return -1;
        }
        if (class_of[text[i]] == 0 && classify(text[i]) < 0)
            return -1;
    }
    return 0;
}

static int
is_space(Py_UCS4 code)
{
    return class_of[code] & SPACE;
}

static int
is_decimal(Py_UCS4 code)
{
    return class_of[code] & DECIMAL;
}

static int
is_letter(Py_UCS4 code) /* [^\W\d_] */
{
    return (class_of[code] & (WORD | DECIMAL)) == WORD && code != '_';
}

static int
is_rtl(Py_UCS4 code) /* RIGHT_TO_LEFT in raw_page.py */
{
    return (code >= 0x0590 && code <= 0x08ff) || (code >= 0xfb1d && code <= 0xfdff)
           || (code >= 0xfe70 && code <= 0xfefc);
}

static int
is_hyphen(Py_UCS4 code) /* HYPHENS in text_runs.py */
{
    return code == 0xfffe || code == 0x02;
}

/* Whether LETTER_SPACED of letter_spacing.py matches anywhere: four tokens of one or two letters, each with a
   space after it, and a letter. The first token may be the end of a word. */
static int
has_letter_spacing(const Py_UCS4 *text, Py_ssize_t length)
{
    Py_ssize_t letters = 0; /* before this character */
    int tokens = 0;         /* that end before these letters */
    for (Py_ssize_t i = 0; i < length; i++) {
        if (is_letter(text[i])) {
            if (letters == 0 && tokens >= 4)
                return 1;
            letters++;
        }
        else if (text[i] == ' ' && letters > 0) {
            tokens = letters <= 2 ? tokens + 1 : 1;
            letters = 0;
        }
        else {
            letters = 0;
            tokens = 0;
        }
    }
    return 0;
}

static int
has_rtl(const Py_UCS4 *text, Py_ssize_t length)
{
    for (Py_ssize_t i = 0; i < length; i++)
        if (is_rtl(text[i]))
            return 1;
    return 0;
}

/* Whether NUMBERS_SIDE_BY_SIDE of text_runs.py matches: [\d%)]\s+[^\w\s]{0,2}\d */
static int
has_numbers_side_by_side(const Py_UCS4 *text, Py_ssize_t begin, Py_ssize_t finish)
{
    for (Py_ssize_t i = begin; i < finish; i++) {
        if (!is_decimal(text[i]) && text[i] != '%' && text[i] != ')')
            continue;
        Py_ssize_t next = i + 1;
        while (next < finish && is_space(text[next]))
            next++;
        if (next == i + 1)
            continue;
        for (int marks = 0; marks < 2 && next < finish && !(class_of[text[next]] & (WORD | SPACE)); marks++)
            next++;
        if (next < finish && is_decimal(text[next]))
            return 1;
    }
    return 0;
}

/* --- text objects and their styles ----------------------------------------------------------------------- */

typedef struct {
    Handle object;
    int style;
} ObjectStyle;

/* The styles of text objects, by address: a hash table with open addressing, at most half full. */
typedef struct {
    ObjectStyle *slots;
    size_t count, size; /* the size is a power of two */
} ObjectTable;

static size_t
hash_address(Handle object, size_t size)
{
    uint64_t value = (uint64_t)(uintptr_t)object >> 4;
    value *= UINT64_C(0x9E3779B97F4A7C15); /* 2^64 divided by the golden ratio */
    return (size_t)(value >> 20) & (size - 1);
}

/* The slot of an object, or the empty one where it belongs; the table must not be full. */
static ObjectStyle *
find_slot(const ObjectTable *table, Handle object)
{
    size_t slot = hash_address(object, table->size);
    while (table->slots[slot].object != NULL && table->slots[slot].object != object)
        slot = (slot + 1) & (table->size - 1);
    return &table->slots[slot];
}

static int
contains(const ObjectTable *table, Handle object)
{
    return table->size > 0 && find_slot(table, object)->object != NULL;
}

static int
table_grow(ObjectTable *table)
{
    size_t size = table->size ? 2 * table->size : 256;
    if (size > (size_t)PY_SSIZE_T_MAX / sizeof(ObjectStyle)) {
        PyErr_NoMemory();
        return -1;
    }
    ObjectTable larger = {PyMem_Calloc(size, sizeof(ObjectStyle)), table->count, size};
    if (larger.slots == NULL) {
        PyErr_NoMemory();
        return -1;
    }
    for (size_t i = 0; i < table->size; i++)
        if (table->slots[i].object != NULL)
            *find_slot(&larger, table->slots[i].object) = table->slots[i];
    PyMem_Free(table->slots);
    *table = larger;
    return 0;
}

/* PDFium's values for a text object that make its style: STYLE_FORMAT in text_runs.py. */
typedef struct {
    unsigned red, green, blue, alpha;
    float size, a, b, c, d;
} StyleValues;

typedef struct {
    Handle font;
    int mode;
    StyleValues values;
    int style; /* -1 in an empty slot */
} CachedStyle;

#define CACHED_STYLES 64 /* a power of two; a page has few styles */

typedef struct {
    Handle text_page;
    Py_UCS4 *text; /* one character for each index of PDFium, all of them classified */
    int length;
    int has_surrogates; /* perhaps: PDFium was asked about each character */
    PyObject *style_of; /* (font, render mode, bytes of StyleValues) -> index of the style */
    ObjectTable objects;
    CachedStyle cache[CACHED_STYLES];
} Page;

/* Whether a character may be the code of a glyph without a Unicode value: MAYBE_UNMAPPED in text_runs.py. A hyphen at
   a line's end looks like one, but has no letters on both sides. */
static int
may_be_unmapped(Py_UCS4 before, Py_UCS4 code, Py_UCS4 after)
{
    if (code == 0x02)
        return is_letter(before) && is_letter(after);
    return code <= 0x08 || (code >= 0x0e && code <= 0x1f) || (code >= 0x7f && code <= 0xbf);
}

/* Move the codes of glyphs without a Unicode value to a private plane: `_mark_unmapped` of text_runs.py. */
static int
mark_unmapped(Page *page)
{
    Py_UCS4 before = ' '; /* the character as it was, before it was moved */
    for (int i = 0; i < page->length; i++) {
        Py_UCS4 code = page->text[i];
        Py_UCS4 after = i + 1 < page->length ? page->text[i + 1] : ' ';
        if (code == 0 || code == 0xfffe) { /* MAYBE_ZERO in text_runs.py */
            if (pdfium.unicode(page->text_page, i) == 0)
                page->text[i] = FIRST_UNMAPPED;
        }
        else if (may_be_unmapped(before, code, after) && pdfium.has_map_error(page->text_page, i) == 1)
            page->text[i] = FIRST_UNMAPPED + code;
        before = code;
    }
    return classify_all(page->text, page->length);
}

/* Fetch the page's text: `read_text` of text_runs.py. */
static int
read_text(Page *page)
{
    int count = pdfium.count_chars(page->text_page);
    if (count <= 0)
        return 0;
    Py_UCS4 *text = PyMem_Calloc((size_t)count, sizeof(Py_UCS4));
    unsigned short *units = PyMem_Calloc((size_t)count + 1, sizeof(unsigned short));
    page->text = text; /* freed with the page */
    page->length = count;
    if (text == NULL || units == NULL) {
        PyMem_Free(units);
        PyErr_NoMemory();
        return -1;
    }
    /* The text leaves out characters without a Unicode value; then only single queries keep the indices right. */
    page->has_surrogates = pdfium.utf16_text(page->text_page, 0, count, units) - 1 != count;
    for (int i = 0; i < count && !page->has_surrogates; i++) {
        text[i] = units[i];
        page->has_surrogates = units[i] >= 0xd800 && units[i] <= 0xdfff;
    }
    PyMem_Free(units);
    if (page->has_surrogates) {
        for (int i = 0; i < count; i++) {
            unsigned code = pdfium.unicode(page->text_page, i);
            text[i] = code < CODE_POINTS ? code : 0xfffd;
        }
    }
    return classify_all(text, count) < 0 ? -1 : mark_unmapped(page);
}

static int
ask_style(Page *page, Handle font, int mode, const StyleValues *values)
{
    PyObject *bytes = PyBytes_FromStringAndSize((const char *)values, sizeof(*values));
    if (bytes == NULL)
        return -1;
    PyObject *address = PyLong_FromVoidPtr(font);
    if (address == NULL) {
        Py_DECREF(bytes);
        return -1;
    }
    PyObject *answer = PyObject_CallFunction(page->style_of, "OiO", address, mode, bytes);
    Py_DECREF(address);
    Py_DECREF(bytes);
    if (answer == NULL)
        return -1;
    long style = PyLong_AsLong(answer);
    Py_DECREF(answer);
    if (style < 0 || style > INT_MAX) {
        if (!PyErr_Occurred())
            PyErr_SetString(PyExc_ValueError, "no index of a style");
        return -1;
    }
    return (int)style;
}

static uint32_t
hash_style(Handle font, int mode, const StyleValues *values)
{
    uint32_t words[sizeof(*values) / 4];
    uint32_t hash = (uint32_t)((uintptr_t)font >> 4) + (uint32_t)mode;
    memcpy(words, values, sizeof(*values));
    for (size_t i = 0; i < sizeof(*values) / 4; i++)
        hash = (hash ^ words[i]) * UINT32_C(16777619); /* FNV-1a, a word at a time */
    return hash ^ hash >> 16;
}

/* The style of a text object, given one of its characters; -1 with an exception. */
static int
read_style(Page *page, Handle object, int index)
{
    StyleValues values;
    FloatMatrix matrix = {0, 0, 0, 0, 0, 0};
    memset(&values, 0, sizeof(values));
    pdfium.char_matrix(page->text_page, index, &matrix);
    values.a = matrix.a;
    values.b = matrix.b;
    values.c = matrix.c;
    values.d = matrix.d;
    pdfium.font_size(object, &values.size);
    if (!pdfium.fill_colour(object, &values.red, &values.green, &values.blue, &values.alpha))
        values.red = values.green = values.blue = values.alpha = 0; /* black */
    Handle font = pdfium.font(object);
    int mode = pdfium.render_mode(object);
    CachedStyle *cached = &page->cache[hash_style(font, mode, &values) & (CACHED_STYLES - 1)];
    if (cached->style >= 0 && cached->font == font && cached->mode == mode
        && memcmp(&cached->values, &values, sizeof(values)) == 0)
        return cached->style;
    int style = ask_style(page, font, mode, &values);
    if (style >= 0) {
        cached->font = font;
        cached->mode = mode;
        cached->values = values;
        cached->style = style;
    }
    return style;
}

static int
object_style(Page *page, Handle object, int index)
{
    if (2 * page->objects.count >= page->objects.size && table_grow(&page->objects) < 0)
        return -1;
    ObjectStyle *slot = find_slot(&page->objects, object);
    if (slot->object == NULL) {
        int style = read_style(page, object, index);
        if (style < 0)
            return -1;
        slot->object = object;
        slot->style = style;
        page->objects.count++;
    }
    return slot->style;
}

/* --- pieces: `split_by_object` and `_join_spans` of text_runs.py ------------------------------------------- */

typedef struct {
    double x0, top, x1, bottom;
    int style;
    int begin, finish; /* the first character, and the one after the last */
    int is_gapped;     /* whether it has a gap wider than a space */
} Piece;

typedef struct {
    Buffer *pieces;
    Piece piece; /* the one that is being joined; its style is -1 while there is none */
} Joining;

static int
end_piece(Joining *joining)
{
    if (joining->piece.style < 0)
        return 0;
    int failed = buffer_append(joining->pieces, &joining->piece, sizeof(Piece));
    joining->piece.style = -1;
    return failed;
}

static int
join_span(Page *page, Joining *joining, int start, int end, Handle object)
{
    FloatRect first = {0, 0, 0, 0};
    pdfium.loose_char_box(page->text_page, start, &first);
    double left = first.left, high = first.top, right = first.right, low = first.bottom;
    if (end - start > 1) {
        FloatRect last = {0, 0, 0, 0};
        pdfium.loose_char_box(page->text_page, end - 1, &last);
        if (last.left < left)
            left = last.left;
        if (last.right > right)
            right = last.right;
        if (last.top > high)
            high = last.top;
        if (last.bottom < low)
            low = last.bottom;
    }
    int style = object_style(page, object, start);
    if (style < 0)
        return -1;
    double height = high - low;
    if (height < MIN_HEIGHT)
        height = MIN_HEIGHT;
    Piece *piece = &joining->piece;
    double gap = left - piece->x1, widest = MAX_GAP * height;
    int is_far_above_or_below = low - piece->top > widest || piece->bottom - high > widest;
    if (style != piece->style || !(-MAX_STEP_BACK * height < gap && gap <= widest)
        || (is_far_above_or_below && left - piece->x0 > MIN_HEIGHT)) {
        if (end_piece(joining) < 0)
            return -1;
        *piece = (Piece){left, high, right, low, style, start, end, 0};
        return 0;
    }
    if (gap > MAX_SPACE * height)
        piece->is_gapped = 1;
    piece->finish = end;
    if (left < piece->x0)
        piece->x0 = left;
    if (right > piece->x1)
        piece->x1 = right;
    if (high > piece->top)
        piece->top = high;
    if (low < piece->bottom)
        piece->bottom = low;
    return 0;
}

typedef struct {
    int start, end;
    Handle first, last; /* the text objects of its first and last character */
} Stretch;

#define MAX_WAITING 64 /* each stretch that waits is half as long as the one before */

/* Split a line into spans of one text object each, by halving, and join them to pieces. */
static int
read_line(Page *page, Joining *joining, int start, int end)
{
    Stretch waiting[MAX_WAITING];
    int waiting_count = 0;
    Handle first = pdfium.text_object(page->text_page, start);
    Handle last = pdfium.text_object(page->text_page, end - 1);
    for (;;) {
        while (first == NULL && start < end - 1)
            first = pdfium.text_object(page->text_page, ++start);
        while (last == NULL && start < end - 1)
            last = pdfium.text_object(page->text_page, --end - 1);
        if (first == last) {
            if (first != NULL && join_span(page, joining, start, end, first) < 0)
                return -1;
            if (waiting_count == 0)
                return end_piece(joining);
            Stretch next = waiting[--waiting_count];
            start = next.start;
            first = next.first;
            end = next.end;
            last = next.last;
        }
        else {
            int middle = start + (end - start) / 2;
            /* One character has one object, unless PDFium contradicts itself. */
            if (middle == start || waiting_count == MAX_WAITING) {
                PyErr_SetString(PyExc_RuntimeError, "a character with two text objects");
                return -1;
            }
            Handle after = middle == end - 1 ? last : pdfium.text_object(page->text_page, middle);
            waiting[waiting_count++] = (Stretch){middle, end, after, last};
            end = middle;
            last = start == end - 1 ? first : pdfium.text_object(page->text_page, end - 1);
        }
    }
}

/* The pieces of all lines. A line ends before a line break, or with a hyphen: LINE in text_runs.py. */
static int
read_pieces(Page *page, Buffer *pieces)
{
    Joining joining = {pieces, {0, 0, 0, 0, -1, 0, 0, 0}};
    int length = page->length;
    int start = 0;
    for (int i = 0; i <= length; i++) {
        int is_break = i == length || page->text[i] == '\r' || page->text[i] == '\n';
        int hyphen = !is_break && is_hyphen(page->text[i]);
        if (!is_break && !hyphen)
            continue;
        if (i > start && read_line(page, &joining, start, i + hyphen) < 0) /* a lone hyphen is no line */
            return -1;
        start = i + 1;
    }
    return 0;
}

/* --- runs and words -------------------------------------------------------------------------------------- */

typedef struct { double left, bottom, right, top; } PageBox; /* in PDF space, in points */
typedef struct { int32_t x0, y0, x1, y1; } Box;              /* tenths of a point from the top left */

/* Rounded to a whole number, ties to even, as Python's `round`. All callers have checked the range. */
static int32_t
tenths(double points)
{
    double value = rint(points * UNITS_PER_POINT);
    return value > -INT32_MAX && value < INT32_MAX ? (int32_t)value : 0;
}

static Box
box_in_tenths(const PageBox *page_box, double x0, double bottom, double x1, double top)
{
    return (Box){
        tenths(x0 - page_box->left),
        tenths(page_box->top - top),
        tenths(x1 - page_box->left),
        tenths(page_box->top - bottom),
    };
}

static int
is_visible(const Page *page, const PageBox *box, const Piece *piece)
{
    int is_inside = -MAX_COORDINATE < piece->x0 && piece->x0 <= box->right + OVERHANG
                    && box->left - OVERHANG <= piece->x1 && piece->x1 < MAX_COORDINATE
                    && -MAX_COORDINATE < piece->bottom && piece->bottom <= box->top + OVERHANG
                    && box->bottom - OVERHANG <= piece->top && piece->top < MAX_COORDINATE;
    if (!is_inside)
        return 0;
    for (int i = piece->begin; i < piece->finish; i++)
        if (!is_space(page->text[i]))
            return 1;
    return 0;
}

/* Drop the pieces that are blank or outside the page; the result is the number of those left. */
static size_t
keep_visible(const Page *page, const PageBox *box, Buffer *pieces)
{
    Piece *all = (Piece *)pieces->data;
    size_t count = pieces->used / sizeof(Piece), kept = 0;
    for (size_t i = 0; i < count; i++)
        if (is_visible(page, box, &all[i]))
            all[kept++] = all[i];
    pieces->used = kept * sizeof(Piece);
    return kept;
}

static int
append_utf8(Buffer *buffer, Py_UCS4 code)
{
    unsigned char bytes[4];
    size_t count;
    if (code < 0x80) {
        bytes[0] = (unsigned char)code;
        count = 1;
    }
    else if (code < 0x800) {
        bytes[0] = (unsigned char)(0xc0 | code >> 6);
        bytes[1] = (unsigned char)(0x80 | (code & 0x3f));
        count = 2;
    }
    else if (code < 0x10000) { /* lone surrogates too: the receiver decodes with `surrogatepass` */
        bytes[0] = (unsigned char)(0xe0 | code >> 12);
        bytes[1] = (unsigned char)(0x80 | (code >> 6 & 0x3f));
        bytes[2] = (unsigned char)(0x80 | (code & 0x3f));
        count = 3;
    }
    else {
        bytes[0] = (unsigned char)(0xf0 | code >> 18);
        bytes[1] = (unsigned char)(0x80 | (code >> 12 & 0x3f));
        bytes[2] = (unsigned char)(0x80 | (code >> 6 & 0x3f));
        bytes[3] = (unsigned char)(0x80 | (code & 0x3f));
        count = 4;
    }
    return buffer_append(buffer, bytes, count);
}

/* The runs as `encode_page` of raw_page.py writes them: five columns of numbers, and the texts with a line
   break between each two. */
static int
write_runs(const Page *page, const PageBox *page_box, const Buffer *pieces, Buffer *numbers, Buffer *texts)
{
    const Piece *all = (const Piece *)pieces->data;
    size_t count = pieces->used / sizeof(Piece);
    int32_t *columns = buffer_reserve(numbers, 5 * count * sizeof(int32_t));
    if (columns == NULL)
        return -1;
    for (size_t i = 0; i < count; i++) {
        const Piece *piece = &all[i];
        Box box = box_in_tenths(page_box, piece->x0, piece->bottom, piece->x1, piece->top);
        int32_t row[5] = {box.x0, box.y0, box.x1, box.y1, piece->style};
        for (size_t column = 0; column < 5; column++)
            columns[column * count + i] = row[column];
        if (i > 0 && append_utf8(texts, '\n') < 0)
            return -1;
        for (int at = piece->begin; at < piece->finish; at++) {
            Py_UCS4 code = page->text[at];
            if (at == piece->finish - 1 && is_hyphen(code))
                code = '-';
            if (append_utf8(texts, code) < 0)
                return -1;
        }
    }
    return 0;
}

/* Whether a piece may be several cells of a table. */
static int
is_tabular(const Page *page, const Piece *piece)
{
    double width = MIN_GAPPED_CHARACTER * (piece->top - piece->bottom) * (piece->finish - piece->begin);
    return piece->x1 - piece->x0 > width || piece->is_gapped
           || has_numbers_side_by_side(page->text, piece->begin, piece->finish);
}

static int
is_possible(double value)
{
    return -MAX_COORDINATE < value && value < MAX_COORDINATE;
}

/* Add the words of a piece, each as the index of its run and its box, unless there is only one. */
static int
write_words_of(const Page *page, const PageBox *page_box, const Piece *piece, int32_t run, Buffer *words)
{
    size_t before = words->used;
    size_t count = 0;
    int at = piece->begin;
    while (at < piece->finish) {
        if (is_space(page->text[at])) {
            at++;
            continue;
        }
        int start = at;
        while (at < piece->finish && !is_space(page->text[at]))
            at++;
        FloatRect first = {0, 0, 0, 0}, last = {0, 0, 0, 0};
        pdfium.loose_char_box(page->text_page, start, &first);
        pdfium.loose_char_box(page->text_page, at - 1, &last);
        double left = last.left < first.left ? last.left : first.left;
        double top = last.top > first.top ? last.top : first.top;
        double right = last.right > first.right ? last.right : first.right;
        double bottom = last.bottom < first.bottom ? last.bottom : first.bottom;
        if (!is_possible(left) || !is_possible(top) || !is_possible(right) || !is_possible(bottom)) {
            words->used = before; /* a damaged font: the run stays without words */
            return 0;
        }
        Box box = box_in_tenths(page_box, left, bottom, right, top);
        int32_t row[5] = {run, box.x0, box.y0, box.x1, box.y1};
        if (buffer_append(words, row, sizeof(row)) < 0)
            return -1;
        count++;
    }
    if (count < 2)
        words->used = before;
    return 0;
}

static int
write_words(const Page *page, const PageBox *page_box, const Buffer *pieces, Buffer *words)
{
    const Piece *all = (const Piece *)pieces->data;
    size_t count = pieces->used / sizeof(Piece), tabular = 0;
    for (size_t i = 0; i < count; i++) {
        if (!is_tabular(page, &all[i]))
            continue;
        tabular++;
        if (write_words_of(page, page_box, &all[i], (int32_t)i, words) < 0)
            return -1;
    }
    if (tabular < MIN_TABULAR_PIECES)
        words->used = 0; /* a single one proves nothing */
    return 0;
}

/* List the runs that may have spaces between their letters: the index of the run, and its first character. */
static int
write_letter_spaced(const Page *page, const Buffer *pieces, Buffer *spaced)
{
    const Piece *all = (const Piece *)pieces->data;
    size_t count = pieces->used / sizeof(Piece);
    for (size_t i = 0; i < count; i++) {
        int32_t row[2] = {(int32_t)i, all[i].begin};
        if (has_letter_spacing(page->text + all[i].begin, all[i].finish - all[i].begin)
            && buffer_append(spaced, row, sizeof(row)) < 0)
            return -1;
    }
    return 0;
}

/* --- graphics: graphics.py ------------------------------------------------------------------------------- */

typedef struct { double a, b, c, d, e, f; } Matrix;

typedef struct {
    const PageBox *page_box;
    const ObjectTable *text_objects;
    Buffer horizontal, vertical, boxes, images; /* of Box; vertical lines have x and y swapped */
    long found, strokes;
} Graphics;

static Matrix
multiply(Matrix inner, const Matrix *outer)
{
    if (outer == NULL)
        return inner;
    return (Matrix){
        inner.a * outer->a + inner.b * outer->c,
        inner.a * outer->b + inner.b * outer->d,
        inner.c * outer->a + inner.d * outer->c,
        inner.c * outer->b + inner.d * outer->d,
        inner.e * outer->a + inner.f * outer->c + outer->e,
        inner.e * outer->b + inner.f * outer->d + outer->f,
    };
}

/* The bounds in page space of a box in form space: left, bottom, right, top. All four corners count. */
static void
transform(double box[4], const Matrix *m)
{
    const double corners[4][2] = {{box[0], box[1]}, {box[0], box[3]}, {box[2], box[1]}, {box[2], box[3]}};
    for (int i = 0; i < 4; i++) {
        double x = corners[i][0] * m->a + corners[i][1] * m->c + m->e;
        double y = corners[i][0] * m->b + corners[i][1] * m->d + m->f;
        if (i == 0 || x < box[0])
            box[0] = x;
        if (i == 0 || y < box[1])
            box[1] = y;
        if (i == 0 || x > box[2])
            box[2] = x;
        if (i == 0 || y > box[3])
            box[3] = y;
    }
}

static int
add_graphic(Graphics *graphics, int type, const double bounds[4])
{
    double x0 = bounds[0], y0 = bounds[1], x1 = bounds[2], y1 = bounds[3];
    if (!(-MAX_COORDINATE < x0 && x0 <= x1 && x1 < MAX_COORDINATE)
        || !(-MAX_COORDINATE < y0 && y0 <= y1 && y1 < MAX_COORDINATE))
        return 0;
    double width = x1 - x0, height = y1 - y0;
    Box box = box_in_tenths(graphics->page_box, x0, y0, x1, y1);
    if (type == IMAGE)
        return buffer_append(&graphics->images, &box, sizeof(box));
    if (height < MAX_LINE_THICKNESS && width > MIN_LINE_LENGTH)
        return buffer_append(&graphics->horizontal, &box, sizeof(box));
    if (width < MAX_LINE_THICKNESS && height > MIN_LINE_LENGTH) {
        Box swapped = {box.y0, box.x0, box.y1, box.x1};
        return buffer_append(&graphics->vertical, &swapped, sizeof(swapped));
    }
    if (width > MIN_LINE_LENGTH && height > MIN_LINE_LENGTH)
        return buffer_append(&graphics->boxes, &box, sizeof(box));
    graphics->strokes++; /* part of a drawing, or of a letter that is drawn */
    return 0;
}

static int
read_objects(Graphics *graphics, Handle holder, int count, const Matrix *matrix, int depth)
{
    for (int index = 0; index < count; index++) {
        Handle item = depth == 0 ? pdfium.page_object(holder, index)
                                 : pdfium.form_object(holder, (unsigned long)index);
        if (item == NULL || contains(graphics->text_objects, item))
            continue;
        int type = pdfium.object_type(item);
        if (graphics->found >= MAX_OBJECTS)
            continue;
        if (type == PATH || type == IMAGE) {
            float left = 0, bottom = 0, right = 0, top = 0;
            if (!pdfium.object_bounds(item, &left, &bottom, &right, &top))
                continue;
            double bounds[4] = {left, bottom, right, top};
            if (matrix != NULL)
                transform(bounds, matrix);
            graphics->found++;
            if (add_graphic(graphics, type, bounds) < 0)
                return -1;
        }
        else if (type == FORM && depth < MAX_FORM_DEPTH) {
            FloatMatrix own = {1, 0, 0, 1, 0, 0};
            if (!pdfium.object_matrix(item, &own))
                own = (FloatMatrix){1, 0, 0, 1, 0, 0};
            Matrix inner = multiply((Matrix){own.a, own.b, own.c, own.d, own.e, own.f}, matrix);
            if (read_objects(graphics, item, pdfium.count_form_objects(item), &inner, depth + 1) < 0)
                return -1;
        }
    }
    return 0;
}

/* A line with its place in the order of the page, and the first line of its band. */
typedef struct {
    Box box;
    int32_t band;
    size_t order, first;
} OrderedBox;

#define COMPARE(a, b) \
    if ((a) != (b)) \
        return (a) < (b) ? -1 : 1

static int
by_band(const void *left, const void *right)
{
    const OrderedBox *a = left, *b = right;
    COMPARE(a->band, b->band);
    COMPARE(a->order, b->order);
    return 0;
}

static int
by_first_and_left(const void *left, const void *right)
{
    const OrderedBox *a = left, *b = right;
    COMPARE(a->first, b->first);
    COMPARE(a->box.x0, b->box.x0);
    COMPARE(a->order, b->order);
    return 0;
}

static int
by_box(const void *left, const void *right)
{
    const OrderedBox *a = left, *b = right;
    COMPARE(a->box.x0, b->box.x0);
    COMPARE(a->box.y0, b->box.y0);
    COMPARE(a->box.x1, b->box.x1);
    COMPARE(a->box.y1, b->box.y1);
    COMPARE(a->order, b->order);
    return 0;
}

static int
by_order(const void *left, const void *right)
{
    const OrderedBox *a = left, *b = right;
    COMPARE(a->order, b->order);
    return 0;
}

/* The boxes in order, each with its band: the sum of both edges, divided and rounded down. */
static OrderedBox *
ordered_boxes(const Buffer *buffer, size_t *count)
{
    const Box *boxes = (const Box *)buffer->data;
    *count = buffer->used / sizeof(Box);
    if (*count > (size_t)PY_SSIZE_T_MAX / sizeof(OrderedBox)) {
        PyErr_NoMemory();
        return NULL;
    }
    OrderedBox *ordered = PyMem_Malloc((*count ? *count : 1) * sizeof(OrderedBox));
    if (ordered == NULL) {
        PyErr_NoMemory();
        return NULL;
    }
    for (size_t i = 0; i < *count; i++) {
        int64_t sum = (int64_t)boxes[i].y0 + boxes[i].y1;
        int64_t band = sum / LINE_BAND - (sum % LINE_BAND < 0);
        ordered[i] = (OrderedBox){boxes[i], (int32_t)band, i, i};
    }
    return ordered;
}

/* Join the pieces of each line and append the lines to `rules`: `_join_pieces`. Vertical lines come with x and
   y swapped, and are swapped back. */
static int
join_pieces(const Buffer *pieces, int are_vertical, Buffer *rules)
{
    size_t count;
    OrderedBox *lines = ordered_boxes(pieces, &count);
    if (lines == NULL)
        return -1;
    qsort(lines, count, sizeof(*lines), by_band);
    for (size_t i = 1; i < count; i++)
        if (lines[i].band == lines[i - 1].band)
            lines[i].first = lines[i - 1].first;
    qsort(lines, count, sizeof(*lines), by_first_and_left);
    int failed = 0;
    for (size_t i = 0; i < count && !failed;) {
        Box line = lines[i].box;
        size_t first = lines[i].first;
        for (i++; i < count && lines[i].first == first && lines[i].box.x0 <= line.x1 + MAX_BREAK; i++) {
            const Box *next = &lines[i].box;
            if (next->x1 > line.x1)
                line.x1 = next->x1;
            if (next->y0 < line.y0)
                line.y0 = next->y0;
            if (next->y1 > line.y1)
                line.y1 = next->y1;
        }
        if (are_vertical)
            line = (Box){line.y0, line.x0, line.y1, line.x1};
        failed = buffer_append(rules, &line, sizeof(line));
    }
    PyMem_Free(lines);
    return failed;
}

/* Drop all but the first of equal boxes; the order stays. */
static int
drop_duplicates(Buffer *boxes)
{
    size_t count, kept = 0;
    OrderedBox *ordered = ordered_boxes(boxes, &count);
    if (ordered == NULL)
        return -1;
    qsort(ordered, count, sizeof(*ordered), by_box);
    for (size_t i = 0; i < count; i++)
        if (i == 0 || memcmp(&ordered[i].box, &ordered[kept - 1].box, sizeof(Box)) != 0)
            ordered[kept++] = ordered[i];
    qsort(ordered, kept, sizeof(*ordered), by_order);
    for (size_t i = 0; i < kept; i++)
        memcpy(boxes->data + i * sizeof(Box), &ordered[i].box, sizeof(Box));
    boxes->used = kept * sizeof(Box);
    PyMem_Free(ordered);
    return 0;
}

static int
read_graphics(Graphics *graphics, Handle page, Buffer *rules)
{
    if (read_objects(graphics, page, pdfium.count_objects(page), NULL, 0) < 0)
        return -1;
    if (join_pieces(&graphics->horizontal, 0, rules) < 0 || join_pieces(&graphics->vertical, 1, rules) < 0)
        return -1;
    if (graphics->boxes.used > 0 && buffer_append(rules, graphics->boxes.data, graphics->boxes.used) < 0)
        return -1;
    return drop_duplicates(rules);
}

/* --- the module ------------------------------------------------------------------------------------------ */

static PyObject *
read_text_and_graphics(Page *page, Handle handle, const PageBox *box)
{
    Buffer pieces = {0}, numbers = {0}, texts = {0}, words = {0}, spaced = {0}, rules = {0};
    Graphics graphics = {0};
    PyObject *result = NULL;
    graphics.page_box = box;
    graphics.text_objects = &page->objects;
    if (read_pieces(page, &pieces) == 0) {
        keep_visible(page, box, &pieces);
        if (write_runs(page, box, &pieces, &numbers, &texts) == 0
            && write_words(page, box, &pieces, &words) == 0 && write_letter_spaced(page, &pieces, &spaced) == 0
            && read_graphics(&graphics, handle, &rules) == 0)
            result = Py_BuildValue("NNNNNlNi", buffer_bytes(&numbers), buffer_bytes(&texts), buffer_bytes(&rules),
                                   buffer_bytes(&graphics.images), buffer_bytes(&words), graphics.strokes,
                                   buffer_bytes(&spaced), page->has_surrogates);
    }
    buffer_free(&pieces);
    buffer_free(&numbers);
    buffer_free(&texts);
    buffer_free(&words);
    buffer_free(&spaced);
    buffer_free(&rules);
    buffer_free(&graphics.horizontal);
    buffer_free(&graphics.vertical);
    buffer_free(&graphics.boxes);
    buffer_free(&graphics.images);
    return result;
}

static PyObject *
read_page(PyObject *module, PyObject *arguments)
{
    PyObject *page_address, *text_page_address, *style_of;
    PageBox box;
    (void)module;
    if (!PyArg_ParseTuple(arguments, "OO(dddd)O", &page_address, &text_page_address, &box.left, &box.bottom,
                          &box.right, &box.top, &style_of))
        return NULL;
    Handle handle = PyLong_AsVoidPtr(page_address);
    Handle text_page = PyLong_AsVoidPtr(text_page_address);
    if (PyErr_Occurred())
        return NULL;
    int is_wide = -MAX_COORDINATE <= box.left && box.right <= MAX_COORDINATE;
    int is_high = -MAX_COORDINATE <= box.bottom && box.top <= MAX_COORDINATE;
    if (!is_bound || handle == NULL || text_page == NULL || !is_wide || !is_high) {
        PyErr_SetString(PyExc_ValueError, "no page, or no functions to read it with");
        return NULL;
    }
    Page page;
    memset(&page, 0, sizeof(page));
    page.text_page = text_page;
    page.style_of = style_of;
    for (int i = 0; i < CACHED_STYLES; i++)
        page.cache[i].style = -1;
    PyObject *result = NULL;
    if (read_text(&page) == 0) {
        if (has_rtl(page.text, page.length)) {
            Py_INCREF(Py_None);
            result = Py_None;
        }
        else
            result = read_text_and_graphics(&page, handle, &box);
    }
    PyMem_Free(page.objects.slots);
    PyMem_Free(page.text);
    return result;
}

static PyMethodDef METHODS[] = {
    {"bind", bind, METH_O, "Set the addresses of PDFium's functions."},
    {"read_page", read_page, METH_VARARGS,
     "read_page(page, text_page, box, style_of): the encoded runs, texts, rules, images and words of a page, its\n"
     "number of small strokes, its letter-spaced runs, and whether the texts may have surrogates; None for text\n"
     "from right to left, which only the Python reader handles."},
    {NULL, NULL, 0, NULL},
};

NATIVE_MODULE(_native, "The inner loops of reading a page.")
