"""Three jobs in plain NumPy, and the very same functions under `@jf.jit`: python examples/demo.py

It needs SciPy (erf), Pillow and scikit-image (the photograph). Run it twice: the second run finds its kernels
in the cache.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
from demo_parts import pictures
from demo_parts.comparison import Comparison, compare, print_cache, print_table
from scipy.special import erf

OUT = Path("out")


# 1. A photograph: from 8-bit sRGB to light, through a photographer's steps, and back to 8-bit sRGB.


def develop(photo, gains, exposure, sharpening):
    """photo: uint8[height, width, 3]; gains: float32[3], one per channel; exposure in stops."""
    encoded = photo / np.float32(255)
    light = np.where(encoded <= 0.04045, encoded / 12.92, ((encoded + 0.055) / 1.055) ** 2.4)

    light = light * gains * 2.0**exposure

    luminance = 0.2126 * light[..., 0] + 0.7152 * light[..., 1] + 0.0722 * light[..., 2]
    detail = luminance - blur(luminance, reach=6)
    light = np.maximum(light + sharpening * detail[..., None], 0)

    # Filmic tone curve: Narkowicz, "ACES filmic tone mapping curve" (2015).
    toned = np.clip(light * (2.51 * light + 0.03) / (light * (2.43 * light + 0.59) + 0.14), 0, 1)

    display = np.where(toned <= 0.0031308, 12.92 * toned, 1.055 * toned ** (1 / 2.4) - 0.055)
    return (display * 255 + 0.5).astype(np.uint8)


def blur(image, reach):
    """The mean of the eight pixels around, `reach` away; a border of `reach` pixels stays as it is."""
    low, middle, high = slice(None, -2 * reach), slice(reach, -reach), slice(2 * reach, None)
    blurred = image.copy()
    blurred[middle, middle] = (
        image[low, low]
        + image[low, middle]
        + image[low, high]
        + image[middle, low]
        + image[middle, high]
        + image[high, low]
        + image[high, middle]
        + image[high, high]
    ) / 8
    return blurred


# 2. Heat: one explicit step, in place and with slices, as courses on NumPy teach it.


def heat(temperature, conductivity):
    """temperature, conductivity: float32[rows, columns]; the border keeps its temperature."""
    inner = temperature[1:-1, 1:-1]
    around = temperature[2:, 1:-1] + temperature[:-2, 1:-1] + temperature[1:-1, 2:] + temperature[1:-1, :-2]
    inner += conductivity[1:-1, 1:-1] * (around - 4 * inner)
    return temperature


# 3. Black-Scholes: the price of a European call and its slope, for every spot price and time to expiry.


def black_scholes(spot, strike, years, rate, volatility):
    """spot: float32[1, n]; years: float32[m, 1]; returns price and delta, each float32[m, n]."""
    deviation = volatility * np.sqrt(years)
    d1 = (np.log(spot / strike) + (rate + volatility**2 / 2) * years) / deviation
    d2 = d1 - deviation
    delta = 0.5 * (1 + erf(d1 / 2**0.5))
    price = spot * delta - strike * np.exp(-rate * years) * 0.5 * (1 + erf(d2 / 2**0.5))
    return price, delta


# Each job run both ways.


def photograph() -> Comparison:
    photo = pictures.astronaut(width=4096)
    gains = np.array([1.03, 1.0, 0.96], np.float32)
    result = compare("photograph, 17 MP", develop, lambda: (photo, gains, -0.4, 0.8))
    pictures.save_side_by_side(OUT / "photograph.png", photo, result.output)
    return result


def plate() -> Comparison:
    start, conductivity = pictures.hot_rose(1024)
    result = compare("heat, 500 steps", heat, lambda: (start.copy(), conductivity), calls=500)
    pictures.save_heat_map(OUT / "heat.png", result.output)
    return result


def options() -> Comparison:
    spot = np.linspace(50, 150, 4096, dtype=np.float32)[None, :]
    years = np.linspace(2, 0.02, 4096, dtype=np.float32)[:, None]
    result = compare("Black-Scholes, 17 M", black_scholes, lambda: (spot, 100.0, years, 0.02, 0.25))
    price, delta = result.output
    pictures.save_contours(OUT / "black_scholes.png", colors=delta, levels=price / 5)
    return result


def main() -> None:
    OUT.mkdir(exist_ok=True)
    print("The same functions, plain and under @jf.jit.", pictures.CREDIT, "", sep="\n", flush=True)
    print_table([photograph(), plate(), options()])
    print()
    print_cache()
    print(f"Pictures in {OUT.resolve()}:")
    print("  photograph.png: before and after")
    print("  heat.png: a hot curve on rings of two metals, after the last step")
    print("  black_scholes.png: delta as color, a line every 5 of price; spot 50 to 150, two years to none")


if __name__ == "__main__":
    main()
