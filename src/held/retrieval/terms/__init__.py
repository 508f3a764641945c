"""Terms of business, English and Chinese, as data: names of metrics and topics, and what pages of reports
are.

`names.txt` and `pages.txt` say in their first lines how they are written.
"""
