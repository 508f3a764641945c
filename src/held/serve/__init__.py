"""`held serve`: documents in a browser, where their trees are seen, corrected and taught from.

    app      the REST of it, and the page            guard   who may ask, and how much at once
    jobs     the queue and those who work it off     child   what reads a stranger's PDF, in a process alone
    store    what is kept: SQLite and files          desks   documents as corrections leave them
    views    what a browser is told                  static  the page: no build step, nothing from a network

FastAPI and uvicorn are an extra: nothing else in `held` imports from here.
"""
