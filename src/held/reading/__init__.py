"""From a file to `Pages`: runs of text, rules, images, fields, labels and outline, as PDFium sees them.

`read.read_pdf` is the door. `pdfium` has the C functions, `runs`, `paths`, `fields` and `bookmarks` ask
them, `rawpages` puts a page together, `serve` and `workers` do it in another process, `readable` says
whether there is text at all, and `tags` reads the structure that a tagged PDF declares.
"""
