"""Sets text, headings and ruled tables into the sample PDFs: the same input gives the same bytes."""
