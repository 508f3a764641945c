"""Words that hold a sentence together and ask for nothing.

Chinese is compared by pairs of neighbouring characters. A pair with a particle or pronoun in it goes over the
end of a word: rare on any page, and so taken for telling, it says nothing.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

from held.retrieval.tokens import tokens

_FILLING = """
a an the of in on at to for from by with as is are was were be been being and or not no nor but if then than
that this these those it its their there here what which who whom whose how why when where do does did has
have had will would can could should may might must shall about into over under between among during after
before above below up down out off per each any all some such only own same so too very just also please you
your we our us i me my he she they them his her using use used based give given provide answer question
respond response round decimal place units unit calculate define defined assume s t much many
什么 多少 哪些 哪个 如何 怎么 为何 是否 以及 请问
"""
_PARTICLES = frozenset("的了吗呢吧么啥哪谁怎几这那它们我你您他她请")


@cache
def filling_words() -> frozenset[str]:
    """The tokens of the words that ask for nothing."""
    return frozenset(tokens(_FILLING))


def telling(words: Iterable[str]) -> list[str]:
    """The words that ask for something, in their order."""
    return [word for word in words if word not in filling_words() and _PARTICLES.isdisjoint(word)]
