"""The fonts that the sample documents are set in, with their licences beside them."""
