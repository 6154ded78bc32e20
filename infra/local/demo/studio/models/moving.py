"""Ladders and moving. Lengths in decimeters."""

import math

from kit import ball, box, material as m, placed, plate, ring, rod, scenery, tube, wheel, words


def ladder():
    orange, steel, dark = m("#e07a1f"), m("#c9ccd0", "metal"), m("#26262a", "rubber")
    with placed((0, -4.6, 0), (-15, 0, 0)):
        for part, (w, y, low, high) in enumerate(((2.3, 0, 0.4, 21), (2.0, -0.5, 9, 30))):
            for s in (-1, 1):
                box((s * w, y, (low + high) / 2), (0.28, 0.75, high - low), orange, bevel=0.08)
                box((s * w, y - 0.28, (low + high) / 2), (0.5, 0.14, high - low), orange, bevel=0.05)
            for k in range(int((high - low) // 1.5)):
                z = low + 1.1 + k * 1.5
                rod((-w, y, z), (w, y, z), 0.2, steel)
            for s in (-1, 1):
                box((s * w, y, high + 0.1), (0.42, 0.85, 0.4), dark, bevel=0.1)
                if part == 0:
                    box((s * w, y, 0.2), (0.7, 1.3, 0.4), dark, (12, 0, 0), 0.12)
        tube([(0.4, -0.6, 20), (0.5, -0.9, 11), (0.45, -0.7, 3.2)], 0.07, m("#f1e6cf", "cloth"))
        tube([(-2, -0.9, 28), (-4.6, -0.6, 29.2), (-4.8, 1.4, 29.2)], 0.17, steel)
        tube([(2, -0.9, 28), (4.6, -0.6, 29.2), (4.8, 1.4, 29.2)], 0.17, steel)
        words("24 ft", (-2.3, -0.37, 6), 0.6, m("#26262a", "paint"), (90, 90, 0))
    with scenery():
        for i in range(26):
            box((0, 4.4, 0.9 + i * 1.6), (90, 0.4, 1.66), m(("#d8bd93", "#d4b88c")[i % 2], "paint"), (-5, 0, 0), 0.06)
        box((0, 3.4, 31.2), (90, 2, 1.2), m("#efe6d6"), bevel=0.3)
        box((9.5, 4.0, 16), (7.4, 0.8, 10), m("#efe6d6"), bevel=0.1)
        box((9.5, 3.75, 16), (6, 0.6, 8.6), m("#4a6372", "glass"), bevel=0.05)
        for size in ((0.3, 0.8, 8.6), (6, 0.8, 0.3)):
            box((9.5, 3.7, 16), size, m("#efe6d6"), bevel=0.05)


def hand_truck():
    blue, dark, rubber = m("#2b5d8a"), m("#2b2c2f", "cast"), m("#232326", "rubber")
    steel, card = m("#b9bdc2", "metal"), m("#b98a55", "matte")
    for x in (-1.5, 1.5):
        tube([(x, 0, 0.4), (x, 0, 11.2), (x, 0.35, 12.4), (x * 0.85, 0.9, 13.2)], 0.19, blue)
    tube([(-1.28, 0.9, 13.2), (-0.9, 1.1, 13.45), (0.9, 1.1, 13.45), (1.28, 0.9, 13.2)], 0.24, rubber)
    for z in (2.5, 4.8, 7.1, 9.4, 11.2):
        box((0, 0, z), (3, 0.16, 0.55), blue, bevel=0.06)
    box((0, -1.2, 0.14), (4.6, 2.8, 0.2), dark, bevel=0.06)
    box((0, 0.1, 0.6), (4.4, 0.22, 1.1), dark, bevel=0.06)
    for x in (-2.2, 2.2):
        wheel((x, 0.95, 1.3), 1.3, 0.65, rubber, m("#d8a32a"), axis="X")
    rod((-2.4, 0.95, 1.3), (2.4, 0.95, 1.3), 0.12, steel)
    for x in (-1.5, 1.5):
        rod((x, 0.1, 4.2), (x, 0.95, 1.3), 0.12, dark)
        for i in range(3):
            a = math.radians(200 + i * 120)
            box((x * 0.75, 0.95 + 0.8 * math.cos(a), 2.2 + 0.8 * math.sin(a)), (0.16, 0.5, 0.5), dark, (math.degrees(a), 0, 0), 0.08)
    for z, (w, d, h) in ((0.25, (3.8, 2.4, 2.6)), (2.9, (3.5, 2.3, 2.3)), (5.25, (3.0, 2.0, 1.9))):
        with placed((0, -1.4, z)):
            box((0, 0, h / 2), (w, d, h), card, bevel=0.05)
            box((0, 0, h / 2), (0.5, d + 0.02, h + 0.02), m("#d9bb86", "glossy"), bevel=0)
            words("FRAGILE" if z > 5 else ("KITCHEN" if z < 1 else "BOOKS"), (0.9 if z < 5 else 0.8, -d / 2 - 0.01, h * 0.55), 0.3, m("#6a3f1e", "matte"))
    strap = m("#d2552a", "cloth")
    tube([(-1.95, 0, 3.9), (-1.85, -2.62, 3.9), (1.85, -2.62, 3.9), (1.95, 0, 3.9)], 0.11, strap, smooth=0)
    box((1.0, -2.64, 3.9), (0.5, 0.12, 0.45), steel, bevel=0.05)
    for i in range(3):
        box((4.1, 0.4, 0.25 + i * 0.42), (2.8, 2.8, 0.4), m(("#51697a", "#8d5b48", "#60785c")[i], "cloth"), (0, 0, 8 * i), 0.18)


def cargo_bike():
    teal, dark, rubber = m("#1f7a78"), m("#26282b", "plastic"), m("#1f1f22", "rubber")
    steel, wood, tan = m("#c5c8cc", "metal"), m("#c79257", "wood"), m("#9a5b34", "cloth")
    wheel((-8.2, 0, 3.4), 3.4, 0.55, rubber, steel, spokes=20)
    wheel((10.2, 0, 2.6), 2.6, 0.55, rubber, steel, spokes=18)
    tube([(-8.2, 0, 3.4), (-4.6, 0, 3.0), (-2.6, 0, 2.8), (2, 0, 2.3), (7.6, 0, 2.6), (8.6, 0, 4.4)], 0.32, teal)
    tube([(-4.6, 0, 3.0), (-5.9, 0, 8.6)], 0.26, teal, smooth=0)
    tube([(-5.6, 0, 7.4), (-1.9, 0, 4.2), (-0.2, 0, 8.6)], 0.28, teal, smooth=0)
    for y in (-0.5, 0.5):
        rod((-8.2, y, 3.4), (-5.5, y * 0.4, 7.0), 0.13, teal)
        rod((10.2, y, 2.6), (8.7, y * 0.5, 6.2), 0.17, teal)
    rod((8.6, 0, 5.4), (8.3, 0, 7.4), 0.24, teal)
    tube([(-0.2, 0, 8.2), (-0.6, 0, 11.0)], 0.2, dark, smooth=0)
    tube([(-2.2, -2.3, 11.6), (-1.2, -1.6, 11.6), (-0.6, 0, 11), (-1.2, 1.6, 11.6), (-2.2, 2.3, 11.6)], 0.15, dark)
    for y in (-2.3, 2.3):
        rod((-2.0, y * 0.92, 11.6), (-3.2, y * 1.08, 11.6), 0.24, tan)
    rod((-5.9, 0, 8.4), (-6.2, 0, 9.6), 0.16, steel)
    plate([(-7.8, 9.6), (-7.4, 10.1), (-5.6, 9.95), (-4.4, 9.8), (-4.5, 9.55), (-6.4, 9.4)], 1.3, tan, bevel=0.3)
    rod((-4.6, -0.5, 3.0), (-4.6, 0.5, 3.0), 0.62, dark)
    ring((-4.6, -0.55, 3.0), 0.95, 0.09, steel, (90, 0, 0))
    rod((-4.6, -0.7, 3.0), (-3.4, -0.75, 1.7), 0.12, dark)
    box((-3.3, -1.1, 1.6), (0.9, 0.7, 0.2), dark)
    box((-3.7, 0, 5.6), (0.95, 0.8, 3.2), dark, (0, -41, 0), 0.2)
    for y in (-2.2, 2.2):
        plate([(0.2, 2.9), (6.7, 2.9), (7.8, 7.2), (0.2, 7.8)], 0.24, wood, (0, y, 0), bevel=0.08)
        tube([(0.2, y, 7.85), (7.8, y, 7.25)], 0.14, dark, smooth=0)
    box((3.5, 0, 3.05), (6.6, 4.3, 0.24), wood)
    box((0.2, 0, 5.4), (0.24, 4.3, 4.7), wood)
    box((7.3, 0, 5.0), (0.24, 4.3, 4.4), wood, (0, 14, 0))
    box((1.4, 0, 5.2), (1.6, 3.8, 0.4), tan, bevel=0.15)
    words("lend me", (3.8, -2.33, 5.1), 1.15, m("#f4ead8", "paint"))
    for x, c in ((3.4, "#d2453a"), (5.4, "#e8b53a")):
        ball((x, -0.4, 7.2), 1.0, m(c, "glossy"), (1.1, 0.95, 0.8))
        ball((x, 1.0, 6.4), 1.1, m("#5f8c3f", "matte"))
    rod((9.0, 0, 7.4), (9.3, 0, 7.4), 0.4, m("#fff2cf", "glow"))
    plate([(-11.3, 5.6), (-9.9, 6.9), (-8, 7.4), (-6.2, 6.9), (-6.3, 6.7), (-8, 7.15), (-9.8, 6.7), (-11.1, 5.5)], 0.9, dark, bevel=0.05)
    tube([(0.4, -0.9, 2.6), (-0.4, -1.5, 0.1)], 0.16, dark, smooth=0)


MODELS = {
    "extension-ladder": (ladder, "yard", {0: {"turn": -24, "rise": 6}, 1: {"turn": 26, "rise": 10}, 2: {"look": (0.45, 0.3, 0.2), "turn": -30, "closeness": 2.2}}),
    "appliance-hand-truck": (hand_truck, "garage", {0: {"turn": -34, "rise": 10}, 1: {"turn": 40}, 2: {"look": (0.4, 0.4, 0.3), "turn": -40}}),
    "cargo-bike": (cargo_bike, "yard", {0: {"turn": -16, "rise": 10}, 1: {"turn": 30, "rise": 16}, 2: {"look": (0.68, 0.4, 0.5), "turn": 16}}),
}