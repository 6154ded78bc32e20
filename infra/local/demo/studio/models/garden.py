"""Garden and yard. Lengths in decimeters."""

import math
import random

from kit import ball, box, lathe, material as m, placed, plate, ring, rod, scenery, sheet, tube, wheel, words

WOOD, ASH = "#b07c48", "#d6aa6c"


def lawn_mower():
    red, dark, rubber = m("#c8371f"), m("#29292c", "plastic"), m("#222225", "rubber")
    steel, cream = m("#b9bdc2", "metal"), m("#f2e8d8", "paint")
    deck = [(-2.9, 1.0), (2.7, 1.0), (2.8, 1.7), (2.2, 2.2), (-2.2, 2.2), (-2.9, 1.8)]
    plate(deck, 4.6, red, bevel=0.5)
    box((0.1, 0, 2.5), (3.2, 3, 0.8), dark, bevel=0.3)
    plate([(-1.2, 2.7), (1.5, 2.7), (1.3, 3.6), (-0.8, 3.8)], 2.4, red, bevel=0.35)
    box((0.2, 0, 3.72), (1.4, 1.3, 0.3), dark, bevel=0.12)
    for i in range(5):
        box((-0.7 + i * 0.4, -1.22, 3.1), (0.18, 0.08, 0.5), dark, (0, 15, 0), 0.02)
    words("21 in", (0.1, -2.32, 1.55), 0.62, cream)
    for x, r in ((2.2, 0.95), (-2.3, 1.2)):
        for y in (-2.6, 2.6):
            wheel((x, y, r), r, 0.7, rubber, cream)
    for y in (-1.6, 1.6):
        tube([(-1.9, y, 2.2), (-3.6, y, 4.6), (-5.9, y, 8.0), (-6.5, y * 0.9, 8.6)], 0.14, dark)
    tube([(-6.5, -1.44, 8.6), (-6.9, -1.1, 8.85), (-6.9, 1.1, 8.85), (-6.5, 1.44, 8.6)], 0.18, rubber)
    tube([(-5.5, -1.6, 7.5), (-6.3, -1.1, 8.95), (-6.3, 1.1, 8.95), (-5.5, 1.6, 7.5)], 0.07, red)
    box((-5.2, 0, 7), (0.5, 3.2, 0.3), dark, (0, -35, 0), 0.1)
    box((-5.2, -1.1, 7.2), (0.7, 0.6, 0.5), red, (0, -35, 0), 0.12)
    bag = m("#3a3b3f", "cloth")
    plate([(-2.4, 1.3), (-5.6, 1.5), (-5.4, 3.9), (-4.4, 4.5), (-2.3, 2.8)], 3.0, bag, bevel=0.5)
    rod((-5.5, -1.2, 3.9), (-5.5, 1.2, 3.9), 0.12, rubber)


def wheelbarrow():
    green, dark, rubber = m("#2f6b3c"), m("#2b2b2d", "metal"), m("#232326", "rubber")
    ash, mulch = m(ASH, "wood"), m("#5b3a22", "matte")
    sides = [((3.6, 3.0), 4.7), ((2.4, 2.2), 2.3)]
    (tx, ty), tz = sides[0]
    (bx, by), bz = sides[1]
    shift = 0.5
    low = [(-bx, -by, bz), (bx - 0.6, -by, bz), (bx - 0.6, by, bz), (-bx, by, bz)]
    top = [(-tx, -ty, tz), (tx + shift, -ty, tz + 0.5), (tx + shift, ty, tz + 0.5), (-tx, ty, tz)]
    sheet([low[:2], low[3:1:-1]], green, 0.1)
    for i in range(4):
        j = (i + 1) % 4
        sheet([[low[i], low[j]], [top[i], top[j]]], green, 0.1)
    tube([*top, top[0]], 0.13, green, smooth=0)
    rng = random.Random(2)
    for _ in range(420):
        x, y = rng.uniform(-3.0, 3.1), rng.uniform(-2.3, 2.3)
        h = 4.3 + 0.9 * math.cos(x * 0.45) * math.cos(y * 0.55)
        turn = (rng.uniform(0, 90), rng.uniform(0, 90), rng.uniform(0, 180))
        box((x, y, h + rng.uniform(-0.2, 0.15)), (0.9, 0.34, 0.14), m(("#6b4526", "#55351d", "#7d5430")[rng.randrange(3)], "matte"), turn, 0.03)
    ball((0, 0, 3.6), 1, mulch, (2.9, 2.3, 1.2))
    for y in (-1, 1):
        rod((-8.6, y * 2.5, 3.6), (4.0, y * 1.0, 1.7), 0.22, ash)
        rod((-8.9, y * 2.52, 3.63), (-7.4, y * 2.36, 3.43), 0.28, rubber)
        tube([(-1.6, y * 1.8, 2.5), (-2.8, y * 2.1, 0.1), (-3.8, y * 2.1, 0.1), (-3.4, y * 1.9, 2.9)], 0.14, dark, smooth=0)
        rod((2.2, y * 1.1, 2.0), (4.6, y * 0.6, 1.65), 0.14, dark)
    wheel((4.4, 0, 1.55), 1.55, 0.85, rubber, m("#d8a32a"))


def axe():
    steel, iron, red = m("#c3c7cb", "metal"), m("#3c3f44", "cast"), m("#b5301f")
    bark, cut, ash = m("#5d4330", "matte"), m("#d9b27a", "matte"), m("#d9a862", "wood")
    with placed((0, 0, 0)):
        lathe([(2.7, 0), (2.5, 0.7), (2.4, 2.4), (2.46, 3.4), (2.4, 3.5)], bark, bevel=0.05, sides=40)
        rod((0, 0, 3.4), (0, 0, 3.54), 2.28, cut)
        for r in (0.5, 0.95, 1.4, 1.8):
            ring((0.1, 0.05, 3.54), r, 0.022, m("#a97c49", "matte"))
        for i in range(26):
            a = i * 0.2417
            rod((2.5 * math.cos(a), 2.5 * math.sin(a), 0.1), (2.38 * math.cos(a + 0.04), 2.38 * math.sin(a + 0.04), 3.3), 0.13 + 0.05 * (i % 3), bark, sides=8)
    with placed((-0.2, 0, 3.3), (0, -38, 14)):
        with placed((0, 0, 0), (0, 0, 90)):
            plate([(-0.95, 0), (0.95, 0.0), (0.7, 1.0), (0.62, 1.75), (-0.62, 1.75), (-0.7, 1.0)], 0.26, steel, bevel=0.1)
            plate([(-0.62, 0.9), (0.62, 0.9), (0.55, 1.75), (-0.55, 1.75)], 0.7, iron, bevel=0.14)
    tube([(0.6, 0.1, 4.25), (-0.9, -0.2, 5.0), (-3.2, -0.75, 6.3), (-5.0, -1.2, 7.1), (-5.5, -1.35, 7.1)], 0.22, ash)
    tube([(-3.9, -0.93, 6.65), (-5.0, -1.2, 7.1), (-5.55, -1.36, 7.1)], 0.25, red)
    for x, y, a in ((3.3, -1.6, 25), (4.4, -0.5, -15)):
        with placed((x, y, 0.35), (0, 0, a)):
            plate([(-1.3, -0.04), (1.1, -0.34), (1.1, 0.34), (-1.3, 0.04)], 0.6, iron, bevel=0.06)
    for x, y, a, h in ((3.2, 2.4, 30, 0), (4.4, 2.0, -20, 0), (3.8, 2.3, 5, 0.9), (-3.6, -1.8, 60, 0), (-3.4, 1.4, 10, 0)):
        with placed((x, y, h), (0, 0, a)):
            plate([(-0.95, 0), (0.95, 0), (0.7, 0.7), (0, 1.1), (-0.7, 0.7)], 3.2, cut, bevel=0.05)
            plate([(-1.0, 0.02), (-0.72, 0.74), (0, 1.16), (0.0, 1.1), (-0.66, 0.68), (-0.9, 0.02)], 3.22, bark, bevel=0.01)


def digging_set():
    steel, green, ash = m("#9ba0a6", "metal"), m("#2f5f43"), m(ASH, "wood")
    dark = m("#303235", "cast")
    for i, (x, lean) in enumerate(((-3.3, -4), (-1.1, 1), (1.1, 3), (3.3, -2))):
        with placed((x, 0, 0), (-11, lean, 0)):
            rod((0, 0, 3.2), (0, 0, 12), 0.19, ash)
            rod((0, 0, 2.7), (0, 0, 4.6), 0.26, dark, end_radius=0.2)
            if i == 0:  # round shovel
                plate([(-1.05, 3), (1.05, 3), (1.1, 1.8), (0.75, 0.7), (0, 0), (-0.75, 0.7), (-1.1, 1.8)], 0.12, steel, bevel=0.05, rounded=1)
                plate([(-0.28, 3.4), (0.28, 3.4), (0.1, 1.2), (-0.1, 1.2)], 0.3, dark, bevel=0.12)
            if i == 1:  # flat spade
                plate([(-0.95, 3), (0.95, 3), (0.9, 0.15), (0, 0), (-0.9, 0.15)], 0.12, steel, bevel=0.04)
                box((0, 0, 2.98), (1.95, 0.3, 0.12), dark)
            if i == 2:  # pitchfork
                box((0, 0, 2.7), (1.9, 0.2, 0.24), dark)
                for k in range(4):
                    dx = -0.85 + k * 0.57
                    tube([(dx, 0, 2.7), (dx, -0.12, 1.5), (dx, 0.05, 0.15)], 0.07, steel)
                    rod((dx, 0.05, 0.2), (dx, 0.09, -0.15), 0.07, steel, end_radius=0.015)
            if i == 3:  # root saw
                teeth = [(0.45, 0.2), (0.5, 3.2), (-0.4, 3.2)]
                for k in range(12):
                    teeth += [(-0.42, 3.0 - k * 0.23), (-0.6, 2.9 - k * 0.23)]
                plate(teeth + [(-0.2, 0.1)], 0.08, steel, bevel=0.01)
            if i in (0, 1, 2):
                rod((-0.55, 0, 12.4), (0.55, 0, 12.4), 0.2, green)
                for s in (-1, 1):
                    tube([(0, 0, 11.7), (0.5 * s, 0, 12.0), (0.55 * s, 0, 12.4)], 0.12, green)
            else:
                rod((0, 0, 11.4), (0, 0, 12.6), 0.24, green, bevel=0.1)
    with scenery():
        for i in range(9):
            box((0, 2.9, 0.75 + i * 1.55), (34, 0.3, 1.45), m(("#a47a4c", "#986e43")[i % 2], "wood"), (6, 0, 0), 0.05)
        soil = m("#4a3322", "matte")
        rng = random.Random(7)
        for _ in range(130):
            ball((rng.gauss(0, 3.4), rng.gauss(-1.2, 0.8), 0.02), rng.uniform(0.15, 0.45), soil, (1, 1, 0.6))
    pot = m("#b8623a", "matte")
    for x, y, s in ((5.6, -1.4, 1.0), (-5.6, -1.2, 0.8)):
        with placed((x, y, 0), size=s):
            lathe([(0.9, 0), (1.25, 1.8), (1.4, 1.8), (1.4, 2.25), (1.2, 2.25)], pot)
            for i in range(26):
                a, h = i * 2.4, 2.6 + (i % 5) * 0.45
                ball((1.0 * math.cos(a) * (1 - 0.1 * (i % 4)), 1.0 * math.sin(a), h), 0.5, m(("#4f7a35", "#5f8c3f", "#3f6a2c")[i % 3], "matte"), (1, 0.5, 0.7), (20 * i, 30 * i, 50 * i))
            for i in range(9):
                a = i * 2.2
                ball((0.9 * math.cos(a), 0.9 * math.sin(a) - 0.3, 3.6 + 0.5 * (i % 3)), 0.28, m("#e8b53a" if x > 0 else "#d2604a", "matte"), (1, 1, 0.6))


def post_digger():
    cedar, steel, dark = m("#b6814b", "wood"), m("#9ba0a6", "metal"), m("#2e3033", "cast")
    red, ash, soil = m("#b5301f"), m(ASH, "wood"), m("#4f3623", "matte")
    for x in (-6, 0.6, 7.2):
        box((x, 3, 4.6), (1.1, 1.1, 9.2), cedar, (0, 0, 0), 0.08)
        lathe([(0.8, 0), (0.0, 0.5)], cedar, (x, 3, 9.2), (0, 0, 45), sides=4)
    for z in (3, 7):
        box((-2.7, 2.6, z), (6.6, 0.25, 0.9), cedar, bevel=0.05)
    for i in range(4):
        box((-5 + i * 1.25, 2.3, 4.8), (1.05, 0.2, 7.6), m(("#c08a52", "#b27c46")[i % 2], "wood"), (0, 0, 0), 0.04)
    tube([(-6, 2.4, 1.2), (0.6, 2.4, 1.2), (7.2, 2.4, 1.2)], 0.05, m("#f0e23a", "glow"), smooth=0)
    with placed((3.6, -0.6, 0), (0, 0, -14)):
        for s in (-1, 1):
            rod((0.32 * s, 0, 3.4), (0.95 * s, 0, 12), 0.19, ash)
            rod((0.92 * s, 0, 10.7), (1.0 * s, 0, 12.1), 0.25, m("#2b2b2d", "rubber"))
            blade = []
            for j in range(8):
                z = j * 0.45
                w = 0.35 + 0.12 * min(j, 4)
                blade.append([(s * (0.3 + 0.35 * math.cos(t / 6 * math.pi - math.pi / 2)) + 0.0, w * math.sin(t / 6 * math.pi - math.pi / 2), z + 0.2) for t in range(7)])
            sheet(blade, steel, 0.08)
            box((0.4 * s, 0, 3.5), (0.4, 0.5, 1.0), red, (0, 5 * s, 0), 0.08)
        rod((-0.6, 0, 3.9), (0.6, 0, 3.9), 0.12, dark)
    lathe([(1.9, 0), (1.2, 0.45), (1.0, 0.1)], soil, (3.6, -0.6, 0), bevel=0.1)
    rng = random.Random(5)
    for _ in range(90):
        ball((rng.gauss(3.6, 1.2), rng.gauss(-0.7, 0.9), 0.1), rng.uniform(0.12, 0.4), soil, (1, 1, 0.7))
    with placed((-1.2, -1.6, 0.15), (0, 0, 12)):
        rod((-4.4, 0, 0), (3.4, 0, 0), 0.14, dark)
        rod((3.4, 0, 0), (3.7, 0, 0), 0.42, dark)
        box((-4.5, 0, 0), (0.6, 0.5, 0.1), dark)
    with placed((7.2, 2.3, 6), (0, 0, 0)):
        box((0, 0, 0), (0.3, 0.3, 1.6), m("#e9b424", "plastic"))
        rod((0, -0.2, 0.2), (0, -0.2, 0.6), 0.12, m("#b9e84a", "glossy"))


MODELS = {
    "lawn-mower": (lawn_mower, "yard", {2: {"look": (0.65, 0.4, 0.35), "turn": 24}}),
    "wheelbarrow": (wheelbarrow, "yard", {2: {"look": (0.7, 0.4, 0.45), "turn": 24}}),
    "splitting-axe": (axe, "yard", {2: {"look": (0.45, 0.5, 0.55)}}),
    "garden-digging-set": (digging_set, "yard", {0: {"turn": -12, "rise": 9}, 1: {"turn": 16, "rise": 16}, 2: {"look": (0.45, 0.4, 0.2)}}),
    "post-hole-digger": (post_digger, "yard", {0: {"turn": -10, "rise": 12}, 1: {"turn": 24, "rise": 20}, 2: {"look": (0.72, 0.3, 0.3), "turn": 14}}),
}
