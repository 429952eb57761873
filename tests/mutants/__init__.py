"""Would the tests notice? One-token faults in a game's rules, one at a time, against the game's own tests.

    python -m tests.mutants GAME                                        every fault
    python -m tests.mutants GAME --sample 150 --seed 1                  150 of each of the two parts
    python -m tests.mutants GAME --part rules --sample 150 --seed 1     rules and scores only
    python -m tests.mutants GAME --only 17 18 --show                    these two, with pytest's output
    python -m tests.mutants GAME --list                                 all faults with their numbers
    python -m tests.mutants GAME --equivalent                           check GAME.toml (below)

Faults (`faults.py`) are another comparison, `and` for `or`, `min` for `max`, another constant, another sign
or operator, a statement left out, the branches of an `if` swapped. They are planted in the rules (functions
under `@rule`) and the constants and tables of `rules.py`, `information.py` and the modules of the game's
folder that these two import. Rules and scores are counted apart from information, which is `information.py`
and what it alone imports. Plain functions, which pack and check the box and declare fields, are a part of
their own that runs only by `--part box`.

Killers are what plain `pytest` runs for the game, in pure mode: its golden cases, `tests/test_rules.py`,
`tests/test_views.py`, `tests/test_readers.py` and `tests/games/test_GAME.py`, first those that are quick and
have killed most, until one fails or takes much longer than without the fault. Each fault has a process of its
own, forked before the game is imported, which then imports the game with the fault in it: so everything sees
it, also constants, tables and closures made of the rules. Tests of more than 10 CPU seconds are left out, and
a fault that outlives `--seconds` of CPU time counts as a survivor. The times of the tests are kept under
`.pytest_cache` until the sources change.

A fault without effect may be listed in `tests/mutants/GAME.toml` and is then not counted:

    [[equivalent]]
    module = "rules.py"
    function = "run_length"           # "" outside functions
    was = "low = value"               # the lines changed, stripped
    becomes = "low = value + 0"
    reason = "..."

`--equivalent` plays 2,000 games over all set-ups with and without them, compiled, and compares observations,
masks, rewards, scores and now and then the views. Faults of different functions are played together.
"""
