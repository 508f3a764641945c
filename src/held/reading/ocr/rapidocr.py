"""RapidOCR (the extra `ocr`): its wheel carries the weights, and ONNX Runtime runs them in this process."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import Any

import numpy

from held.reading.ocr.engines import EngineWord, split_words
from held.reading.ocr.images import Pixels

COLOURS = 3


class RapidOcr:
    """The engine of the package rapidocr. It reads Chinese, English, Japanese and other Latin scripts."""

    def __init__(self) -> None:
        logging.disable(logging.INFO)  # it reports each model that it loads
        from rapidocr import RapidOCR

        # One thread: the pages are distributed over the cores. Our pages are upright, so no orientation step.
        self._engine = RapidOCR(
            params={
                "EngineConfig.onnxruntime.intra_op_num_threads": 1,
                "EngineConfig.onnxruntime.inter_op_num_threads": 1,
                "Global.use_cls": False,
            }
        )

    def recognise(
        self, image: Pixels, languages: Sequence[str], *, dots_per_inch: float
    ) -> list[list[EngineWord]]:
        """The pieces of lines that RapidOCR finds, from top to bottom."""
        # Without a type: its class depends on which of the steps are switched on.
        found: Any = self._engine(numpy.repeat(image[:, :, None], COLOURS, axis=2))
        if found.boxes is None:
            return []
        lines = []
        for corners, text, score in zip(found.boxes, found.txts, found.scores, strict=True):
            x0, y0 = (float(side) for side in corners.min(axis=0))
            x1, y1 = (float(side) for side in corners.max(axis=0))
            words = split_words(x0, y0, x1, y1, text, float(score))
            if words:
                lines.append(words)
        return lines
