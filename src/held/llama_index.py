"""LlamaIndex: `from held.llama_index import HeldRetriever`."""

from held.integrations.llama_index import HeldRetriever

__all__ = ["HeldRetriever"]
