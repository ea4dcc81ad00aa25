"""The table in the browser: one server at one board, a page for the table and one for each seat.

The pages draw snapshots and send events; rules, legal events and reasons are the board's.
"""
