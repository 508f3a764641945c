/* The set-up of a native module: NATIVE_MODULE(name, "What it does.") at the end of its source.

   The source defines METHODS, and INTERFACE_VERSION, which changes with every change of what a function takes or
   returns. The Python code beside it refuses a module with another number. */

#define NATIVE_MODULE(name, description)                                                       \
    static int set_up(PyObject *module)                                                        \
    {                                                                                          \
        return PyModule_AddIntConstant(module, "INTERFACE_VERSION", INTERFACE_VERSION);        \
    }                                                                                          \
    static PyModuleDef_Slot SLOTS[] = {                                                        \
        {Py_mod_exec, set_up},                                                                 \
        {0, NULL},                                                                             \
    };                                                                                         \
    static struct PyModuleDef MODULE = {                                                       \
        PyModuleDef_HEAD_INIT, #name, description, 0, METHODS, SLOTS, NULL, NULL, NULL,        \
    };                                                                                         \
    PyMODINIT_FUNC PyInit_##name(void)                                                         \
    {                                                                                          \
        return PyModuleDef_Init(&MODULE);                                                      \
    }
