"""Small data sets to try the pipeline on, and the script that writes them."""
