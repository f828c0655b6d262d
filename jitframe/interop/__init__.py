"""What other libraries are told of jitframe's arrays. Each module needs the library of its name."""
