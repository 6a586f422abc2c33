"""The sample documents, logs, cases and reviews, and the script that makes them."""
