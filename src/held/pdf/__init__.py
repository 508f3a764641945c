"""From a PDF to physical objects in reading order.

The way of the data is the order of the packages: reader (file to pages), lines, furniture, contents,
tables, figures, text, page (all of them on one page), and at last `recognise`, which takes a document's
pages to its objects.
"""
