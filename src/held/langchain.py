"""LangChain: `from held.langchain import HeldRetriever, HeldLoader`."""

from held.integrations.langchain import HeldLoader, HeldRetriever

__all__ = ["HeldLoader", "HeldRetriever"]
