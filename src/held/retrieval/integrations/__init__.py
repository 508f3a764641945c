"""Former home of the retrievers for LangChain and LlamaIndex, which are now in `held.integrations`.

`from held.retrieval.integrations.langchain import HeldRetriever` still works: submodules are loaded from the
new folder.
"""

import warnings

from held import integrations

warnings.warn(
    "import held.integrations.langchain or held.integrations.llama_index; "
    "held.retrieval.integrations will be removed",
    DeprecationWarning,
    stacklevel=2,
)
__path__ = integrations.__path__
