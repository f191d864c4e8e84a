"""What a run leaves behind: the summary, the invalid rows, and a folder that is put in place whole."""
