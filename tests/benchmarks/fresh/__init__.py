"""What can only be measured in a process of its own; each module prints one JSON object."""
