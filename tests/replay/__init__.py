"""Replay: every text that jitframe generates for a corpus of programs, compared between two revisions.

A refactoring changes none of it; an optimization shows in the comparison what it changes.
"""
