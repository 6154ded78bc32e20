"""Hand tools. Lengths in decimeters."""

import math

from kit import ball, box, lathe, material as m, placed, plate, ring, rod, scenery, sheet, tube, words


def wrench(at, turn, length, look):
    """A flat combination wrench: a ring at one end, jaws at the other."""
    with placed(at, turn):
        w = length * 0.045
        box((0, 0, 0), (length * 0.8, w * 1.9, w * 0.9), look, bevel=w * 0.35)
        ring((-length * 0.46, 0, 0), w * 2, w * 0.85, look)
        jaw = []
        for i in range(19):
            a = math.radians(48 + i * 14.7)
            jaw.append((2.9 * w * math.cos(a), 2.9 * w * math.sin(a)))
        jaw += [(1.6 * w, -1.25 * w), (-0.8 * w, -1.2 * w), (-0.8 * w, 1.2 * w), (1.6 * w, 1.25 * w)]
        plate(jaw, w * 1.1, look, (length * 0.47, 0, 0), (-90, 12, 0), bevel=w * 0.25)


def wrench_set():
    steel, dark, lining = m("#cfd2d6", "metal"), m("#26282c", "plastic"), m("#3b2a24", "matte")
    red = m("#b9281f", "plastic")
    box((0, 0, 0.25), (6.4, 4, 0.5), red, bevel=0.15)
    box((0, 0, 0.5), (6, 3.6, 0.06), lining, bevel=0.02)
    with placed((0, 2, 0.4), (-22, 0, 0)):
        box((0, 0.16, 1.9), (6.4, 0.5, 3.8), red, bevel=0.15)
        box((0, -0.1, 1.9), (6, 0.06, 3.4), lining, bevel=0.02)
        for i in range(7):
            wrench((-2.4 + i * 0.8, -0.2, 1.9), (90, 90, 0), 1.7 + 0.22 * i, steel)
    for row, (y, r) in enumerate(((1.3, 0.13), (0.75, 0.17), (0.1, 0.22))):
        for i in range(11 - row * 2):
            x = -2.6 + i * (0.5 + row * 0.11)
            rod((x, y, 0.5), (x, y, 0.85 + row * 0.12), r + i * 0.006, steel, bevel=0.03)
            rod((x, y, 0.84 + row * 0.12), (x, y, 0.86 + row * 0.12), (r + i * 0.006) * 0.66, dark, sides=6)
    with placed((-0.6, -1.0, 0.72), (0, 0, 4)):
        rod((-1.9, 0, 0), (-0.4, 0, 0), 0.19, dark, bevel=0.07)
        rod((-0.4, 0, 0), (0.9, 0, 0), 0.1, steel)
        rod((1.05, 0, -0.15), (1.05, 0, 0.17), 0.34, steel)
        rod((1.05, 0, 0.15), (1.05, 0, 0.24), 0.2, red)
    for i in range(6):
        rod((1.5 + i * 0.22, -1.6, 0.6), (1.5 + i * 0.22, -0.75 - 0.06 * i, 0.6), 0.05 + i * 0.008, steel, sides=6)
    wrench((-1.2, -3.2, 0.12), (0, 0, 12), 3, steel)
    rod((1.6, -2.9, 0.25), (2.1, -2.8, 0.25), 0.25, steel)


def framing_hammer():
    steel, ash = m("#b9bdc2", "metal"), m("#d8a765", "wood")
    iron, grip = m("#3e4247", "cast"), m("#7c2f1c", "cloth")
    with placed((-0.9, 0.9, 0.3), (0, 0, 62)):
        with placed((0, 0, 0), (-90, 0, 0)):
            handle = [(-0.17, 0.1), (0.17, 0.1), (0.16, -2.2), (0.24, -3.6), (0.2, -4.3), (-0.2, -4.3), (-0.24, -3.6), (-0.16, -2.2)]
            plate(handle, 0.36, ash, bevel=0.13)
            plate([(-0.24, -2.9), (0.24, -2.9), (0.25, -3.9), (-0.25, -3.9)], 0.4, grip, bevel=0.14)
            box((0, 0, 0.22), (0.55, 0.42, 0.72), steel, bevel=0.1)
            rod((0.2, 0, 0.3), (0.95, 0, 0.3), 0.22, steel)
            rod((0.9, 0, 0.3), (1.35, 0, 0.3), 0.33, steel, bevel=0.06)
            for y in (-0.11, 0.11):
                plate([(-0.2, 0.56), (-0.2, 0.05), (-1.0, 0.16), (-1.75, -0.2), (-1.72, -0.05), (-1.0, 0.4)], 0.17, steel, (0, y, 0), bevel=0.05)
    with placed((0.2, -1.6, 0.12), (0, 0, 9)):
        box((0, 0, 0), (4.4, 0.42, 0.14), iron, bevel=0.05)
        plate([(2.1, -0.07), (2.1, 0.07), (2.75, 0.34), (2.95, 0.75), (3.02, 0.72), (2.85, 0.2)], 0.5, iron, bevel=0.03)
        plate([(-2.1, -0.07), (-2.1, 0.07), (-2.9, 0.03), (-2.9, -0.02)], 0.5, iron, bevel=0.01)
    with placed((1.2, 1.7, 0.18), (0, 0, 24)):
        tube([(-2, 0, 0), (1.4, 0, 0), (1.85, 0, 0.16), (2.05, 0, 0.6)], 0.14, m("#b5351e", "paint"))
        box((2.1, 0, 0.62), (0.1, 0.34, 0.5), iron, (0, 20, 0), 0.03)
    with placed((-2.6, -0.4, 0)):
        for i in range(14):
            a = i * 2.4
            x, y = 0.06 * i * math.cos(a), 0.06 * i * math.sin(a)
            rod((x - 0.3 * math.cos(a * 3), y - 0.3 * math.sin(a * 3), 0.05 + 0.012 * i), (x + 0.3 * math.cos(a * 3), y + 0.3 * math.sin(a * 3), 0.05 + 0.012 * i), 0.028, steel)
    with placed((0.2, 3.1, 0)):
        for i in range(3):
            box((0.2 * i, 0, 0.2 + 0.42 * i), (7.5 - i * 0.8, 1.1, 0.4), m(("#c99a5f", "#b98a50", "#d2a56c")[i], "wood"), (0, 0, 2 * i), 0.03)


def laser_level():
    green, dark, steel = m("#2f7d52", "plastic"), m("#242628", "plastic"), m("#9aa0a6", "metal")
    beam, yellow = m("#ff3b2a", "glow"), m("#e9b424", "plastic")
    top = (0, 0, 7)
    for a in (90, 210, 330):
        c, s = math.cos(math.radians(a)), math.sin(math.radians(a))
        rod((0.25 * c, 0.25 * s, 6.7), (1.5 * c, 1.5 * s, 2.6), 0.16, dark)
        rod((1.4 * c, 1.4 * s, 2.9), (2.3 * c, 2.3 * s, 0.1), 0.11, steel)
        ball((2.3 * c, 2.3 * s, 0.12), 0.17, dark)
        rod((0, 0, 3.9), (1.15 * c, 1.15 * s, 3.8), 0.06, steel)
    rod((0, 0, 3.6), (0, 0, 7.1), 0.17, steel)
    rod((0, 0, 7), (0, 0, 7.35), 0.45, dark)
    box((top[0], 0, 8.3), (1.7, 1.7, 1.9), green, bevel=0.35)
    box((0, 0, 7.6), (1.8, 1.8, 0.5), dark, bevel=0.2)
    box((0, -0.86, 8.5), (0.8, 0.1, 0.9), dark, bevel=0.12)
    box((0, -0.92, 8.5), (0.5, 0.05, 0.6), m("#4b1410", "glossy"), bevel=0.05)
    ball((0, -0.95, 8.5), 0.1, beam)
    box((0, 0, 9.3), (0.9, 0.9, 0.16), dark, bevel=0.07)
    with placed((2.6, -1.5, 0.24), (0, 0, -24)):
        box((0, 0, 0), (1.1, 2.4, 0.48), dark, bevel=0.2)
        box((0, 0.45, 0.25), (0.8, 1, 0.05), m("#bfe8c5", "glow"), bevel=0.03)
        words("4.82 m", (0, 0.45, 0.29), 0.26, m("#122014", "matte"), (0, 0, 0))
        for x in (-0.28, 0, 0.28):
            for y in (-0.4, -0.75):
                rod((x, y, 0.2), (x, y, 0.3), 0.1, yellow if (x, y) == (0, -0.4) else green)
    with placed((-2.5, -1.3, 0.2), (0, 0, 14)):
        box((0, 0, 0), (4.2, 0.4, 0.42), yellow, bevel=0.05)
        rod((-0.3, 0, 0.22), (0.3, 0, 0.22), 0.11, m("#b9e84a", "glossy"))
        for x in (-1.5, 1.5):
            rod((x, -0.21, 0), (x, 0.21, 0), 0.14, m("#b9e84a", "glossy"))
    with scenery():
        box((0, 8.38, 8.5), (40, 0.02, 0.07), beam, bevel=0)
        box((1.6, 8.38, 8), (0.07, 0.02, 30), beam, bevel=0)


def sewing_kit():
    canvas, leather, brass = m("#d9c7a0", "cloth"), m("#8a4f2a", "cloth"), m("#d3a43c", "metal")
    steel, wood = m("#cfd2d6", "metal"), m("#b77b45", "wood")
    rows = []
    for j in range(15):
        rows.append([(-4.2 + i * 0.44, -1.6 + j * 0.32, 0.04 + 0.09 * math.sin(i * 0.9 + j * 0.5) ** 2) for i in range(20)])
    sheet(rows, canvas, 0.05)
    for k, (x, y, color, h) in enumerate(((-2.6, 1.4, "#b5402b", 1.5), (-1.2, 1.9, "#2d5d74", 1.7), (0.3, 1.6, "#d9952f", 1.5), (1.7, 2.0, "#4b6b3a", 1.7))):
        rod((x, y, 0.1), (x, y, 0.25), 0.56, wood)
        rod((x, y, h), (x, y, h + 0.15), 0.56, wood)
        rod((x, y, 0.2), (x, y, h), 0.44, m(color, "cloth"), bevel=0.05)
        for i in range(int(h * 10)):
            ring((x, y, 0.3 + i * 0.1), 0.44, 0.05, m(color, "cloth"), (3 if i % 2 else -3, 0, 0))
    tube([(0.3, 1.1, 0.6), (0.4, 0.3, 0.15), (-0.6, -0.4, 0.2), (-1.6, -0.2, 0.2), (-2.2, -0.9, 0.2)], 0.035, m("#d9952f", "cloth"))
    for i in range(5):
        y = -0.9 - i * 0.16
        rod((-3.4 + i * 0.2, y, 0.22), (-1.9 + i * 0.1, y - 0.1, 0.22), 0.035, steel, end_radius=0.012)
    with placed((0.9, -0.7, 0.42), (0, 0, 18)):
        lathe([(0.1, 0), (0.36, 0.1), (0.4, 0.5), (0.26, 1.0), (0.2, 1.25), (0.22, 1.35)], wood, (-1.2, 0, 0), (0, 90, 0))
        rod((0.1, 0, 0), (1.7, 0, 0), 0.08, steel, end_radius=0.01)
    for i in range(16):
        a = i * 2.39996
        ring((3.2 + 0.17 * math.sqrt(i) * math.cos(a) * 1.8, -0.9 + 0.17 * math.sqrt(i) * math.sin(a) * 1.8, 0.14 + 0.03 * (i % 3)), 0.15, 0.055, brass, (12 * (i % 3), 9 * (i % 2), 0))
    with placed((3.4, 1.0, 0.32), (0, 0, -30)):
        ring((0, 0, 0), 0.75, 0.2, leather)
        box((0.72, 0, 0.05), (0.6, 0.9, 0.36), leather, bevel=0.14)
        rod((0.72, 0, 0.2), (0.72, 0, 0.32), 0.28, steel)
    with placed((-3.4, 1.2, 0.13), (0, 0, 60)):
        for s in (-1, 1):
            plate([(-0.1, 0.1 * s), (1.7, 0.02 * s), (1.75, 0.0), (0, -0.12 * s)], 0.07, steel, turn=(-90, 6 * s, 0), bevel=0.02)
            ring((-0.75, 0.36 * s, 0), 0.3, 0.09, m("#c25a2a", "plastic"))
            rod((-0.5, 0.2 * s, 0), (0, 0, 0), 0.07, steel)


MODELS = {
    "mechanics-wrench-set": (wrench_set, "bench", {0: {"rise": 34}, 1: {"rise": 44}, 2: {"rise": 30, "look": (0.4, 0.4, 0.3)}}),
    "framing-hammer": (framing_hammer, "bench", {0: {"rise": 28, "turn": -14}, 1: {"rise": 40}, 2: {"look": (0.55, 0.45, 0.4), "rise": 24}}),
    "laser-level-kit": (laser_level, "room", {0: {"turn": -12, "rise": 9}, 1: {"turn": 22, "rise": 20}, 2: {"look": (0.5, 0.5, 0.85), "turn": -22}}),
    "sewing-kit": (sewing_kit, "bench", {0: {"rise": 34, "turn": -10}, 1: {"rise": 46}, 2: {"look": (0.45, 0.6, 0.5), "rise": 24}}),
}
