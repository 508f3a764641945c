"""Operating system services: safe file access, resource limits, and worker processes.

`worker_process` starts a process and talks to it, `worker_main` runs inside that process, `worker_pool`
distributes requests over several of them, and `sandbox` restricts what they may do.
"""
