"""From a PDF file to `Pages`: text runs, rules, images, form fields, page labels and outline.

`read_pdf.read_pdf` is the entry point. It starts a process (`reader_process`) in which `pdfium_reader` reads
pages with `text_runs` and `form_fields`. They come back as plain tuples (`raw_page`).
`text_checks` warns of pages without readable text, and `tags` reads the structure tree of a tagged PDF.
"""
