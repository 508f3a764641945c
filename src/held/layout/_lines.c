/* Runs to lines: the hot functions of lines.py in C, with the same result.

   A page has hundreds of runs, and most lines consist of one. `drop_reprints` and `build` compare the boxes of runs;
   whatever needs more than boxes (a text that may be a shadow, a line of several runs) is left to the Python
   functions that the caller passes.

   All thresholds come from tolerances.py, in the order of the enums below. Products and comparisons are written as
   in lines.py, so that both round alike. Runs are tuples from anybody: every item is checked once, by `read_runs`. */

#define PY_SSIZE_T_CLEAN
#define Py_LIMITED_API 0x030B0000 /* the stable ABI of Python 3.11: one binary for all later versions */
#include <Python.h>
#include <math.h>

/* Changes with every change of what the functions take or return; lines.py expects the same number. */
#define INTERFACE_VERSION 1
#define NONE (-1) /* in place of an index */

enum { X0, Y0, X1, Y1, STYLE, TEXT, RUN_ITEMS }; /* the items of a run that are read */

typedef struct {
    double x0, y0, x1, y1;
} Box;

typedef struct {
    PyObject *tuple, *text; /* borrowed: the caller's list holds them */
    Box box;
    Py_ssize_t style, length;
} Run;

static double
lower_of(double a, double b)
{
    return b < a ? b : a;
}

static double
higher_of(double a, double b)
{
    return b > a ? b : a;
}

/* Reads so many thresholds from a tuple; 0 with an error set if it has others. */
static int
read_tolerances(PyObject *tuple, double *tolerances, Py_ssize_t count)
{
    if (!PyTuple_Check(tuple) || PyTuple_Size(tuple) != count) {
        PyErr_SetString(PyExc_ValueError, "other thresholds");
        return 0;
    }
    for (Py_ssize_t i = 0; i < count; i++) {
        tolerances[i] = PyFloat_AsDouble(PyTuple_GetItem(tuple, i));
        if (tolerances[i] == -1.0 && PyErr_Occurred())
            return 0;
    }
    return 1;
}

static int
read_run(PyObject *tuple, Run *run)
{
    if (!PyTuple_Check(tuple) || PyTuple_Size(tuple) < RUN_ITEMS) {
        PyErr_SetString(PyExc_TypeError, "not a run");
        return 0;
    }
    double *sides[] = {&run->box.x0, &run->box.y0, &run->box.x1, &run->box.y1};
    for (int i = X0; i <= Y1; i++) {
        *sides[i] = PyFloat_AsDouble(PyTuple_GetItem(tuple, i));
        if (*sides[i] == -1.0 && PyErr_Occurred())
            return 0;
    }
    run->tuple = tuple;
    run->style = PyLong_AsSsize_t(PyTuple_GetItem(tuple, STYLE));
    if (run->style == -1 && PyErr_Occurred())
        return 0;
    run->text = PyTuple_GetItem(tuple, TEXT);
    run->length = PyUnicode_GetLength(run->text); /* an error if it is no text */
    return run->length >= 0;
}

/* The runs of a list, to be freed; NULL with an error set. */
static Run *
read_runs(PyObject *list, Py_ssize_t count)
{
    Run *runs = PyMem_Calloc((size_t)count + 1, sizeof(Run));
    if (runs == NULL) {
        PyErr_NoMemory();
        return NULL;
    }
    for (Py_ssize_t i = 0; i < count; i++) {
        PyObject *tuple = PyList_GetItem(list, i);
        if (tuple == NULL || !read_run(tuple, &runs[i])) {
            PyMem_Free(runs);
            return NULL;
        }
    }
    return runs;
}

/* --- runs that are printed twice --- */

enum {
    MAX_REPRINT_DISTANCE,
    MAX_REPRINT_SHIFT,
    MAX_SHADOW_DISTANCE,
    MIN_SHADOW_HEIGHT,
    MAX_SHADOW_SHIFT,
    MIN_SHADOW_OVERLAP,
    REPRINT_TOLERANCES
};

/* Whether one of the last runs with the same text stands at the same place; `before` leads from each to the last
   one before it. */
static int
is_reprint(const Run *runs, Py_ssize_t i, Py_ssize_t other, const Py_ssize_t *before, const double *tolerances)
{
    double shift = tolerances[MAX_REPRINT_SHIFT];
    for (int step = 0; other != NONE && step < tolerances[MAX_REPRINT_DISTANCE]; step++, other = before[other]) {
        const Box *a = &runs[i].box, *b = &runs[other].box;
        if (fabs(a->x0 - b->x0) < shift && fabs(a->y0 - b->y0) < shift)
            return 1;
    }
    return 0;
}

/* Whether a high run lies on one of the last kept ones: then Python compares their texts. */
static int
may_be_shadow(const Run *run, const Run *runs, const Py_ssize_t *kept, Py_ssize_t count, const double *tolerances)
{
    const Box *a = &run->box;
    double height = a->y1 - a->y0, reach = tolerances[MAX_SHADOW_SHIFT] * height;
    if (!(height >= tolerances[MIN_SHADOW_HEIGHT]))
        return 0;
    for (Py_ssize_t i = count - 1, step = 0; i >= 0 && step < tolerances[MAX_SHADOW_DISTANCE]; i--, step++) {
        const Box *b = &runs[kept[i]].box;
        if (!(fabs(a->y0 - b->y0) <= reach && b->x1 > a->x0) || fabs(b->y1 - b->y0 - height) > reach)
            continue;
        double shared = lower_of(a->x1, b->x1) - higher_of(a->x0, b->x0);
        if (shared > tolerances[MIN_SHADOW_OVERLAP] * lower_of(a->x1 - a->x0, b->x1 - b->x0))
            return 1;
    }
    return 0;
}

/* Appends the runs that are kept to a list; 0 with an error set. */
static int
keep_runs(const Run *runs, Py_ssize_t count, PyObject *result, PyObject *is_shadow, const double *tolerances)
{
    int is_done = 0;
    Py_ssize_t kept_count = 0;
    Py_ssize_t *before = PyMem_Calloc((size_t)count + 1, sizeof(Py_ssize_t));
    Py_ssize_t *kept = PyMem_Calloc((size_t)count + 1, sizeof(Py_ssize_t));
    PyObject *last_by_text = PyDict_New();
    if (before == NULL || kept == NULL || last_by_text == NULL) {
        PyErr_NoMemory();
        goto end;
    }
    for (Py_ssize_t i = 0; i < count; i++) {
        PyObject *last = PyDict_GetItemWithError(last_by_text, runs[i].text); /* borrowed */
        if (last == NULL && PyErr_Occurred())
            goto end;
        before[i] = last == NULL ? NONE : PyLong_AsSsize_t(last);
        if (is_reprint(runs, i, before[i], before, tolerances))
            continue;
        PyObject *index = PyLong_FromSsize_t(i);
        int failed = index == NULL || PyDict_SetItem(last_by_text, runs[i].text, index) < 0;
        Py_XDECREF(index);
        if (failed)
            goto end;
        if (may_be_shadow(&runs[i], runs, kept, kept_count, tolerances)) {
            PyObject *answer = PyObject_CallFunctionObjArgs(is_shadow, runs[i].tuple, result, NULL);
            int shadow = answer == NULL ? -1 : PyObject_IsTrue(answer);
            Py_XDECREF(answer);
            if (shadow < 0)
                goto end;
            if (shadow)
                continue;
        }
        if (PyList_Append(result, runs[i].tuple) < 0)
            goto end;
        kept[kept_count++] = i;
    }
    is_done = 1;
end:
    PyMem_Free(before);
    PyMem_Free(kept);
    Py_XDECREF(last_by_text);
    return is_done;
}

static PyObject *
drop_reprints(PyObject *module, PyObject *arguments)
{
    PyObject *list, *is_shadow, *tuple, *result = NULL;
    double tolerances[REPRINT_TOLERANCES];
    (void)module;
    if (!PyArg_ParseTuple(arguments, "OOO", &list, &is_shadow, &tuple))
        return NULL;
    if (!read_tolerances(tuple, tolerances, REPRINT_TOLERANCES))
        return NULL;
    /* A copy of the list: Python code that runs meanwhile must not take the runs away. */
    PyObject *copy = PySequence_List(list);
    if (copy == NULL)
        return NULL;
    Py_ssize_t count = PyList_Size(copy);
    Run *runs = read_runs(copy, count);
    if (runs != NULL)
        result = PyList_New(0);
    if (result != NULL && !keep_runs(runs, count, result, is_shadow, tolerances))
        Py_CLEAR(result);
    PyMem_Free(runs);
    Py_DECREF(copy);
    return result;
}

/* --- runs to groups on one baseline --- */

enum {
    MIN_SAME_BASELINE_OVERLAP,
    EM_OF_LINE_HEIGHT,
    MIN_SIDE_NOTE_GAP,
    MAX_SIGN_LENGTH,
    MIN_SAME_LINE_HEIGHT,
    MAX_SAME_LINE_HEIGHT,
    MIN_MARGIN_WORD_GAP,
    MIN_MARGIN_WORD_SIZE_CHANGE,
    MAX_STEP_BACK,
    MAX_STEP_BACK_AT_LINE_START,
    MAX_WORD_GAP,
    MAX_MERGE_DISTANCE,
    MAX_TORN_LINE_OVERLAP,
    MAX_TORN_LINE_GAP,
    MIN_TORN_LINE_HEIGHT,
    MIN_TORN_LINE_SHARED_HEIGHT,
    GROUP_TOLERANCES
};

/* A group of runs: a chain from `head` to `tail`, and the runs whose sides are those of its box. */
typedef struct {
    Py_ssize_t head, tail, count;
    Py_ssize_t left, top, right, bottom;
    Box box;
    double middle; /* doubled; not changed by merging */
    int is_gone;   /* merged into another group */
} Group;

typedef struct {
    Run *runs;
    double *sizes; /* of each run's font */
    Py_ssize_t *next; /* of each run in its group */
    Group *groups;
    Py_ssize_t *order, *scratch; /* the groups from top to bottom */
    Py_ssize_t run_count, group_count;
} Page;

/* `_continues` of lines.py: whether a run continues a line with these edges, height and font size. */
static int
continues(const Run *run, double own, double x0, double x1, double height, double size, const double *t)
{
    double em = higher_of(own, t[EM_OF_LINE_HEIGHT] * height);
    double gap = run->box.x0 - x1;
    if (gap > t[MIN_SIDE_NOTE_GAP] * own && (double)run->length > t[MAX_SIGN_LENGTH]) {
        double run_height = run->box.y1 - run->box.y0;
        if (!(t[MIN_SAME_LINE_HEIGHT] * height < run_height && run_height < t[MAX_SAME_LINE_HEIGHT] * height))
            return 0;
        if (gap > t[MIN_MARGIN_WORD_GAP] * em && fabs(own - size) > t[MIN_MARGIN_WORD_SIZE_CHANGE] * em)
            return 0;
    }
    if (-t[MAX_STEP_BACK] * em < gap && gap < t[MAX_WORD_GAP] * em)
        return 1;
    double gap_left = x0 - run->box.x1;
    return -t[MAX_STEP_BACK_AT_LINE_START] * em < gap_left && gap_left < t[MAX_WORD_GAP] * em;
}

static void
start_group(Page *page, Py_ssize_t i)
{
    const Box *box = &page->runs[i].box;
    page->next[i] = NONE;
    page->groups[page->group_count++] = (Group){i, i, 1, i, i, i, i, *box, 0.0, 0};
}

/* Takes the sides of the group's box from another box where it reaches further; of equal sides the first stays. */
static void
widen(Group *group, const Group *other)
{
    if (other->box.x0 < group->box.x0)
        group->box.x0 = other->box.x0, group->left = other->left;
    if (other->box.y0 < group->box.y0)
        group->box.y0 = other->box.y0, group->top = other->top;
    if (other->box.x1 > group->box.x1)
        group->box.x1 = other->box.x1, group->right = other->right;
    if (other->box.y1 > group->box.y1)
        group->box.y1 = other->box.y1, group->bottom = other->bottom;
}

/* `_group_in_order` of lines.py. */
static void
group_in_order(Page *page, const double *t)
{
    double x0 = 0, x1 = 0, top = 0, bottom = 0, size = 0;
    for (Py_ssize_t i = 0; i < page->run_count; i++) {
        const Run *run = &page->runs[i];
        const Box *box = &run->box;
        double height = bottom - top, run_height = box->y1 - box->y0;
        double lower = bottom < box->y1 ? bottom : box->y1, upper = top > box->y0 ? top : box->y0;
        double least = t[MIN_SAME_BASELINE_OVERLAP] * (run_height < height ? run_height : height);
        if (page->group_count > 0 && lower - upper >= least &&
            continues(run, page->sizes[i], x0, x1, height, size, t)) {
            Group *group = &page->groups[page->group_count - 1];
            Group own = {i, i, 1, i, i, i, i, *box, 0.0, 0};
            page->next[group->tail] = i;
            page->next[i] = NONE;
            group->tail = i;
            group->count++;
            widen(group, &own);
            if (box->x0 < x0)
                x0 = box->x0;
            if (box->x1 > x1)
                x1 = box->x1;
            if (run_height > height)
                top = box->y0, bottom = box->y1, size = page->sizes[i];
        }
        else {
            start_group(page, i);
            x0 = box->x0, top = box->y0, x1 = box->x1, bottom = box->y1, size = page->sizes[i];
        }
    }
}

/* Sorts the groups by their middles; equal ones stay in order (merge sort, from short stretches to long ones). */
static void
sort_downwards(Page *page)
{
    Py_ssize_t *order = page->order, *sorted = page->scratch;
    for (Py_ssize_t i = 0; i < page->group_count; i++) {
        Group *group = &page->groups[i];
        group->middle = group->box.y0 + group->box.y1;
        order[i] = i;
    }
    for (Py_ssize_t width = 1; width < page->group_count; width *= 2) {
        for (Py_ssize_t start = 0; start < page->group_count; start += 2 * width) {
            Py_ssize_t middle = start + width < page->group_count ? start + width : page->group_count;
            Py_ssize_t end = middle + width < page->group_count ? middle + width : page->group_count;
            Py_ssize_t a = start, b = middle;
            for (Py_ssize_t i = start; i < end; i++) {
                int take_b = b < end && (a >= middle || page->groups[order[b]].middle < page->groups[order[a]].middle);
                sorted[i] = take_b ? order[b++] : order[a++];
            }
        }
        Py_ssize_t *swap = order;
        order = sorted;
        sorted = swap;
    }
    page->order = order;
    page->scratch = sorted;
}

/* `_touch` of lines.py. */
static int
touch(const Box *a, const Box *b, const double *t)
{
    double low = a->y1 - a->y0, high = b->y1 - b->y0;
    if (low > high) {
        double swap = low;
        low = high;
        high = swap;
    }
    double gap = b->x0 > a->x0 ? b->x0 - a->x1 : a->x0 - b->x1;
    if (!(-t[MAX_TORN_LINE_OVERLAP] * low < gap && gap < t[MAX_TORN_LINE_GAP] * low))
        return 0;
    if (low <= t[MIN_TORN_LINE_HEIGHT] * high)
        return 0;
    double shared = lower_of(a->y1, b->y1) - higher_of(a->y0, b->y0);
    return shared > t[MIN_TORN_LINE_SHARED_HEIGHT] * low;
}

/* Appends group j to group i; the result takes the place of the first of the two. */
static void
merge(Page *page, Py_ssize_t i, Py_ssize_t j)
{
    Py_ssize_t first = i < j ? i : j, second = i < j ? j : i;
    Group merged = page->groups[i];
    const Group *other = &page->groups[j];
    page->next[merged.tail] = other->head;
    merged.tail = other->tail;
    merged.count += other->count;
    widen(&merged, other);
    page->groups[first] = merged;
    page->groups[second].is_gone = 1;
}

/* `_merge_neighbours` of lines.py. */
static void
merge_neighbours(Page *page, const double *t)
{
    sort_downwards(page);
    for (Py_ssize_t rank = 0; rank < page->group_count; rank++) {
        Py_ssize_t i = page->order[rank];
        for (Py_ssize_t step = 1; step <= t[MAX_MERGE_DISTANCE] && rank + step < page->group_count; step++) {
            Py_ssize_t j = page->order[rank + step];
            if (page->groups[i].is_gone || page->groups[j].box.y0 > page->groups[i].box.y1)
                break;
            if (!page->groups[j].is_gone && touch(&page->groups[i].box, &page->groups[j].box, t))
                merge(page, i, j);
        }
    }
}

/* --- groups to lines --- */

/* A side of a run as the object that the run holds, so that lines hold the same. */
static PyObject *
side(const Page *page, Py_ssize_t run, int item)
{
    return PyTuple_GetItem(page->runs[run].tuple, item);
}

/* Whether a character cannot be a blank: visible ASCII, or beyond the last blank of Unicode. */
static int
is_no_blank(Py_UCS4 character)
{
    return (character > 0x20 && character < 0x7F) || character > 0x3000;
}

/* `text.strip()`, a new reference. */
static PyObject *
strip(const Run *run)
{
    Py_ssize_t length = run->length;
    if (length > 0 && is_no_blank(PyUnicode_ReadChar(run->text, 0)) &&
        is_no_blank(PyUnicode_ReadChar(run->text, length - 1)))
        return Py_NewRef(run->text);
    return PyObject_CallMethod(run->text, "strip", NULL);
}

/* The line of a single run: `new_line((x0, y0, x1, y1, text.strip(), style, size, (run,)))`. */
static PyObject *
single_line(const Run *run, PyObject *sizes, PyObject *new_line)
{
    PyObject *line = NULL, *tuple = run->tuple;
    PyObject *text = strip(run);
    PyObject *runs = PyTuple_Pack(1, tuple);
    PyObject *items = NULL;
    if (text != NULL && runs != NULL)
        items = PyTuple_Pack(8, PyTuple_GetItem(tuple, X0), PyTuple_GetItem(tuple, Y0), PyTuple_GetItem(tuple, X1),
                             PyTuple_GetItem(tuple, Y1), text, PyTuple_GetItem(tuple, STYLE),
                             PyList_GetItem(sizes, run->style), runs);
    if (items != NULL)
        line = PyObject_CallFunctionObjArgs(new_line, items, NULL);
    Py_XDECREF(text);
    Py_XDECREF(runs);
    Py_XDECREF(items);
    return line;
}

/* The line of several runs: `make_line(runs, (x0, y0, x1, y1))`. */
static PyObject *
joined_line(const Page *page, const Group *group, PyObject *make_line)
{
    PyObject *line = NULL, *runs = PyList_New(group->count);
    PyObject *box = PyTuple_Pack(4, side(page, group->left, X0), side(page, group->top, Y0),
                                 side(page, group->right, X1), side(page, group->bottom, Y1));
    if (runs != NULL && box != NULL) {
        Py_ssize_t position = 0;
        for (Py_ssize_t i = group->head; i != NONE && position < group->count; i = page->next[i])
            PyList_SetItem(runs, position++, Py_NewRef(page->runs[i].tuple));
        line = PyObject_CallFunctionObjArgs(make_line, runs, box, NULL);
    }
    Py_XDECREF(runs);
    Py_XDECREF(box);
    return line;
}

static PyObject *
make_lines(const Page *page, PyObject *sizes, PyObject *new_line, PyObject *make_line)
{
    PyObject *lines = PyList_New(0);
    for (Py_ssize_t i = 0; lines != NULL && i < page->group_count; i++) {
        const Group *group = &page->groups[i];
        if (group->is_gone)
            continue;
        PyObject *line = group->count == 1 ? single_line(&page->runs[group->head], sizes, new_line)
                                           : joined_line(page, group, make_line);
        if (line == NULL || PyList_Append(lines, line) < 0)
            Py_CLEAR(lines);
        Py_XDECREF(line);
    }
    return lines;
}

/* The font size of each run; 0 with an error set. */
static int
read_sizes(Page *page, PyObject *sizes)
{
    for (Py_ssize_t i = 0; i < page->run_count; i++) {
        Py_ssize_t style = page->runs[i].style;
        if (style < 0 || style >= PyList_Size(sizes)) {
            PyErr_SetString(PyExc_IndexError, "a run has no style");
            return 0;
        }
        page->sizes[i] = PyFloat_AsDouble(PyList_GetItem(sizes, style));
        if (page->sizes[i] == -1.0 && PyErr_Occurred())
            return 0;
    }
    return 1;
}

static PyObject *
build(PyObject *module, PyObject *arguments)
{
    PyObject *list, *size_list, *new_line, *make_line, *tuple, *lines = NULL;
    double tolerances[GROUP_TOLERANCES];
    (void)module;
    if (!PyArg_ParseTuple(arguments, "OOOOO", &list, &size_list, &new_line, &make_line, &tuple))
        return NULL;
    if (!read_tolerances(tuple, tolerances, GROUP_TOLERANCES))
        return NULL;
    /* Copies of the lists: Python code that runs meanwhile must not take their items away. */
    PyObject *runs = PySequence_List(list), *sizes = PySequence_List(size_list);
    Page page = {0};
    if (runs != NULL && sizes != NULL) {
        page.run_count = PyList_Size(runs);
        size_t count = (size_t)page.run_count + 1;
        page.runs = read_runs(runs, page.run_count);
        page.sizes = PyMem_Calloc(count, sizeof(double));
        page.next = PyMem_Calloc(count, sizeof(Py_ssize_t));
        page.groups = PyMem_Calloc(count, sizeof(Group));
        page.order = PyMem_Calloc(count, sizeof(Py_ssize_t));
        page.scratch = PyMem_Calloc(count, sizeof(Py_ssize_t));
        if (page.runs == NULL)
            ; /* the error is set */
        else if (!page.sizes || !page.next || !page.groups || !page.order || !page.scratch)
            PyErr_NoMemory();
        else if (read_sizes(&page, sizes)) {
            group_in_order(&page, tolerances);
            merge_neighbours(&page, tolerances);
            lines = make_lines(&page, sizes, new_line, make_line);
        }
    }
    PyMem_Free(page.runs);
    PyMem_Free(page.sizes);
    PyMem_Free(page.next);
    PyMem_Free(page.groups);
    PyMem_Free(page.order);
    PyMem_Free(page.scratch);
    Py_XDECREF(runs);
    Py_XDECREF(sizes);
    return lines;
}

static PyMethodDef METHODS[] = {
    {"drop_reprints", drop_reprints, METH_VARARGS,
     "drop_reprints(runs, is_shadow, tolerances): the runs without second printings."},
    {"build", build, METH_VARARGS,
     "build(runs, sizes, new_line, make_line, tolerances): the lines of visible, upright runs.\n"
     "`make_line(runs, box)` makes those of several runs, `new_line(items)` the others."},
    {NULL, NULL, 0, NULL},
};

static int
set_up(PyObject *module)
{
    return PyModule_AddIntConstant(module, "INTERFACE_VERSION", INTERFACE_VERSION);
}

static PyModuleDef_Slot SLOTS[] = {
    {Py_mod_exec, set_up},
    {0, NULL},
};

static struct PyModuleDef MODULE = {
    PyModuleDef_HEAD_INIT, "_lines", "Runs to lines.", 0, METHODS, SLOTS, NULL, NULL, NULL,
};

PyMODINIT_FUNC
PyInit__lines(void)
{
    return PyModuleDef_Init(&MODULE);
}
