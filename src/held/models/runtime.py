"""ONNX Runtime as all models run in it: on the CPU, and on as many threads as they are given."""

from __future__ import annotations

from typing import Any

_ERRORS_ALONE = 3  # the severity from which on the runtime speaks: its warnings are of no use to people


def session(onnx: bytes, *, threads: int = 1) -> Any:
    """A session that runs a graph.

    One thread is the default: for the few rows of an object, threads would cost more than they bring.
    """
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.log_severity_level = _ERRORS_ALONE
    return onnxruntime.InferenceSession(onnx, options, providers=["CPUExecutionProvider"])
