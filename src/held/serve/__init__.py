"""`held serve`: see heading trees in a browser, correct them, and train a model on the corrections.

    app              application factory and uvicorn       middleware       host, origin, token, upload size
    job_routes       /v1/jobs, /v1/teach                   document_routes  /v1/documents, /v1/search
    site_routes      the page, /health, /metrics           responses        JSON bodies
    state            what the routes share                 downloads        a tree in an export format
    job_queue        threads that run waiting jobs         store            jobs in SQLite, files beside it
    worker_client    requests to a worker process          correction_log   corrections in SQLite, undo, redo
    worker           the worker process: opens the PDF     edit_sessions    documents with corrections applied
    settings         address, token, limits                bounded_work     limits on work and memory

A request goes from the routes to the job queue, from there to a worker process, and the result into the
store. Only worker processes open PDFs. FastAPI and uvicorn are an extra: no other package imports this one.
"""
