/* Scores rows with boosted trees: `TreeArrays.score` of inference.py in C.

   ONNX Runtime takes as long to load as a hundred pages take to lay out, and numpy is slow for many rows. The sum
   runs over the trees in order, in 32-bit floats, so all three give the same bits.

   No row walks down a tree: which way it goes is hard to guess for a processor. Instead, each row has a bit for
   each leaf, from left to right, and goes through all splits of the tree. A split that the row exceeds clears the
   leaves on its lower side. The leftmost leaf that remains is the row's (QuickScorer, Lucchese et al., SIGIR 2015).
   There are no branches, so compilers do this for several rows at once.

   The arrays come from a model file, which may be anybody's. `prepare` checks every index once: the children of a
   node come after it and lie inside the arrays, and features lie inside a row. */

#define PY_SSIZE_T_CLEAN
#define Py_LIMITED_API 0x030B0000 /* the stable ABI of Python 3.11: one binary for all later versions */
#include <Python.h>
#include <stdint.h>

/* Changes with every change of what the functions take or return; inference.py expects the same number. */
#define INTERFACE_VERSION 2
#define MAX_LEAVES 32 /* of a tree: one bit each */
#define LANES 16      /* rows that are scored side by side */
#define CAPSULE "held.models._trees"

enum { OUTSIDE = -1, TOO_MANY_LEAVES = -2 }; /* what makes trees unusable here */

typedef struct {
    int32_t feature;
    float threshold;
    uint32_t above; /* the leaves that remain for a row whose feature is above the threshold */
} Split;

typedef struct {
    int split_count, leaf_count;
    Split splits[MAX_LEAVES - 1];
    float values[MAX_LEAVES]; /* of the leaves, at their `slot` */
} Tree;

typedef struct {
    Py_ssize_t width, tree_count;
    Tree *trees;
} Trees;

/* The arrays that trees are made of, as `TreeArrays` describes them. */
typedef struct {
    Py_ssize_t width, node_count;
    const int32_t *feature, *below, *above;
    const float *threshold, *value;
} Nodes;

/* The place of the value of the leaf with this bit: the highest five bits of the product differ for each bit
   (a de Bruijn sequence), and no compiler needs an instruction for it. */
static unsigned
slot(uint32_t bit)
{
    return (uint32_t)(bit * 0x077CB531u) >> 27;
}

static void
free_trees(Trees *trees)
{
    if (trees != NULL) {
        PyMem_Free(trees->trees);
        PyMem_Free(trees);
    }
}

static void
free_capsule(PyObject *capsule)
{
    free_trees(PyCapsule_GetPointer(capsule, CAPSULE));
}

/* Adds a node and all below it, from left to right. As every call adds a split or a leaf, and a tree has few of
   them, the calls end, and are few inside each other. */
static int
add_node(Tree *tree, const Nodes *nodes, int32_t i)
{
    if (i < 0 || i >= nodes->node_count || nodes->feature[i] < 0 || nodes->feature[i] >= nodes->width)
        return OUTSIDE;
    int32_t below = nodes->below[i], above = nodes->above[i];
    if (below == i && above == i) {
        if (tree->leaf_count == MAX_LEAVES)
            return TOO_MANY_LEAVES;
        tree->values[slot((uint32_t)1 << tree->leaf_count++)] = nodes->value[i];
        return 0;
    }
    if (below <= i || above <= i)
        return OUTSIDE;
    if (tree->split_count == MAX_LEAVES - 1)
        return TOO_MANY_LEAVES;
    Split *split = &tree->splits[tree->split_count++];
    int first = tree->leaf_count;
    int status = add_node(tree, nodes, below);
    if (status < 0)
        return status;
    split->feature = nodes->feature[i];
    split->threshold = nodes->threshold[i];
    for (int leaf = first; leaf < tree->leaf_count; leaf++)
        split->above |= (uint32_t)1 << leaf;
    split->above = ~split->above;
    return add_node(tree, nodes, above);
}

/* The trees with these roots; NULL with an error set, or without one if a tree has too many leaves. */
static Trees *
make_trees(const Nodes *nodes, const int32_t *roots, Py_ssize_t tree_count)
{
    Trees *trees = PyMem_Calloc(1, sizeof(Trees));
    if (trees != NULL) {
        trees->width = nodes->width;
        trees->tree_count = tree_count;
        trees->trees = PyMem_Calloc((size_t)tree_count + 1, sizeof(Tree));
    }
    if (trees == NULL || trees->trees == NULL) {
        free_trees(trees);
        PyErr_NoMemory();
        return NULL;
    }
    int status = nodes->width > 0 && nodes->node_count < INT32_MAX ? 0 : OUTSIDE;
    for (Py_ssize_t i = 0; status == 0 && i < tree_count; i++)
        status = add_node(&trees->trees[i], nodes, roots[i]);
    if (status == 0)
        return trees;
    free_trees(trees);
    if (status == OUTSIDE)
        PyErr_SetString(PyExc_ValueError, "trees that lead outside their nodes");
    return NULL;
}

static PyObject *
prepare(PyObject *module, PyObject *arguments)
{
    Py_ssize_t width;
    Py_buffer roots, nodes[5];
    PyObject *result = NULL;
    (void)module;
    /* y*: a contiguous buffer of bytes; the caller passes 32-bit integers and floats. */
    if (!PyArg_ParseTuple(arguments, "ny*y*y*y*y*y*", &width, &roots, &nodes[0], &nodes[1], &nodes[2], &nodes[3],
                          &nodes[4]))
        return NULL;
    Nodes all = {width, nodes[0].len / 4, nodes[0].buf, nodes[2].buf, nodes[3].buf, nodes[1].buf, nodes[4].buf};
    for (int i = 1; i < 5; i++)
        if (nodes[i].len != nodes[0].len)
            all.node_count = 0; /* no root lies inside */
    Trees *trees = make_trees(&all, roots.buf, roots.len / 4);
    if (trees != NULL) {
        result = PyCapsule_New(trees, CAPSULE, free_capsule);
        if (result == NULL)
            free_trees(trees);
    }
    else if (!PyErr_Occurred())
        result = Py_NewRef(Py_None);
    PyBuffer_Release(&roots);
    for (int i = 0; i < 5; i++)
        PyBuffer_Release(&nodes[i]);
    return result;
}

/* The leaves that each row may reach after all splits of a tree. */
static void
pass_splits(const Tree *tree, const float *columns, uint32_t leaves[LANES])
{
    uint32_t left[LANES];
    for (int lane = 0; lane < LANES; lane++)
        left[lane] = UINT32_MAX;
    for (int i = 0; i < tree->split_count; i++) {
        const float *column = columns + (Py_ssize_t)tree->splits[i].feature * LANES;
        float threshold = tree->splits[i].threshold;
        uint32_t above = tree->splits[i].above;
#pragma GCC unroll 4
        for (int lane = 0; lane < LANES; lane++)
            left[lane] &= above | (uint32_t)-(int32_t)(column[lane] <= threshold);
    }
    for (int lane = 0; lane < LANES; lane++)
        leaves[lane] = left[lane];
}

/* Scores up to LANES rows; `columns` has room for their features one after another, LANES of each. */
static void
score_rows(const Trees *trees, const float *rows, Py_ssize_t count, float *columns, float *scores)
{
    uint32_t leaves[LANES];
    float sums[LANES] = {0.0f};
    for (Py_ssize_t row = 0; row < count; row++)
        for (Py_ssize_t feature = 0; feature < trees->width; feature++)
            columns[feature * LANES + row] = rows[row * trees->width + feature];
    for (Py_ssize_t i = 0; i < trees->tree_count; i++) {
        const Tree *tree = &trees->trees[i];
        pass_splits(tree, columns, leaves);
        for (int lane = 0; lane < LANES; lane++)
            sums[lane] += tree->values[slot(leaves[lane] & (~leaves[lane] + 1))]; /* the lowest bit */
    }
    for (Py_ssize_t row = 0; row < count; row++)
        scores[row] = sums[row];
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
        float *columns = NULL;
        if (rows.len % row_bytes != 0)
            PyErr_SetString(PyExc_ValueError, "rows of another width");
        else if ((columns = PyMem_Calloc((size_t)trees->width, LANES * sizeof(float))) == NULL)
            PyErr_NoMemory();
        else
            result = PyBytes_FromStringAndSize(NULL, count * (Py_ssize_t)sizeof(float));
        if (result != NULL) {
            float *scores = (float *)PyBytes_AsString(result); /* nobody else has seen the bytes yet */
            for (Py_ssize_t start = 0; start < count; start += LANES) {
                Py_ssize_t together = count - start < LANES ? count - start : LANES;
                const float *first = (const float *)rows.buf + start * trees->width;
                score_rows(trees, first, together, columns, scores + start);
            }
        }
        PyMem_Free(columns);
    }
    PyBuffer_Release(&rows);
    return result;
}

static PyMethodDef METHODS[] = {
    {"prepare", prepare, METH_VARARGS,
     "prepare(width, roots, feature, threshold, below, above, value): checked trees for `score`,\n"
     "or None if a tree has more than 32 leaves."},
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
