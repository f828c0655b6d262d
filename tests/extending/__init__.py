"""What is added from outside of jitframe's packages: one file for each kind of addition."""
