"""What is no content: running heads and feet, page numbers, watermarks, margin marks, logos.

Lines and images of all pages go in, because furniture is known by what pages have in common; which of them
are furniture comes out.
"""
