"""What the demo needs besides its three functions: measuring, counting, pictures."""
