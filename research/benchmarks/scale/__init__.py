"""What it costs to go from one machine to many: each module is a command that writes its results as JSON."""
