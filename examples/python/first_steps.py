"""Check a model, look at the run, walk through it: `python examples/python/first_steps.py`."""

from __future__ import annotations

from pathlib import Path

import merkhet

MODELS = Path(__file__).resolve().parents[1]


def main() -> None:
    model = merkhet.load(MODELS / "fischer-flawed.xml")
    for result in model.check_all(timeout=60):
        print(result.verdict, result.query)
        if isinstance(result.trace, merkhet.Trace) and result.verdict == "violated":
            for step in result.trace:
                print(f"  {step.time}: {'; '.join(map(str, step.moves))}")
            print("  at the end:", result.trace.last.locations)
    walk = model.simulate(concrete=True)
    walk.step(0)
    walk.delay("1/2")
    print(walk.time, walk.enabled()[:2])


if __name__ == "__main__":
    main()
