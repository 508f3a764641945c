"""A fuzzer of our own: files broken on purpose, by structure and by byte, through all that `held` does.

    python -m research.fuzz --seeds 10000 --results fuzz.jsonl

`mutants` makes a file from a seed, always the same; `trial` puts it through reading, all forms and, for some
seeds, all commands, and says what should not have happened; `smaller` cuts a finding down to what matters.
A run that was ended goes on where it was: each seed is one line of the results.
"""
