/* Writes JSON: `_format` of bounded_json.py in C, byte for byte the same.

   A long document has a hundred thousand numbers, most of them lengths in points with one or two decimals. Their
   shortest decimal form is found by one division here. The general algorithm takes ten times as long, and the text
   then is searched, joined and encoded as a whole.

   Values that are rare (infinite numbers, half characters, other types, deep nesting) are left to Python: `encode`
   returns None. No Python code runs while values are written, so nothing can change them meanwhile. */

#define PY_SSIZE_T_CLEAN
#define Py_LIMITED_API 0x030B0000 /* the stable ABI of Python 3.11: one binary for all later versions */
#include <Python.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include "_module.h"

/* Changes with every change of what the function takes or returns; bounded_json.py expects the same number. */
#define INTERFACE_VERSION 1
#define MAX_DEPTH 50          /* values inside each other */
#define MAX_SHORT 1e9         /* numbers below this with few decimals are written by `put_short_number` */
#define MAX_DECIMALS 3
#define FIRST_BYTES (1 << 16) /* of the text */
#define NUMBER_BYTES 32       /* more than a whole number of 64 bits takes, with a sign and a point */

enum { LEFT_TO_PYTHON = -2, FAILED = -1, WRITTEN = 0 }; /* FAILED: a Python error is set */

typedef struct {
    char *bytes;
    size_t length, capacity;
} Text;

static int
reserve(Text *text, size_t more)
{
    if (more <= text->capacity - text->length)
        return WRITTEN;
    size_t capacity = text->capacity;
    while (capacity - text->length < more) {
        if (capacity > (size_t)PY_SSIZE_T_MAX / 2) {
            PyErr_NoMemory();
            return FAILED;
        }
        capacity = capacity ? 2 * capacity : FIRST_BYTES;
    }
    char *bytes = PyMem_Realloc(text->bytes, capacity);
    if (bytes == NULL) {
        PyErr_NoMemory();
        return FAILED;
    }
    text->bytes = bytes;
    text->capacity = capacity;
    return WRITTEN;
}

static int
put(Text *text, const char *bytes, size_t length)
{
    if (reserve(text, length) < 0)
        return FAILED;
    memcpy(text->bytes + text->length, bytes, length);
    text->length += length;
    return WRITTEN;
}

/* The escape of a character that JSON, or a terminal, must not see as it is; NULL for all others. `room` has space
   for six characters and a zero. The control characters from U+0080 to U+009F begin with the byte C2. */
static const char *
escape(unsigned char byte, unsigned char next, char *room)
{
    switch (byte) {
    case '"':
        return "\\\"";
    case '\\':
        return "\\\\";
    case '\n':
        return "\\n";
    case '\r':
        return "\\r";
    case '\t':
        return "\\t";
    case '\f':
        return "\\f";
    case '\b':
        return "\\b";
    }
    if (byte == 0xC2 && next < 0xA0)
        byte = next;
    else if (byte >= 0x20 && byte != 0x7F)
        return NULL;
    snprintf(room, 7, "\\u%04x", byte);
    return room;
}

static int
put_string(Text *text, PyObject *string)
{
    Py_ssize_t length;
    const char *bytes = PyUnicode_AsUTF8AndSize(string, &length);
    if (bytes == NULL) {
        if (!PyErr_ExceptionMatches(PyExc_UnicodeEncodeError))
            return FAILED;
        PyErr_Clear();
        return LEFT_TO_PYTHON;
    }
    if (put(text, "\"", 1) < 0)
        return FAILED;
    Py_ssize_t start = 0; /* of what is not written yet */
    for (Py_ssize_t i = 0; i < length; i++) {
        unsigned char byte = (unsigned char)bytes[i];
        if (byte >= 0x20 && byte != '"' && byte != '\\' && byte != 0x7F && byte != 0xC2)
            continue;
        char room[7];
        /* The bytes of a string end with a zero, so there is always a next one. */
        const char *escaped = escape(byte, (unsigned char)bytes[i + 1], room);
        if (escaped == NULL)
            continue;
        if (put(text, bytes + start, (size_t)(i - start)) < 0 || put(text, escaped, strlen(escaped)) < 0)
            return FAILED;
        i += byte == 0xC2;
        start = i + 1;
    }
    if (put(text, bytes + start, (size_t)(length - start)) < 0)
        return FAILED;
    return put(text, "\"", 1);
}

/* Writes a whole number, with a point before the last `decimals` digits if there are any. */
static int
put_digits(Text *text, long long number, int decimals)
{
    char digits[NUMBER_BYTES];
    size_t start = sizeof digits;
    unsigned long long rest = number < 0 ? 0 - (unsigned long long)number : (unsigned long long)number;
    for (int count = 0; rest > 0 || count <= decimals; count++) {
        if (count > 0 && count == decimals)
            digits[--start] = '.';
        digits[--start] = (char)('0' + rest % 10);
        rest /= 10;
    }
    if (number < 0)
        digits[--start] = '-';
    return put(text, digits + start, sizeof digits - start);
}

/* Writes a number with at most three decimals. The quotient of two whole numbers is rounded correctly: if it is the
   number, then its decimal form reads as the number, and no shorter one does, as it has less than 16 digits. */
static int
put_short_number(Text *text, double number)
{
    double scale = 1;
    for (int decimals = 0; decimals <= MAX_DECIMALS; decimals++, scale *= 10) {
        long long scaled = llrint(number * scale);
        if ((double)scaled / scale == number)
            return decimals > 0 ? put_digits(text, scaled, decimals) : put_digits(text, 10 * scaled, 1);
    }
    return LEFT_TO_PYTHON;
}

static int
put_number(Text *text, double number)
{
    if (!isfinite(number))
        return LEFT_TO_PYTHON;
    if (fabs(number) < MAX_SHORT && !(number == 0 && signbit(number))) {
        int status = put_short_number(text, number);
        if (status != LEFT_TO_PYTHON)
            return status;
    }
    char *digits = PyOS_double_to_string(number, 'r', 0, Py_DTSF_ADD_DOT_0, NULL);
    if (digits == NULL)
        return FAILED;
    int status = put(text, digits, strlen(digits));
    PyMem_Free(digits);
    return status;
}

static int
put_integer(Text *text, PyObject *value)
{
    int overflow;
    long long number = PyLong_AsLongLongAndOverflow(value, &overflow);
    if (overflow)
        return LEFT_TO_PYTHON;
    return put_digits(text, number, 0);
}

static int put_value(Text *text, PyObject *value, int depth);

/* Writes a list or a tuple, with these bytes between two elements. */
static int
put_elements(Text *text, PyObject *list, const char *separator, int depth)
{
    int is_list = PyList_Check(list);
    Py_ssize_t count = is_list ? PyList_Size(list) : PyTuple_Size(list);
    int status = WRITTEN;
    for (Py_ssize_t i = 0; i < count && status == WRITTEN; i++) {
        if (i > 0 && put(text, separator, strlen(separator)) < 0)
            return FAILED;
        PyObject *element = is_list ? PyList_GetItem(list, i) : PyTuple_GetItem(list, i); /* borrowed */
        status = element == NULL ? FAILED : put_value(text, element, depth + 1);
    }
    return status;
}

static int
put_name(Text *text, PyObject *name)
{
    if (!PyUnicode_Check(name))
        return LEFT_TO_PYTHON;
    int status = put_string(text, name);
    return status == WRITTEN ? put(text, ": ", 2) : status;
}

static int
put_members(Text *text, PyObject *dict, int depth)
{
    Py_ssize_t position = 0;
    PyObject *name, *value; /* borrowed */
    int is_first = 1, status = WRITTEN;
    while (status == WRITTEN && PyDict_Next(dict, &position, &name, &value)) {
        if (!is_first && put(text, ", ", 2) < 0)
            return FAILED;
        is_first = 0;
        status = put_name(text, name);
        if (status == WRITTEN)
            status = put_value(text, value, depth + 1);
    }
    return status;
}

static int
put_value(Text *text, PyObject *value, int depth)
{
    if (depth > MAX_DEPTH)
        return LEFT_TO_PYTHON;
    if (value == Py_None)
        return put(text, "null", 4);
    if (value == Py_True)
        return put(text, "true", 4);
    if (value == Py_False)
        return put(text, "false", 5);
    if (PyUnicode_Check(value))
        return put_string(text, value);
    if (PyFloat_Check(value))
        return put_number(text, PyFloat_AsDouble(value));
    if (PyLong_Check(value))
        return put_integer(text, value);
    int is_dict = PyDict_Check(value);
    if (!is_dict && !PyList_Check(value) && !PyTuple_Check(value))
        return LEFT_TO_PYTHON;
    if (put(text, is_dict ? "{" : "[", 1) < 0)
        return FAILED;
    int status = is_dict ? put_members(text, value, depth) : put_elements(text, value, ", ", depth);
    return status == WRITTEN ? put(text, is_dict ? "}" : "]", 1) : status;
}

/* Writes an object with each member, and each element of an array in it, on a line of its own. */
static int
put_object(Text *text, PyObject *object)
{
    Py_ssize_t position = 0;
    PyObject *name, *value; /* borrowed */
    int is_first = 1, status = put(text, "{\n ", 3);
    while (status == WRITTEN && PyDict_Next(object, &position, &name, &value)) {
        if (!is_first && put(text, ",\n ", 3) < 0)
            return FAILED;
        is_first = 0;
        status = put_name(text, name);
        if (status != WRITTEN)
            return status;
        if (!PyList_Check(value) || PyList_Size(value) == 0) {
            status = put_value(text, value, 0);
            continue;
        }
        status = put(text, "[\n  ", 4);
        if (status == WRITTEN)
            status = put_elements(text, value, ",\n  ", 0);
        if (status == WRITTEN)
            status = put(text, "\n ]", 3);
    }
    return status == WRITTEN ? put(text, "\n}\n", 3) : status;
}

static PyObject *
encode(PyObject *module, PyObject *object)
{
    (void)module;
    if (!PyDict_Check(object)) {
        PyErr_SetString(PyExc_TypeError, "a JSON object is a dict");
        return NULL;
    }
    Text text = {NULL, 0, 0};
    PyObject *result = NULL;
    int status = put_object(&text, object);
    if (status == WRITTEN)
        result = PyBytes_FromStringAndSize(text.bytes, (Py_ssize_t)text.length);
    else if (status == LEFT_TO_PYTHON)
        result = Py_NewRef(Py_None);
    PyMem_Free(text.bytes);
    return result;
}

static PyMethodDef METHODS[] = {
    {"encode", encode, METH_O, "encode(object): a JSON object as UTF-8, or None if only Python can write it."},
    {NULL, NULL, 0, NULL},
};

NATIVE_MODULE(_json, "JSON text.")
