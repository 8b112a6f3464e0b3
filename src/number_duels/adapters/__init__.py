"""The games inside the libraries that researchers use; each module needs its own library."""
