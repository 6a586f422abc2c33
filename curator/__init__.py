"""Curator: the workbench where a RAG system's golden set is made and kept."""

__version__ = "0.1.0"
