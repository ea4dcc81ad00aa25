"""A board at the other end of a serial link: ports, link, client, raw REPL."""
