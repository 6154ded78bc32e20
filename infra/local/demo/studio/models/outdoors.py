"""Camping and outdoors. Lengths in decimeters."""

import math

from kit import ball, box, lathe, material as m, placed, plate, ring, rod, scenery, sheet, tube, wheel


def tent():
    orange, gray, dark = m("#dd7a2c", "cloth"), m("#5b6670", "cloth"), m("#2b2d31", "plastic")
    mesh, rope = m("#38332e", "cloth"), m("#f1e2b8", "cloth")
    w, d, h = 11, 9, 11

    def skin(t, s):
        """The dome: s around the floor in quarters, t from the ground to the top."""
        angle = s * 2 * math.pi
        square = (abs(math.cos(angle)) ** 5 + abs(math.sin(angle)) ** 5) ** -0.2
        r = math.cos(t * math.pi / 2) ** 0.62
        return (w * r * square * math.cos(angle) * 0.86, d * r * square * math.sin(angle) * 0.86, h * math.sin(t * math.pi / 2) ** 0.9)

    grid = [[skin(t / 14, s / 64) for s in range(65)] for t in range(15)]
    sheet(grid, orange, 0.08)
    sheet([row for row in [[skin(t / 30, s / 64) for s in range(65)] for t in range(5)]], gray, 0.2)
    for s in (0.125, 0.375):
        pole = [skin(t / 10, s) for t in range(11)] + [skin(t / 10, s + 0.5) for t in range(9, -1, -1)]
        tube([(x * 1.015, y * 1.015, z + 0.12) for x, y, z in pole], 0.14, dark, smooth=4)
    front = [[skin(t / 18, 0.75 + (k - 4) * 0.0145 * (1 - t / 19)) for k in range(9)] for t in range(12)]
    sheet([[(x, y - 0.14, z) for x, y, z in row] for row in front], mesh, 0.05)
    for side in (-1, 1):
        flap = [[skin(t / 18, 0.75 + side * (0.058 + k * 0.007) * (1 - t / 19)) for k in range(4)] for t in range(12)]
        sheet([[(x, y - 0.2 - 0.25 * math.sin(k * 2 + t), z) for k, (x, y, z) in enumerate(row)] for t, row in enumerate(flap)], m("#e89a4a", "cloth"), 0.1)
    for s in (0.125, 0.375, 0.625, 0.875):
        x, y, z = skin(0.45, s)
        fx, fy, _ = skin(0, s)
        rod((x, y, z), (fx * 1.45, fy * 1.45, 0.05), 0.05, rope)
        rod((fx * 1.47, fy * 1.47, -0.2), (fx * 1.42, fy * 1.42, 0.8), 0.12, m("#c9ccd0", "metal"))
    with placed((8.2, -8.6, 0)):
        rod((0, 0, 0.1), (0, 0, 0.7), 0.8, dark)
        rod((0, 0, 0.7), (0, 0, 2.2), 0.6, m("#ffd27a", "glow"))
        rod((0, 0, 2.2), (0, 0, 2.6), 0.75, m("#b5301f"))
        tube([(-0.7, 0, 2.4), (-0.6, 0, 3.4), (0.6, 0, 3.4), (0.7, 0, 2.4)], 0.07, dark)
    with placed((-9.5, -7.5, 0.9), (0, 0, 30)):
        rod((-1.8, 0, 0), (1.8, 0, 0), 0.9, m("#2f6b6b", "cloth"), bevel=0.3)
        for x in (-1, 1):
            ring((x, 0, 0), 0.92, 0.07, dark, (0, 90, 0))


def kayak():
    red, cream, dark = m("#d8482a", "plastic"), m("#f0c060", "plastic"), m("#26282b", "plastic")
    wood, steel = m("#cf9a58", "wood"), m("#2f3438", "metal")
    length = 20

    def width(x):
        return 3.9 * (1 - abs(x / length) ** 2.2) ** 0.85 + 0.04

    def hull(top):
        rows = []
        for i in range(41):
            x = -length + i
            rise = 2.0 * abs(x / length) ** 3
            row = []
            for k in range(13):
                a = math.pi * k / 12
                z = 0.75 * math.sin(a) if top else -2.2 * math.sin(a) ** 0.8
                row.append((x, width(x) * math.cos(a), 2.4 + rise + z))
            rows.append(row)
        return rows

    for part, look in ((hull(False), red), (hull(True), cream)):
        sheet(part, look, 0.12)
    for y in (-1, 1):
        tube([(-length + i, y * width(-length + i), 2.45 + 2.0 * abs((-length + i) / length) ** 3) for i in range(41)], 0.14, dark, smooth=2)
    for x in (-5.5, 4.5):
        with placed((x, 0, 3.1)):
            lathe([(2.3, 0), (2.5, 0.25), (2.3, 0.5)], dark, squash=(1.65, 1, 1))
            lathe([(2.15, 0.42), (0.02, 0.36)], m("#1d1d20", "matte"), squash=(1.65, 1, 1), bevel=0)
            box((-2.4, 0, 1.2), (0.5, 3.0, 2.0), dark, (0, -12, 0), 0.22)
            box((-0.9, 0, 0.55), (2.4, 2.8, 0.4), m("#3d4a54", "cloth"), bevel=0.16)
    for x in (-13, 12):
        for k in (-1, 1):
            tube([(x - 2 * k, -width(x) * 0.6, 3.5), (x + 2 * k, width(x) * 0.6, 3.5)], 0.08, dark, smooth=0)
    for y, z, a in ((-0.6, 4.1, 8), (0.9, 4.4, -5)):
        with placed((0, y, z), (0, 0, a)):
            rod((-10, 0, 0), (10, 0, 0), 0.18, steel)
            for s in (-1, 1):
                plate([(9.4, -0.3), (11, -0.95), (13.6, -0.8), (14, 0), (13.6, 0.8), (11, 0.8), (9.4, 0.3)], 0.2, m("#e9a21b", "plastic"), (0, 0, 0), (90, 0, 0 if s > 0 else 180), 0.06, 1)
    for x, c in ((-9.5, "#e07a1f"), (9.2, "#2f7d78")):
        with placed((x, -4.0, 0), (-14, 0, 12)):
            for s in (-1, 1):
                box((s * 0.95, 0, 2.0), (1.5, 0.8, 3.4), m(c, "cloth"), bevel=0.3)
            box((0, 0.35, 2.2), (3.2, 0.5, 3.8), m(c, "cloth"), bevel=0.22)
            for z in (1.2, 2.4):
                box((0, -0.42, z), (3.4, 0.12, 0.3), dark, bevel=0.04)


def telescope():
    tube_look, dark, wood = m("#8e2f26"), m("#26262a", "plastic"), m("#c08a4e", "wood")
    steel = m("#c9ccd0", "metal")
    rod((0, 0, 0.3), (0, 0, 0.8), 3.4, wood)
    for a in (0, 120, 240):
        rod((2.6 * math.cos(math.radians(a)), 2.6 * math.sin(math.radians(a)), 0), (2.6 * math.cos(math.radians(a)), 2.6 * math.sin(math.radians(a)), 0.4), 0.4, dark)
    rod((0, 0, 0.9), (0, 0, 1.3), 3.2, wood)
    for y in (-2.2, 2.2):
        plate([(-2.3, 1.3), (2.3, 1.3), (1.9, 6.0), (1.0, 7.0), (-1.0, 7.0), (-1.9, 6.0)], 0.4, wood, (0, y, 0), bevel=0.1)
        rod((0, y - 0.1, 4.0), (0, y + 0.1, 4.0), 0.8, m("#7d5128", "matte"))
        rod((0, y * 0.8, 6.4), (0, y * 1.18, 6.4), 0.95, dark)
    box((-1.9, 0, 2.6), (0.4, 4.2, 2.4), wood, bevel=0.08)
    with placed((0, 0, 6.4), (0, -38, 0)):
        rod((-5.2, 0, 0), (7.8, 0, 0), 1.62, tube_look, bevel=0.05)
        rod((-5.6, 0, 0), (-5.0, 0, 0), 1.72, dark)
        rod((7.5, 0, 0), (7.9, 0, 0), 1.72, dark)
        rod((7.86, 0, 0), (7.93, 0, 0), 1.5, m("#0d0d10", "matte"))
        for x in (-0.9, 0.9):
            ring((x, 0, 0), 1.64, 0.16, dark, (0, 90, 0))
        rod((6.0, -1.5, 0.3), (6.0, -2.5, 0.5), 0.5, dark)
        rod((6.0, -2.4, 0.48), (6.0, -3.2, 0.64), 0.34, steel)
        rod((6.0, -3.1, 0.62), (6.0, -3.5, 0.7), 0.44, dark)
        for dz in (-0.5, 0.5):
            rod((6.0 + dz, -1.95, 0.4), (6.0 + dz * 1.8, -1.95, 0.4), 0.26, dark)
        rod((4.2, -1.3, 1.5), (7.2, -1.3, 1.5), 0.32, dark)
        rod((7.1, -1.3, 1.5), (7.5, -1.3, 1.5), 0.4, dark)
        box((5.6, -1.2, 1.2), (0.3, 0.4, 0.6), dark)
    for i, x in enumerate((2.9, 4.0, 5.1)):
        rod((x, -3.4, 0), (x, -3.4, 0.7), 0.34, steel)
        rod((x, -3.4, 0.6), (x, -3.4, 1.2 + 0.25 * i), 0.42, dark)
    with scenery():
        for i in range(60):
            a = math.sin(i * 12.9898) * 43758.5453
            b = math.sin(i * 78.233) * 12543.123
            x, z = (a - math.floor(a)) * 44 - 22, 7 + (b - math.floor(b)) * 20
            ball((x, 20, z), 0.05 + 0.05 * ((i % 5) == 0), m("#fff0c8", "glow"))
        ball((14, 20, 17), 1.5, m("#ffe9b0", "glow"))


def grill():
    black, red, steel = m("#1f1f22", "glossy"), m("#a82a1e", "glossy"), m("#c9ccd0", "metal")
    wood, chrome = m("#b77b45", "wood"), m("#8e9196", "metal")
    bowl = [(0.3, 3.9), (1.6, 4.2), (2.7, 5.0), (3.2, 6.2), (3.25, 6.7), (3.1, 6.7), (3.0, 6.2)]
    lathe(bowl, black, bevel=0.03)
    with placed((-1.6, 1.6, 8.6), (0, -62, -30)):
        lathe([(3.28, 0), (3.3, 0.3), (2.9, 1.3), (1.7, 2.2), (0.4, 2.5), (0.02, 2.52)], red, (0, 0, -1), bevel=0.03)
        tube([(-0.8, 0, 1.4), (-0.7, 0, 2.1), (0.7, 0, 2.1), (0.8, 0, 1.4)], 0.16, wood)
    for i in range(15):
        x = -2.8 + i * 0.4
        half = math.sqrt(max(0.1, 9.0 - x * x))
        rod((x, -half, 6.62), (x, half, 6.62), 0.05, steel)
    ring((0, 0, 6.62), 3.0, 0.07, steel)
    for a in (90, 215, 325):
        c, s = math.cos(math.radians(a)), math.sin(math.radians(a))
        rod((1.7 * c, 1.7 * s, 4.6), (2.9 * c, 2.9 * s, 0.2), 0.17, chrome)
    for x in (-2.37, 2.37):
        wheel((x, -1.65, 0.75), 0.75, 0.4, m("#232326", "rubber"), steel, axis="X")
    rod((0, 0, 2.2), (0, 0, 2.35), 1.7, steel)
    ring((0, 0, 6.75), 3.25, 0.1, chrome)
    rod((-4.4, 0, 8.4), (4.4, 0, 8.4), 0.1, steel)
    for x in (-3.3, 3.3):
        box((x, 0, 7.6), (0.16, 0.6, 1.9), chrome, bevel=0.04)
    box((4.2, 0, 8.4), (1.1, 0.9, 1.2), black, bevel=0.15)
    rod((-5.2, 0, 8.4), (-4.2, 0, 8.4), 0.22, wood)
    chicken = m("#b5692c", "glossy")
    ball((0, 0, 8.4), 1.05, chicken, (1.45, 0.95, 1))
    for s in (-1, 1):
        ball((0.9, -0.7 * s, 8.0), 0.5, chicken, (1.5, 0.8, 0.8), (0, 30, 20 * s))
        rod((1.4, -0.7 * s, 7.8), (2.1, -0.75 * s, 7.5), 0.15, m("#e9d9b8", "matte"))
        ball((-0.6, -0.95 * s, 8.4), 0.36, chicken, (1.6, 0.6, 0.7))
    coal = m("#ff6a1f", "glow")
    for i in range(60):
        a, r = i * 2.4, 0.36 * math.sqrt(i)
        ball((r * math.cos(a), r * math.sin(a), 5.9 + 0.1 * (i % 3)), 0.3, coal if i % 4 == 0 else m("#2b2623", "matte"), (1.2, 1, 0.8))
    with placed((4.6, -2.2, 0)):
        lathe([(0.9, 0), (0.9, 2.8), (0.84, 2.8), (0.84, 0.2)], steel)
        tube([(0.9, 0, 0.8), (1.7, 0, 0.9), (1.7, 0, 2.2), (0.9, 0, 2.3)], 0.13, wood)
    for i in range(5):
        rod((-5 + i * 0.5, -2.6, 0.35 + 0.55 * (i % 2)), (-4.6 + i * 0.5, 0.2, 0.35 + 0.55 * (i % 2)), 0.33, m("#8a5f38", "wood"))


MODELS = {
    "four-person-tent": (tent, "yard", {0: {"turn": -24, "rise": 12}, 1: {"turn": 30, "rise": 20}, 2: {"look": (0.5, 0.2, 0.4), "turn": 8}}),
    "tandem-kayak": (kayak, "yard", {0: {"turn": -26, "rise": 22, "closeness": 1.3, "look": (0.5, 0.5, 0.5)}, 1: {"turn": 36, "rise": 30, "closeness": 1.2, "look": (0.5, 0.5, 0.5)}, 2: {"look": (0.4, 0.5, 0.5), "turn": -30, "rise": 24, "closeness": 2}}),
    "backyard-telescope": (telescope, "dusk", {0: {"turn": -18, "rise": 8}, 1: {"turn": 28, "rise": 14}, 2: {"look": (0.65, 0.4, 0.75), "turn": 14}}),
    "kettle-grill": (grill, "yard", {2: {"look": (0.5, 0.4, 0.75), "rise": 24}}),
}
