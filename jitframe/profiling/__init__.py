"""What ran, how often, how long, and how well: `with jf.profile() as p:`, a table, and a trace to look at."""
