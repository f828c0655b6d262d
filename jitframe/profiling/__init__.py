"""Profiles: what ran, how often and how long: `with jf.profile() as p:`, a table, and a trace of events."""
