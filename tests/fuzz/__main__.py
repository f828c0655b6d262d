"""Looks for programs that mean something else under `jit`: python -m tests.fuzz --minutes 60 --device cpu."""

from __future__ import annotations

import argparse
import linecache
import sys
import time
import warnings

import jitframe as jf
from tests.fuzz import control, control_check, overwritten, state, state_check
from tests.fuzz.check import Tally, forget_now_and_then, run, summary
from tests.fuzz.programs import FLOATS, INTEGERS, Maker


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=1.0)
    parser.add_argument("--device", action="append", default=None, help="cpu unless given; more than once")
    parser.add_argument("--seed", type=int, default=0, help="the first seed")
    parser.add_argument("--only", type=int, default=None, help="run the program of one seed and print it")
    parser.add_argument("--shrink", action="store_true", help="show programs of control flow short")
    parser.add_argument("--control", action="store_true", help="programs of Python's control flow")
    parser.add_argument(
        "--state", action="store_true", help="programs with Python state, in the default mode"
    )
    parser.add_argument("--overwritten", action="store_true", help="programs that write over what they read")
    parser.add_argument("--calls", type=int, default=3, help="of each program of control flow")
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    devices = options.device or ["cpu"]
    if options.state:
        return run_state(options.seed, options.minutes, options.shrink)
    if options.overwritten:
        return run_overwritten(devices, options.seed, options.minutes)
    if options.control:
        return run_control(devices, options.seed, options.minutes, options.shrink, options.calls)
    known = {each.name: each.dtypes for each in jf.devices() if each.available}
    tally, began, seed = Tally(), time.perf_counter(), options.seed
    if options.only is not None:
        seed, options.minutes = options.only, 0
    while True:
        device = devices[seed % len(devices)]
        dtypes = [name for name in ("bool", *INTEGERS, *FLOATS) if name in known[device]]
        program = Maker(seed, dtypes, writes=seed % 2 == 0).make()
        if options.only is not None:
            print(program.text, flush=True)
        before = len(tally.wrong)
        run(program, device, tally)
        for number, text, what in tally.wrong[before:]:
            print(f"seed {number} on {device}: {what}\n{text}", flush=True)
        forget_now_and_then(tally)
        seed += 1
        if time.perf_counter() - began > 60 * options.minutes:
            break
    if options.only is None:
        print(summary(tally, devices, time.perf_counter() - began))
    return bool(tally.wrong)


def run_overwritten(devices: list[str], seed: int, minutes: float) -> int:
    began, wrong, first = time.perf_counter(), 0, seed
    while time.perf_counter() - began < 60 * minutes:
        device = devices[seed % len(devices)]
        found = overwritten.difference(seed, device)
        if found:
            wrong += 1
            print(f"seed {seed} on {device}: {found}", flush=True)
        seed += 1
    print(f"{seed - first} programs, {wrong} wrong")
    return bool(wrong)


def run_control(devices: list[str], seed: int, minutes: float, shrink: bool, calls: int) -> int:
    """Programs of control flow, captured or cut; Python answers none of them. Of its calls a program's third
    has the arguments of the first, all others have their own."""
    jf.settings.configure(strict=True)
    began, wrong, first, turns = time.perf_counter(), 0, seed, 0
    while time.perf_counter() - began < 60 * minutes:
        device = devices[seed % len(devices)]
        text = control.Maker(seed).text()
        compared = control_check.Compared(text, str(seed), device)
        found = compared.difference(seed, (0, 1, 0, *range(2, calls - 1)))
        turns += compared.turns[0]
        if found:
            wrong += 1
            text = control_check.shortest(text, seed, device) if shrink else text
            print(f"seed {seed} on {device}: {found}\n{text}", flush=True)
        seed += 1
        if seed % 50 == 0:
            jf.clear()
            linecache.clearcache()
    print(f"{seed - first} programs of control flow with {turns} iterations of loops, {wrong} wrong")
    return bool(wrong)


def run_state(seed: int, minutes: float, shrink: bool) -> int:
    """Programs with state, of which Python answers what it must."""
    began, wrong, first, by_python = time.perf_counter(), 0, seed, 0
    while time.perf_counter() - began < 60 * minutes:
        text = state.Maker(seed).text()
        compared = state_check.Compared(text, str(seed))
        kind, found = compared.difference()
        by_python += compared.jitted.stats()["interpreted"] > 0
        if kind:
            wrong += 1
            text = state_check.shortest(text) if shrink else text
            print(f"seed {seed}, {kind}: {found}\n{text}", flush=True)
        seed += 1
        if seed % 50 == 0:
            jf.clear()
            linecache.clearcache()
    print(f"{seed - first} programs with state, {by_python} by Python too, {wrong} wrong")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
