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
#include <string.h>
#include "../system/_module.h"

/* Changes with every change of what the functions take or return; inference.py expects the same number. */
#define INTERFACE_VERSION 3
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

/* So many empty trees; NULL with an error set. */
static Trees *
allocate_trees(Py_ssize_t width, Py_ssize_t tree_count)
{
    Trees *trees = PyMem_Calloc(1, sizeof(Trees));
    if (trees != NULL) {
        trees->width = width;
        trees->tree_count = tree_count;
        trees->trees = PyMem_Calloc((size_t)tree_count + 1, sizeof(Tree));
    }
    if (trees == NULL || trees->trees == NULL) {
        free_trees(trees);
        PyErr_NoMemory();
        return NULL;
    }
    return trees;
}

/* The trees with these roots; NULL with an error set, or without one if a tree has too many leaves. */
static Trees *
make_trees(const Nodes *nodes, const int32_t *roots, Py_ssize_t tree_count)
{
    Trees *trees = allocate_trees(nodes->width, tree_count);
    if (trees == NULL)
        return NULL;
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

/* --- trees in the attributes of an ONNX node: `_arrays` of inference.py in C --- */

enum {
    TREE_IDS,
    NODE_IDS,
    FEATURES,
    THRESHOLDS,
    MODES,
    BELOW,
    ABOVE,
    LEAF_TREE_IDS,
    LEAF_NODE_IDS,
    WEIGHTS,
    ATTRIBUTES
};

#define CONTINUES 0x80    /* the bit of a byte that announces another one */
#define VARINT_BYTES 4    /* of 28 bits, which are more than any model needs */
#define FLOAT_BYTES 5     /* a tag and four bytes */
#define MODE_HEAD_BYTES 2 /* a tag and a length */

/* What is decoded of a model; all arrays have a place for each node. */
typedef struct {
    Py_ssize_t node_count, leaf_count, root_count;
    int32_t *ids[ATTRIBUTES]; /* of the attributes that are whole numbers */
    int32_t *roots;
    float *thresholds, *weights, *values;
} Model;

/* Decodes numbers, each a tag of one byte and a varint (seven bits per byte, the lowest first); the count, or -1. */
static Py_ssize_t
decode_integers(const Py_buffer *encoded, int32_t *numbers, Py_ssize_t most)
{
    const unsigned char *byte = encoded->buf, *end = byte + encoded->len;
    Py_ssize_t count = 0;
    while (byte < end) {
        int32_t number = 0;
        int length = 0;
        if (count == most || *byte++ >= CONTINUES)
            return -1;
        do {
            if (byte == end || length == VARINT_BYTES)
                return -1;
            number |= (int32_t)(*byte & ~CONTINUES) << (7 * length++);
        } while (*byte++ >= CONTINUES);
        numbers[count++] = number;
    }
    return count;
}

/* Decodes floats of little-endian bytes; 0 if there are not exactly so many. */
static int
decode_floats(const Py_buffer *encoded, float *numbers, Py_ssize_t count)
{
    const unsigned char *byte = encoded->buf;
    if (encoded->len != count * FLOAT_BYTES)
        return 0;
    for (Py_ssize_t i = 0; i < count; i++, byte += FLOAT_BYTES) {
        uint32_t bits = byte[1] | (uint32_t)byte[2] << 8 | (uint32_t)byte[3] << 16 | (uint32_t)byte[4] << 24;
        memcpy(&numbers[i], &bits, sizeof bits);
    }
    return 1;
}

/* Whether so many nodes are leaves and all others split; `held` writes no other modes. */
static int
are_modes(const Py_buffer *encoded, Py_ssize_t node_count, Py_ssize_t leaf_count)
{
    const char *byte = encoded->buf, *end = byte + encoded->len;
    Py_ssize_t leaves = 0, splits = 0;
    while (end - byte >= MODE_HEAD_BYTES) {
        Py_ssize_t length = (unsigned char)byte[1];
        byte += MODE_HEAD_BYTES;
        if (end - byte < length)
            return 0;
        leaves += length == 4 && memcmp(byte, "LEAF", 4) == 0;
        splits += length == 10 && memcmp(byte, "BRANCH_LEQ", 10) == 0;
        byte += length;
    }
    return byte == end && leaves == leaf_count && splits == node_count - leaf_count;
}

/* Numbers all nodes over all trees, as `Nodes` has them; 0 if anything is not as `held` writes it. */
static int
connect_nodes(Model *model, Py_ssize_t width)
{
    int32_t *tree = model->ids[TREE_IDS], *node = model->ids[NODE_IDS];
    int32_t *below = model->ids[BELOW], *above = model->ids[ABOVE];
    for (Py_ssize_t i = 0; i < model->node_count; i++)
        if (node[i] == 0)
            model->roots[model->root_count++] = (int32_t)i;
    for (Py_ssize_t i = 0; i < model->node_count; i++) {
        if (tree[i] >= model->root_count || model->ids[FEATURES][i] >= width)
            return 0;
        int32_t root = model->roots[tree[i]];
        if ((int64_t)root + node[i] != i)
            return 0;
        /* Both numbers have 28 bits at most, so their sum has no more than 29. */
        below[i] += root;
        above[i] += root;
    }
    for (Py_ssize_t k = 0; k < model->leaf_count; k++) {
        if (model->ids[LEAF_TREE_IDS][k] >= model->root_count)
            return 0;
        int32_t leaf = model->roots[model->ids[LEAF_TREE_IDS][k]] + model->ids[LEAF_NODE_IDS][k];
        if (leaf >= model->node_count)
            return 0;
        below[leaf] = above[leaf] = leaf;
        model->values[leaf] = model->weights[k];
    }
    for (Py_ssize_t i = 0; i < model->node_count; i++)
        if (below[i] < i || above[i] < i || below[i] >= model->node_count || above[i] >= model->node_count)
            return 0;
    return 1;
}

/* Decodes all attributes into arrays that have places for `most` nodes; 0 if they are not as `held` writes them. */
static int
decode_model(const Py_buffer *encoded, Model *model, Py_ssize_t width, Py_ssize_t most)
{
    static const int OF_NODES[] = {TREE_IDS, NODE_IDS, FEATURES, BELOW, ABOVE};
    static const int OF_LEAVES[] = {LEAF_TREE_IDS, LEAF_NODE_IDS};
    model->node_count = most;
    for (int i = 0; i < 5; i++)
        if (decode_integers(&encoded[OF_NODES[i]], model->ids[OF_NODES[i]], most) != most)
            return 0;
    model->leaf_count = encoded[WEIGHTS].len / FLOAT_BYTES;
    if (model->leaf_count > most)
        return 0;
    for (int i = 0; i < 2; i++)
        if (decode_integers(&encoded[OF_LEAVES[i]], model->ids[OF_LEAVES[i]], most) != model->leaf_count)
            return 0;
    return decode_floats(&encoded[THRESHOLDS], model->thresholds, most) &&
           decode_floats(&encoded[WEIGHTS], model->weights, model->leaf_count) &&
           are_modes(&encoded[MODES], most, model->leaf_count) && connect_nodes(model, width);
}

static PyObject *
decode(PyObject *module, PyObject *arguments)
{
    Py_ssize_t width;
    Py_buffer all[ATTRIBUTES];
    PyObject *result = NULL;
    (void)module;
    if (!PyArg_ParseTuple(arguments, "ny*y*y*y*y*y*y*y*y*y*", &width, &all[0], &all[1], &all[2], &all[3], &all[4],
                          &all[5], &all[6], &all[7], &all[8], &all[9]))
        return NULL;
    Model model = {0};
    Py_ssize_t most = all[THRESHOLDS].len / FLOAT_BYTES; /* a threshold for each node, leaves too */
    size_t numbers = (size_t)most + 1;
    int32_t *integers = PyMem_Calloc(numbers, (ATTRIBUTES + 1) * sizeof(int32_t));
    float *floats = PyMem_Calloc(numbers, 3 * sizeof(float));
    if (integers == NULL || floats == NULL)
        PyErr_NoMemory();
    else {
        for (int i = 0; i < ATTRIBUTES; i++)
            model.ids[i] = integers + (size_t)i * numbers;
        model.roots = integers + (size_t)ATTRIBUTES * numbers;
        model.thresholds = floats;
        model.weights = floats + numbers;
        model.values = floats + 2 * numbers;
        Trees *trees = NULL;
        if (width > 0 && most > 0 && most < INT32_MAX / 4 && decode_model(all, &model, width, most)) {
            Nodes nodes = {width, most, model.ids[FEATURES], model.ids[BELOW], model.ids[ABOVE], model.thresholds,
                           model.values};
            trees = make_trees(&nodes, model.roots, model.root_count);
        }
        if (trees != NULL) {
            result = PyCapsule_New(trees, CAPSULE, free_capsule);
            if (result == NULL)
                free_trees(trees);
        }
        else if (!PyErr_Occurred())
            result = Py_NewRef(Py_None);
    }
    PyMem_Free(integers);
    PyMem_Free(floats);
    for (int i = 0; i < ATTRIBUTES; i++)
        PyBuffer_Release(&all[i]);
    return result;
}

/* --- packed trees: what `decode` makes, as a part of a model file --- */

/* How the bytes begin. On a machine with another order of bytes `mark` differs, and the graph is decoded instead. */
#define PACKED 0x48545231
typedef struct {
    int32_t mark, width, tree_count;
} Head;
/* Of a tree: the numbers of splits and leaves, a byte each; its splits; the values of its leaves from left to right. */
#define TREE_HEAD_BYTES 2

static size_t
packed_bytes(int split_count, int leaf_count)
{
    return TREE_HEAD_BYTES + (size_t)split_count * sizeof(Split) + (size_t)leaf_count * sizeof(float);
}

static PyObject *
pack(PyObject *module, PyObject *capsule)
{
    size_t size = sizeof(Head);
    (void)module;
    const Trees *trees = PyCapsule_GetPointer(capsule, CAPSULE);
    if (trees == NULL)
        return NULL;
    if (trees->width > INT32_MAX || trees->tree_count > INT32_MAX)
        return PyErr_Format(PyExc_OverflowError, "too many trees");
    Head head = {PACKED, (int32_t)trees->width, (int32_t)trees->tree_count};
    for (Py_ssize_t i = 0; i < trees->tree_count; i++)
        size += packed_bytes(trees->trees[i].split_count, trees->trees[i].leaf_count);
    PyObject *result = PyBytes_FromStringAndSize(NULL, (Py_ssize_t)size);
    if (result == NULL)
        return NULL;
    char *byte = PyBytes_AsString(result); /* nobody else has seen the bytes yet */
    memcpy(byte, &head, sizeof head);
    byte += sizeof head;
    for (Py_ssize_t i = 0; i < trees->tree_count; i++) {
        const Tree *tree = &trees->trees[i];
        *byte++ = (char)tree->split_count;
        *byte++ = (char)tree->leaf_count;
        memcpy(byte, tree->splits, (size_t)tree->split_count * sizeof(Split));
        byte += (size_t)tree->split_count * sizeof(Split);
        for (int leaf = 0; leaf < tree->leaf_count; leaf++, byte += sizeof(float))
            memcpy(byte, &tree->values[slot((uint32_t)1 << leaf)], sizeof(float));
    }
    return result;
}

/* Unpacks a tree; the byte after it, or NULL if it is not as `pack` writes it. */
static const unsigned char *
unpack_tree(Tree *tree, const unsigned char *byte, const unsigned char *end, Py_ssize_t width)
{
    if (end - byte < TREE_HEAD_BYTES)
        return NULL;
    tree->split_count = byte[0];
    tree->leaf_count = byte[1];
    if (tree->split_count >= MAX_LEAVES || tree->leaf_count != tree->split_count + 1 ||
        (size_t)(end - byte) < packed_bytes(tree->split_count, tree->leaf_count))
        return NULL;
    byte += TREE_HEAD_BYTES;
    memcpy(tree->splits, byte, (size_t)tree->split_count * sizeof(Split));
    byte += (size_t)tree->split_count * sizeof(Split);
    for (int i = 0; i < tree->split_count; i++)
        if (tree->splits[i].feature < 0 || tree->splits[i].feature >= width)
            return NULL;
    for (int leaf = 0; leaf < tree->leaf_count; leaf++, byte += sizeof(float))
        memcpy(&tree->values[slot((uint32_t)1 << leaf)], byte, sizeof(float));
    return byte;
}

/* The trees in these bytes; NULL with an error set, or without one if they are not as `pack` writes them. */
static Trees *
unpack_trees(const Py_buffer *packed)
{
    const unsigned char *byte = packed->buf, *end = byte + packed->len;
    Head head = {0};
    if (packed->len >= (Py_ssize_t)sizeof head)
        memcpy(&head, byte, sizeof head);
    byte += sizeof head;
    /* Each tree takes more than two bytes, so the length of the file bounds what is allocated. */
    if (head.mark != PACKED || head.width <= 0 || head.tree_count < 0 || head.tree_count > packed->len / TREE_HEAD_BYTES)
        return NULL;
    Trees *trees = allocate_trees(head.width, head.tree_count);
    for (Py_ssize_t i = 0; trees != NULL && byte != NULL && i < trees->tree_count; i++)
        byte = unpack_tree(&trees->trees[i], byte, end, trees->width);
    if (byte == end)
        return trees;
    free_trees(trees);
    return NULL;
}

static PyObject *
unpack(PyObject *module, PyObject *argument)
{
    Py_buffer packed;
    PyObject *capsule = NULL;
    (void)module;
    if (PyObject_GetBuffer(argument, &packed, PyBUF_SIMPLE) < 0)
        return NULL;
    Trees *trees = unpack_trees(&packed);
    PyBuffer_Release(&packed);
    if (trees == NULL)
        return PyErr_Occurred() ? NULL : Py_NewRef(Py_None);
    Py_ssize_t width = trees->width;
    capsule = PyCapsule_New(trees, CAPSULE, free_capsule);
    if (capsule == NULL)
        free_trees(trees);
    return capsule == NULL ? NULL : Py_BuildValue("nN", width, capsule);
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
    {"decode", decode, METH_VARARGS,
     "decode(width, treeids, nodeids, featureids, values, modes, truenodeids, falsenodeids,\n"
     "target_treeids, target_nodeids, target_weights): the trees in these encoded attributes of an ONNX node,\n"
     "or None if they are not as `held` writes them."},
    {"pack", pack, METH_O, "pack(trees): the trees as bytes."},
    {"unpack", unpack, METH_O,
     "unpack(packed): the number of features and the trees in what `pack` returns, or None if it is anything else."},
    {"score", score, METH_VARARGS, "score(trees, rows): the sum of all trees for each row, as bytes of floats."},
    {NULL, NULL, 0, NULL},
};

NATIVE_MODULE(_trees, "Boosted trees.")
