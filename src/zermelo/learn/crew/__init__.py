"""Who does the work of learning at scale: this process, processes on this machine, or actors on a Ray cluster."""
