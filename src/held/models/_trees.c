/* Scores rows with boosted trees: `TreeArrays.score` of inference.py in C.

   ONNX Runtime takes as long to load as a hundred pages take to lay out, and numpy is slow for many rows. The sum
   runs over the trees in order, in 32-bit floats, so all three give the same bits.

   The arrays come from a model file, which may be anybody's. `prepare` checks every index once: the children of a
   node come after it and lie inside the arrays, and features lie inside a row. So a row reaches a leaf. */

#define PY_SSIZE_T_CLEAN
#define Py_LIMITED_API 0x030B0000 /* the stable ABI of Python 3.11: one binary for all later versions */
#include <Python.h>
#include <stdint.h>

/* Changes with every change of what the functions take or return; inference.py expects the same number. */
#define INTERFACE_VERSION 1
#define ROWS_TOGETHER 64 /* that go through a tree while its nodes are in the cache */
#define LANES 8          /* rows that descend side by side: which way a row goes is hard to guess, so none waits */
#define CAPSULE "held.models._trees"

typedef struct {
    int32_t feature;
    float threshold;
    int32_t next[2]; /* where a row goes whose feature is above the threshold, and at most it; a leaf: itself */
} Node;

typedef struct {
    Py_ssize_t width, tree_count, node_count;
    int32_t *roots;
    Node *nodes;
    float *values; /* of the leaves */
} Trees;

static void
free_trees(Trees *trees)
{
    if (trees != NULL) {
        PyMem_Free(trees->roots);
        PyMem_Free(trees->nodes);
        PyMem_Free(trees->values);
        PyMem_Free(trees);
    }
}

static void
free_capsule(PyObject *capsule)
{
    free_trees(PyCapsule_GetPointer(capsule, CAPSULE));
}

/* Copies a node; -1 if it leads outside the arrays. */
static int
copy_node(Trees *trees, Py_ssize_t i, const int32_t *feature, const float *threshold, const int32_t *below,
          const int32_t *above, const float *value)
{
    int is_leaf = below[i] == i && above[i] == i;
    int is_inside = i < below[i] && below[i] < trees->node_count && i < above[i] && above[i] < trees->node_count;
    if (feature[i] < 0 || feature[i] >= trees->width || !(is_leaf || is_inside))
        return -1;
    trees->nodes[i] = (Node){feature[i], threshold[i], {above[i], below[i]}};
    trees->values[i] = value[i];
    return 0;
}

static Trees *
make_trees(Py_ssize_t width, const Py_buffer *roots, const Py_buffer nodes[5])
{
    Trees *trees = PyMem_Calloc(1, sizeof(Trees));
    if (trees == NULL) {
        PyErr_NoMemory();
        return NULL;
    }
    trees->width = width;
    trees->tree_count = roots->len / 4;
    trees->node_count = nodes[0].len / 4;
    trees->roots = PyMem_Calloc((size_t)trees->tree_count + 1, sizeof(int32_t));
    trees->nodes = PyMem_Calloc((size_t)trees->node_count + 1, sizeof(Node));
    trees->values = PyMem_Calloc((size_t)trees->node_count + 1, sizeof(float));
    if (trees->roots == NULL || trees->nodes == NULL || trees->values == NULL) {
        PyErr_NoMemory();
        free_trees(trees);
        return NULL;
    }
    int is_valid = width > 0 && trees->node_count < INT32_MAX;
    for (int i = 1; i < 5; i++)
        is_valid = is_valid && nodes[i].len == nodes[0].len;
    for (Py_ssize_t i = 0; is_valid && i < trees->tree_count; i++) {
        trees->roots[i] = ((const int32_t *)roots->buf)[i];
        is_valid = trees->roots[i] >= 0 && trees->roots[i] < trees->node_count;
    }
    for (Py_ssize_t i = 0; is_valid && i < trees->node_count; i++)
        is_valid = copy_node(trees, i, nodes[0].buf, nodes[1].buf, nodes[2].buf, nodes[3].buf, nodes[4].buf) == 0;
    if (!is_valid) {
        PyErr_SetString(PyExc_ValueError, "trees that lead outside their nodes");
        free_trees(trees);
        return NULL;
    }
    return trees;
}

static PyObject *
prepare(PyObject *module, PyObject *arguments)
{
    Py_ssize_t width;
    Py_buffer roots, nodes[5];
    PyObject *capsule = NULL;
    (void)module;
    /* y*: a contiguous buffer of bytes; the caller passes 32-bit integers and floats. */
    if (!PyArg_ParseTuple(arguments, "ny*y*y*y*y*y*", &width, &roots, &nodes[0], &nodes[1], &nodes[2], &nodes[3],
                          &nodes[4]))
        return NULL;
    Trees *trees = make_trees(width, &roots, nodes);
    if (trees != NULL) {
        capsule = PyCapsule_New(trees, CAPSULE, free_capsule);
        if (capsule == NULL)
            free_trees(trees);
    }
    PyBuffer_Release(&roots);
    for (int i = 0; i < 5; i++)
        PyBuffer_Release(&nodes[i]);
    return capsule;
}

/* Add a tree's leaves to the scores of up to LANES rows. */
static void
add_leaves(const Trees *trees, int32_t root, const float *rows, Py_ssize_t count, float *scores)
{
    int32_t at[LANES], moved;
    for (Py_ssize_t lane = 0; lane < count; lane++)
        at[lane] = root;
    do {
        moved = 0;
        for (Py_ssize_t lane = 0; lane < count; lane++) {
            const Node *node = &trees->nodes[at[lane]];
            int32_t next = node->next[rows[lane * trees->width + node->feature] <= node->threshold];
            moved |= next ^ at[lane];
            at[lane] = next;
        }
    } while (moved); /* until all are at leaves */
    for (Py_ssize_t lane = 0; lane < count; lane++)
        scores[lane] += trees->values[at[lane]];
}

static void
score_rows(const Trees *trees, const float *rows, Py_ssize_t count, float *scores)
{
    for (Py_ssize_t row = 0; row < count; row++)
        scores[row] = 0.0f;
    for (Py_ssize_t tree = 0; tree < trees->tree_count; tree++) {
        Py_ssize_t row = 0;
        for (; row + LANES <= count; row += LANES) /* a constant count is unrolled */
            add_leaves(trees, trees->roots[tree], rows + row * trees->width, LANES, scores + row);
        add_leaves(trees, trees->roots[tree], rows + row * trees->width, count - row, scores + row);
    }
}

static PyObject *
score(PyObject *module, PyObject *arguments)
{
    PyObject *capsule, *result = NULL;
    Py_buffer rows;
    (void)module;
    if (!PyArg_ParseTuple(arguments, "Oy*", &capsule, &rows))
        return NULL;
    const Trees *trees = PyCapsule_GetPointer(capsule, CAPSULE);
    if (trees != NULL) {
        Py_ssize_t row_bytes = trees->width * (Py_ssize_t)sizeof(float);
        Py_ssize_t count = rows.len / row_bytes;
        if (rows.len % row_bytes != 0)
            PyErr_SetString(PyExc_ValueError, "rows of another width");
        else
            result = PyBytes_FromStringAndSize(NULL, count * (Py_ssize_t)sizeof(float));
        if (result != NULL) {
            float *scores = (float *)PyBytes_AsString(result); /* nobody else has seen the bytes yet */
            for (Py_ssize_t start = 0; start < count; start += ROWS_TOGETHER) {
                Py_ssize_t together = count - start < ROWS_TOGETHER ? count - start : ROWS_TOGETHER;
                score_rows(trees, (const float *)rows.buf + start * trees->width, together, scores + start);
            }
        }
    }
    PyBuffer_Release(&rows);
    return result;
}

static PyMethodDef METHODS[] = {
    {"prepare", prepare, METH_VARARGS,
     "prepare(width, roots, feature, threshold, below, above, value): checked trees for `score`."},
    {"score", score, METH_VARARGS, "score(trees, rows): the sum of all trees for each row, as bytes of floats."},
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
    PyModuleDef_HEAD_INIT, "_trees", "Boosted trees.", 0, METHODS, SLOTS, NULL, NULL, NULL,
};

PyMODINIT_FUNC
PyInit__trees(void)
{
    return PyModuleDef_Init(&MODULE);
}
