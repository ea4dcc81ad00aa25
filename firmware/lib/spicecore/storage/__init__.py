"""What survives a power cut: the journal, and small files on flash."""
