"""Party and media. Lengths in decimeters."""

import math

from kit import ball, box, lathe, material as m, placed, plate, ring, rod, scenery, tube, words


def projector():
    white, dark, wood = m("#ece7de", "plastic"), m("#26272b", "plastic"), m("#b77b45", "wood")
    lens, cloth = m("#25304a", "glossy"), m("#f6efe0", "matte")
    with placed((0.6, -6.4, 0), (0, 0, 172)):
        rod((0, 0, 0), (0, 0, 3.8), 0.3, dark)
        rod((0, 0, 0), (0, 0, 0.2), 1.9, dark)
        box((0, 0, 3.9), (5.0, 4.2, 0.3), wood)
        box((0, 0, 5.0), (4.4, 3.4, 1.5), white, bevel=0.35)
        rod((-1.1, -1.5, 5.0), (-1.1, -2.2, 5.0), 0.78, dark)
        rod((-1.1, -2.1, 5.0), (-1.1, -2.24, 5.0), 0.58, lens)
        for i in range(8):
            box((0.4 + i * 0.2, -1.7, 5.0), (0.1, 0.08, 0.8), dark, bevel=0.02)
        for i in range(4):
            rod((0.2 + i * 0.45, 0.6, 5.7), (0.2 + i * 0.45, 0.6, 5.82), 0.15, dark)
        rod((-1.1, -0.6, 5.7), (-1.1, -0.6, 5.84), 0.34, m("#3b73a8", "glossy"))
        words("FULL HD", (-0.2, 1.72, 5.1), 0.42, m("#8d8780", "plastic"), (90, 0, 180))
        for x in (1.0, 1.6):
            box((x, 1.7, 4.7), (0.4, 0.06, 0.2), dark, bevel=0.02)
        tube([(1.6, 1.75, 4.7), (1.8, 2.6, 4.2), (2.2, 2.7, 1.6), (3.0, 2.8, 0.12), (5, 3.4, 0.12)], 0.07, dark)
    with placed((0, 4.2, 0)):
        box((0, 0, 7.7), (15.6, 0.3, 9.3), dark, bevel=0.1)
        box((0, -0.16, 7.7), (14.6, 0.06, 8.3), cloth, bevel=0)
        sky = [("#2b3f73", 4.1), ("#7a4f7d", 2.6), ("#d9705a", 1.5), ("#f2a85a", 0.6)]
        for color, z in sky:
            box((0, -0.2 + 0.002 * z, 7.7 - 4.1 + (z + 4.1) / 2), (14.6, 0.02 + 0.01 * (5 - z), z + 4.1), _screen(color), bevel=0)
        rod((2.4, -0.26, 7.9), (2.4, -0.27, 7.9), 1.15, _screen("#ffd98a"))
        plate([(-7.3, 3.55), (-7.3, 6.3), (-4.6, 7.9), (-2.6, 6.2), (-0.4, 7.3), (2.2, 5.6), (4.8, 6.9), (7.3, 5.4), (7.3, 3.55)], 0.02, _screen("#33264a"), (0, -0.3, 0), bevel=0)
        for x in (-6, 6):
            rod((x, 0, 3.2), (x, -1.6, 0.1), 0.2, dark)
            rod((x, 0, 3.2), (x, 1.6, 0.1), 0.2, dark)
            rod((x, 0, 3.2), (x, 0, 6), 0.2, dark)
    with placed((-4.6, -3.6, 0), (0, 0, 12)):
        lathe([(1.0, 0), (1.4, 2.4), (1.5, 2.4), (1.3, 0.1)], m("#c8361c", "paint"))
        for i in range(70):
            a, r = i * 2.4, 0.17 * math.sqrt(i)
            ball((r * math.cos(a), r * math.sin(a), 2.5 + 0.5 * math.cos(r)), 0.24, m(("#f7e6b0", "#f2d98c")[i % 2], "matte"))


def _screen(color):
    """A slightly emissive material for the projected image."""
    made = m(color, "matte").copy()
    shader = made.node_tree.nodes["Principled BSDF"]
    shader.inputs["Emission Color"].default_value = shader.inputs["Base Color"].default_value
    shader.inputs["Emission Strength"].default_value = 0.55
    return made


def pa_speaker():
    dark, grid, orange = m("#2a2b2f", "plastic"), m("#3c3e43", "metal"), m("#dd6a2b", "plastic")
    steel = m("#c9ccd0", "metal")
    shell = [(-2.2, 0), (2.2, 0), (2.5, 0.4), (2.5, 8.2), (2.0, 8.8), (-2.0, 8.8), (-2.5, 8.2), (-2.5, 0.4)]
    plate(shell, 3.6, dark, bevel=0.3)
    plate([(-2.1, 0.6), (2.1, 0.6), (2.1, 8.0), (1.8, 8.4), (-1.8, 8.4), (-2.1, 8.0)], 0.2, grid, (0, -1.82, 0), bevel=0.1)
    for i in range(22):
        for j in range(11):
            rod((-1.85 + j * 0.37 + (i % 2) * 0.1, -1.9, 0.9 + i * 0.34), (-1.85 + j * 0.37 + (i % 2) * 0.1, -1.94, 0.9 + i * 0.34), 0.09, m("#151517", "matte"), sides=6, bevel=0)
    ring((0, -1.93, 2.9), 1.8, 0.13, orange, (90, 0, 0))
    lathe([(0.02, 0.15), (0.7, 0.25), (1.75, 0)], m("#1b1b1e", "rubber"), (0, -1.86, 2.9), (90, 0, 0))
    ring((0, -1.93, 6.6), 0.95, 0.1, orange, (90, 0, 0))
    ball((0, -1.85, 6.6), 0.5, steel, (1, 0.4, 1))
    tube([(-0.9, 0, 8.7), (-0.8, 0, 9.3), (0.8, 0, 9.3), (0.9, 0, 8.7)], 0.2, orange)
    ball((1.8, -1.95, 8.2), 0.1, m("#4aa3ff", "glow"))
    for x in (-1.7, 1.7):
        rod((x, 1.9, 0.5), (x, 2.3, 0.5), 0.5, dark)
    for k, (x, y, lean) in enumerate(((-5.0, -0.6, 8), (4.8, -1.2, -10))):
        with placed((x, y, 0), (0, 0, 14 * (1 if k else -1))):
            rod((0, 0, 0), (0, 0, 0.25), 1.35, dark)
            rod((0, 0, 0.2), (0, 0, 8.2), 0.13, steel)
            rod((0, 0, 4.8), (0, 0, 5.4), 0.22, dark)
            with placed((0, 0, 8.2), (0, 0, 0)):
                box((0, 0, 0.15), (0.4, 0.5, 0.6), dark, bevel=0.12)
                with placed((0, 0, 0.45), (-62 if k else -55, lean, 180)):
                    rod((0, 0, -1.6), (0, 0, 0.9), 0.25, dark, end_radius=0.4)
                    rod((0, 0, 0.85), (0, 0, 1.05), 0.52, orange if k else m("#3b73a8", "plastic"))
                    ball((0, 0, 1.45), 0.6, steel)
                    for i in range(5):
                        ring((0, 0, 1.15 + i * 0.17), 0.6 * math.sqrt(max(0.05, 1 - ((1.15 + i * 0.17 - 1.45) / 0.6) ** 2)), 0.02, grid)
    with scenery():
        for i in range(13):
            x = -12 + i * 2
            ball((x, 4, 12.2 - 1.6 * math.sin(math.pi * (i % 6) / 6)), 0.28, m("#ffd27a", "glow"))
        tube([(-12 + i * 2, 4, 12.55 - 1.6 * math.sin(math.pi * (i % 6) / 6)) for i in range(13)], 0.04, dark)


MODELS = {
    "projector-and-screen": (projector, "room", {0: {"turn": -20, "rise": 16}, 1: {"turn": 26, "rise": 22}, 2: {"look": (0.5, 0.12, 0.45), "turn": -24, "rise": 18, "closeness": 2}}),
    "pa-speaker": (pa_speaker, "room", {0: {"turn": -20, "rise": 8}, 1: {"turn": 28, "rise": 14}, 2: {"look": (0.35, 0.4, 0.6), "turn": -24}}),
}