"""Arguments of f64 functions whose true values lie closest to floats, or midway between two of them.

`ROUNDING`: of the worst cases for correct rounding that V. Lefèvre and J.-M. Muller found (Worst Cases for
Correct Rounding of the Elementary Functions in Double Precision, INRIA RR-4044, 2000, kept at
https://www.vinc17.net/research/testlibm/) and the CORE-MATH project (A. Sibidanov, P. Zimmermann, S. Glondu,
https://core-math.gitlabpages.inria.fr/), those where the functions here are furthest off, or were.
`NEAR_QUARTERS`: the floats closest to multiples of pi/2, by continued fractions; see tools/near_quarters.py.
"""

from __future__ import annotations

ROUNDING: dict[str, tuple[str, ...]] = {
    "acos": (
        "0x1.6e7e6e0f903e2p-1", "0x1.769b6b510b782p-1", "0x1.38453b537c1abp-1", "0x1.36035659ea35cp-1",
        "0x1.3104fcf88aee5p-1", "0x1.38263196e7a98p-1", "0x1.c44238e5c0d74p-1", "0x1.f67b038a50536p-1",
        "0x1.75336bb7fed41p-1", "0x1.21f9b9725c203p-1",
    ),
    "acosh": (
        "0x1.fffffffffffffp+1023", "0x1.1b0cda0d7d1e4p+0", "0x1.113d479d50eacp+0", "0x1.1bfcbd135af6cp+0",
        "0x1.099318a43ac80p+0", "0x1.0aba1b4394950p+0", "0x1.a5e530a4feb03p+204",
        "0x1.ab0c1857fd91bp+204", "0x1.acf549c33472dp+204", "0x1.bbfae1e5fd5c1p+204",
    ),
    "asin": (
        "0x1.0ca7baabbf43fp-1", "0x1.0d052594a15d3p-1", "0x1.0f87fc891bf05p-1", "0x1.1102539f705e9p-1",
        "0x1.172afd684977bp-1", "0x1.1aee4b4fb866dp-1", "0x1.2f2613abf2cc8p-1", "0x1.356bac8f213f7p-1",
        "0x1.95fa1016b6b35p-1", "0x1.94f08ebe57129p-1",
    ),
    "asinh": (
        "-0x1.fffffffffffffp+1023", "0x1.fffffffffffffp+1023", "0x1.0000000000000p+0",
        "-0x1.0000000000000p+0", "0x1.57176ed1527aep-2", "0x1.47c6fe9f6b6b3p-2", "0x1.b49b9442d1c9ap+189",
        "0x1.fa3285a20663fp+189", "0x1.280d269c71b42p+190", "0x1.8388ded34b5d7p+190",
    ),
    "atan": (
        "0x1.fb60cf2ea2fa3p-1", "0x1.48eccd634b2f1p+0", "0x1.3ac222e1c47a1p+0", "0x1.3b1e0a7e83da0p+0",
        "0x1.1c3fc7f9aa60ep+0", "0x1.18220006c4817p+0", "0x1.182227e20b475p+0", "0x1.1403f265a5e46p+0",
        "0x1.026620e802540p+0", "0x1.123c48ee53937p+0",
    ),
    "atanh": (
        "0x1.eed4988b9e2d7p-3", "0x1.bf9ca588084e9p-3", "0x1.d8e85150baf77p-3", "0x1.cd3b970fc2dabp-3",
        "0x1.ab739675cd5c5p-3", "0x1.9f3c10fee19fbp-3", "0x1.ee0fd02fb507fp-3", "0x1.e2c5cdda90f0fp-3",
        "0x1.bf77082f5e3d6p-3", "0x1.b1526588dd557p-3",
    ),
    "cbrt": (
        "0x1.0455d56f60e79p+0", "0x1.0b66e1c95224cp+0", "0x1.0b79639364e29p+0", "0x1.0caa33b240ba5p+0",
        "0x1.0ccd0dbc992edp+0", "0x1.10115eafb0260p+0", "0x1.0e3763fdcae2bp+1", "0x1.0f15b20ca23c4p+1",
        "0x1.0ff12ee078bf1p+1", "0x1.1108595805a85p+1",
    ),
    "cos": (
        "0x1.47623428452f0p+119", "0x1.29460d8eb8d38p+695", "0x1.5af9bf37155efp+240",
        "0x1.9578238d36543p+447", "0x1.d2a079523fb6dp+401", "0x1.0ac3dc5facec9p+990",
        "0x1.99caa5236feeap+76", "0x1.7297569b20594p+721", "0x1.668db30162b3dp+640",
        "0x1.0c637ee6b6787p+0",
    ),
    "cosh": (
        "0x1.af6bb39654c11p+3", "0x1.cbd76be5d1853p+3", "0x1.6c0b9a8757459p+3", "0x1.26f16791ac8dcp+3",
        "0x1.57671e6ced715p+3", "0x1.26165edf51da2p+4", "0x1.d0e4952f9d0c8p+0", "0x1.cd45d6bd3463fp+0",
        "0x1.d52477581e4d0p+0", "0x1.d6cdd9ad41e8bp+0",
    ),
    "erf": (
        "0x1.bf85b4c209b77p-1", "0x1.c7e6dc06c3c67p-1", "0x1.d9901b40a553cp-1", "0x1.d7e524387662dp-1",
        "0x1.d9adcc38d1a35p-1", "0x1.dfc78e4ac5774p-1", "0x1.e1ab3acaaf866p-1", "0x1.e86f497c5e872p-1",
        "0x1.095bcee4eb0ecp+0", "0x1.1098e41e5a4c0p+0",
    ),
    "erfc": (
        "0x1.e64e54219ffadp+0", "0x1.8c94dfa515034p+0", "0x1.a1df4ea8b4877p+2", "0x1.5466d60eb4723p+2",
        "0x1.5a5e9e5917bdbp+0", "0x1.62a38e9e44df2p+4", "0x1.e4689d5e9a32cp+3", "0x1.730a8559b14cfp+3",
        "0x1.8b5b75a1277e5p+2", "0x1.d3d43dd008b8cp+3",
    ),
    "exp2": (
        "0x1.83b694c5e5793p+0", "0x1.e242a9a07635cp-1", "0x1.d51200677f019p-1", "0x1.e62fb5a479e41p-1",
        "0x1.e4ecc9f314b78p-1", "0x1.e43efc94ed2fbp-1", "0x1.d82a09d7a7fb5p-1", "0x1.42027342d4cd2p-1",
        "0x1.25ded7025828ep-1", "0x1.8e5862986811fp+0",
    ),
    "expm1": (
        "0x1.8467bbb80429bp-2", "0x1.630be2c4895eep-2", "0x1.729fdf6bf35dbp-2", "0x1.7f82c7f5c10e8p-2",
        "0x1.fa03b8b86eb31p-2", "0x1.0b632ade14580p+9", "0x1.0e7478538b3e7p+9", "0x1.10a9536ed6f6ap+9",
        "0x1.3233d0c0a99aap+9", "0x1.41212cb61d743p+9",
    ),
    "log": (
        "0x1.380bc0cc890c9p-887", "0x1.1d717733707cfp-887", "0x1.19029cd89dc3cp-887",
        "0x1.08e84c5487540p-887", "0x1.486de42b6a354p-887", "0x1.50f9512342f5cp-887",
        "0x1.481d55e3dd848p-887", "0x1.3f99fa1164742p-887", "0x1.3b078b343bf4dp-887",
        "0x1.1ab15158bb7b7p-887",
    ),
    "log10": (
        "0x1.5edbc5a2075c8p+392", "0x1.68dac21cff3c2p+392", "0x1.34275a0ef4527p-737",
        "0x1.7d2c3756d3692p-737", "0x1.7bd40dadd3a16p-737", "0x1.770399e04249ap+393",
        "0x1.9f14aa8bc702ap+393", "0x1.a9940e9e148e0p+393", "0x1.190be9cbf3788p-736",
        "0x1.960ec41d068d1p+389",
    ),
    "log2": (
        "0x1.609c52bb57953p+0", "0x1.6254bab1a3ab8p+0", "0x1.63f6bf2b5e1dcp+0", "0x1.1b6d695df69e4p+1",
        "0x1.1171bf20ac270p+1", "0x1.11afad4fac69ep+1", "0x1.11f5a846f8819p+1", "0x1.1233d94501652p+1",
        "0x1.12bf240b670a3p+1", "0x1.c28a12c597965p-33",
    ),
    "sin": (
        "0x1.47623428452f0p+120", "0x1.47623428452f0p+120", "0x1.29460d8eb8d38p+697",
        "0x1.29460d8eb8d38p+696", "0x1.29460d8eb8d38p+697", "0x1.29460d8eb8d38p+696",
        "0x1.5af9bf37155efp+241", "0x1.5af9bf37155efp+242", "0x1.5af9bf37155efp+241",
        "0x1.5af9bf37155efp+242",
    ),
    "sinh": (
        "0x1.90076e59a0df8p-2", "0x1.c2b05e54c57b4p-2", "0x1.96a733f216298p-2", "0x1.28989931e1b81p+4",
        "0x1.27d141b47dd60p+4", "0x1.290b9523b99a1p+4", "0x1.2650f5e3d29acp+4", "0x1.29e391d47a6f5p+4",
        "0x1.3aa701f8046e1p+1", "0x1.3dfc438336b1fp+1",
    ),
    "tan": (
        "0x1.df37a0dd966d0p+3", "0x1.0b534e9af7c4ap+0", "0x1.0236b1f944f23p+0", "0x1.0cccbc0566793p+1",
        "0x1.b4159724a73f0p+4", "0x1.130034489cc41p+1", "0x1.5b9d40665a545p+3", "0x1.ee3a26717a34dp-1",
        "0x1.0704f8bcb5bd1p+0", "0x1.f55c169f79b67p-1", "0x1.f8cee8a5bf845p-1", "0x1.f9615de3db1cbp-1",
        "0x1.006a7be994f14p+0", "0x1.ee70c9b6e5e8ap-1", "0x1.07ae2c2ea79a6p+0", "0x1.2fa8ec3b8f4eep+2",
        "0x1.fb4573433c4cdp-1", "0x1.faf12a5a0b418p-1", "0x1.6121e5f783b7dp+2", "0x1.0af94b02c36b8p+2",
        "0x1.79641cabd166fp+3", "0x1.c2ed143b323d2p+2", "0x1.7e835ad7ac72ep-1", "0x1.e082b3f6de77cp+3",
    ),
    "tanh": (
        "0x1.687abdf426083p-1", "0x1.5e3d5166c096ap-1", "0x1.3a2477106cf12p-1", "0x1.3a1a7e2f55ce0p-1",
        "0x1.475438d795b67p-1", "0x1.76b8408ca650dp-1", "0x1.a754c179d1baep-1", "0x1.1dcf8d3c074edp-1",
        "0x1.1ea9df4f2bac9p-1", "0x1.1e0a46660a888p-1",
    ),
}  # fmt: skip

NEAR_QUARTERS: tuple[str, ...] = (
    "0x1.6ac5b262ca1ffp+849", "0x1.6ac5b262ca1ffp+850", "0x1.504cac51f1eafp+131",
    "0x1.6ac5b262ca1ffp+851", "0x1.e009c53148be1p+991", "0x1.4c96c11134d36p+577",
    "0x1.cfe482285f8edp+860", "0x1.db41f3cb71d7bp+680", "0x1.e7e44a78ac18cp+197",
    "0x1.c45cd11154dfdp+295", "0x1.504cac51f1eafp+132", "0x1.83009e2e9e2ebp+614",
    "0x1.b2196364d750bp+253", "0x1.6ac5b262ca1ffp+852", "0x1.e009c53148be1p+992",
    "0x1.69eab0985179bp+246", "0x1.4c96c11134d36p+578", "0x1.782b7a20df6d4p+67", "0x1.66bd5424e5655p+90",
    "0x1.4117573397d42p+939", "0x1.cfe482285f8edp+861", "0x1.61a3db8c8d129p+1021",
    "0x1.db41f3cb71d7bp+681", "0x1.8b28676cdcc5bp+555",
)  # fmt: skip
