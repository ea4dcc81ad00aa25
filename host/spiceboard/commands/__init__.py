"""One module for each subcommand of `spiceboard`, its options beside it."""
