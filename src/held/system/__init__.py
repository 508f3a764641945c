"""What the product needs of the operating system: files, locks, processes, limits and bounded input."""
