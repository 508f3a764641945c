"""What can be asked, by subject: jobs, documents with their corrections, how the server is, and the page."""
