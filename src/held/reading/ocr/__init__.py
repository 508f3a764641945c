"""Text recognition (OCR) for pages without readable text: scans, drawn letters, damaged text layers.

`recognise_pages.add_recognised_text` is the entry point. It chooses the pages (`held.reading.text_checks`),
has them drawn and read in sandboxed processes (`worker`, driven by `pool`, with a `cache`), and turns the
words into runs with styles (`styles`, `repairs`). An engine is a class with the protocol `engines.Engine`.
"""
