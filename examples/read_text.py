"""Reads the text in a photograph by two ONNX models: `python examples/read_text.py [PHOTO]`.

A detector of PP-OCR (PaddlePaddle, 2023) says for each pixel whether text is there, a recognizer reads each
line. Both are compiled by `jf.onnx.load`. Without a photograph it reads a page that scikit-image carries.
Needed are:

    pip install "jitframe[onnx,demo]"
    pip install --no-deps rapidocr-onnxruntime       # the models, 15 MB

With onnxruntime installed, `--compare` says how far both are apart, and how long each takes.
"""

from __future__ import annotations

import argparse
import importlib.util
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console

import jitframe as jf

PACKAGE = "rapidocr_onnxruntime"
DETECTOR, RECOGNIZER = "ch_PP-OCRv4_det_infer.onnx", "ch_PP-OCRv4_rec_infer.onnx"
HEIGHT = 48
"""Of the lines that the recognizer reads."""
Network = Callable[[np.ndarray], np.ndarray]


def find_models() -> Path | None:
    """The folder of the models, where their package is installed."""
    found = importlib.util.find_spec(PACKAGE)
    folder = Path(found.origin).parent / "models" if found is not None and found.origin else None
    return folder if folder is not None and (folder / DETECTOR).exists() else None


def load_photograph(path: Path | None) -> np.ndarray:
    """uint8[height, width, 3]"""
    if path is None:
        import skimage.data

        image = skimage.data.page()
    else:
        import skimage.io

        image = skimage.io.imread(path)
    image = image if image.ndim == 3 else np.repeat(image[:, :, None], 3, axis=2)
    return np.asarray(image[:, :, :3])


@jf.jit
def resized(image: Any, height: Any, width: Any) -> Any:
    """float32[1, 3, height, width], from -1 to 1."""
    planes = (image.astype(np.float32) / np.float32(127.5) - np.float32(1)).transpose(2, 0, 1)
    return jf.nn.interpolate(planes[None], (height, width), mode="bilinear")


def find_lines(detect: Network, image: np.ndarray) -> Iterator[np.ndarray]:
    """The parts of an image with a line of text each, from top to bottom."""
    import scipy.ndimage

    factor = max(736 / min(image.shape[:2]), 1.0)
    height, width = (max(round(n * factor / 32), 1) * 32 for n in image.shape[:2])
    likely = detect(np.asarray(resized(image, height, width)))[0, 0]
    labels, _ = scipy.ndimage.label(likely > 0.3)
    for rows, columns in sorted(scipy.ndimage.find_objects(labels), key=lambda each: each[0].start):
        tall = rows.stop - rows.start
        if tall < 5 or columns.stop - columns.start < 5 or likely[rows, columns].max() < 0.6:
            continue
        # The detector marks the middle of a line.
        more = round(0.6 * tall)
        top, bottom = (round(n * image.shape[0] / height) for n in (rows.start - more, rows.stop + more))
        left, right = (round(n * image.shape[1] / width) for n in (columns.start - more, columns.stop + more))
        yield image[max(top, 0) : bottom, max(left, 0) : right]


def read_line(recognize: Network, characters: list[str], line: np.ndarray) -> str:
    """The text of a line: the likeliest character at each step, repeated ones once, blanks left out."""
    width = -(-HEIGHT * line.shape[1] // line.shape[0] // 32) * 32
    chosen = recognize(np.asarray(resized(line, HEIGHT, width)))[0].argmax(axis=-1)
    kept = (chosen != 0) & np.concatenate([[True], chosen[1:] != chosen[:-1]])
    return "".join(characters[place] for place in chosen[kept])


def compare(console: Console, path: Path, model: Network, x: np.ndarray) -> None:
    """The largest difference to onnxruntime, and the least time of each, both on two threads."""
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 2
    session = onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])
    inputs = {session.get_inputs()[0].name: x}
    apart = np.abs(np.asarray(model(x)) - session.run(None, inputs)[0]).max()
    best = [np.inf, np.inf]
    for _ in range(10):
        for number, call in enumerate((lambda: model(x), lambda: session.run(None, inputs))):
            start = time.perf_counter()
            call()
            best[number] = min(best[number], time.perf_counter() - start)
    console.print(
        f"{path.name} {list(x.shape)}: largest difference {apart:.1e}; jitframe {1e3 * best[0]:.0f} ms, "
        f"onnxruntime {1e3 * best[1]:.0f} ms"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("photograph", type=Path, nargs="?")
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--compare", action="store_true", help="with onnxruntime")
    options = parser.parse_args()
    folder = find_models()
    if folder is None:
        parser.error("no models; pip install --no-deps rapidocr-onnxruntime")
    image = load_photograph(options.photograph)
    console = Console()
    start = time.perf_counter()
    detector, recognizer = (
        jf.onnx.load(folder / name, device=options.device) for name in (DETECTOR, RECOGNIZER)
    )
    console.print(f"both models loaded in {time.perf_counter() - start:.2f} s")
    characters = ["", *recognizer.metadata["character"].splitlines(), " "]
    start = time.perf_counter()
    with console.status(
        "compiling the detector for this size (some seconds the first time) and looking for text"
    ):
        lines = list(find_lines(detector, image))
    console.print(f"{len(lines)} lines found in {time.perf_counter() - start:.2f} s")
    start = time.perf_counter()
    with console.status("compiling the recognizer and reading"):
        texts = [read_line(recognizer, characters, line) for line in lines]
    console.print(f"read in {time.perf_counter() - start:.2f} s")
    for text in texts:
        console.print(f"  {text}", markup=False, highlight=False)
    if options.compare:
        for name, model, x in (
            (DETECTOR, detector, np.asarray(resized(image, 736, 1472))),
            (RECOGNIZER, recognizer, np.asarray(resized(lines[0], HEIGHT, 320))),
        ):
            compare(console, folder / name, model, x)


if __name__ == "__main__":
    main()
