"""Games by the thousand: work cut into seeds, done on one machine or many, merged the same way."""
