"""The scenes around the models, their lights, and the camera."""

import math
import random

import bpy
from mathutils import Vector

from kit import box, linear, material, scenery


def furnish(place):
    """A scene by name: ground and background of the model, and the lights."""
    with scenery(loose=True):
        {"bench": _bench, "garage": _garage, "yard": _yard, "room": _room, "dusk": _dusk}[place]()


def _bench():
    for i in range(7):
        shade = ("#b07a47", "#a8703e", "#b98350")[i % 3]
        box((0.13 * i, -3 + 1.03 * i, -0.2), (16, 1, 0.4), material(shade, "wood"), bevel=0.03)
    _wall("#d9b48a", 3.6)
    pegs = material("#8a6a48", "matte")
    for x in range(-9, 10):
        for z in range(1, 9):
            box((x * 0.62, 3.58, z * 0.62), (0.07, 0.05, 0.07), pegs, bevel=0)
    _light(sun=(-48, 6, -38), strength=4.6, fill="#ffe2c0", amount=0.3)
    _window()


def _garage():
    _floor("#a59a8e")
    _wall("#c9a985", 4.2)
    box((0, 4.17, 0.35), (30, 0.1, 0.7), material("#7d5a40", "matte"))
    _light(sun=(-46, 4, -42), strength=4.6, fill="#ffe2c4", amount=0.3)
    _window()


def _room():
    for i in range(12):
        shade = ("#a9743f", "#9c6836", "#b27d49")[i % 3]
        box((0.3 * (i % 4), -6 + 1.02 * i, -0.1), (30, 1, 0.2), material(shade, "wood"), bevel=0.012)
    _wall("#e2c9a8", 4)
    box((0, 3.95, 0.25), (30, 0.12, 0.5), material("#f3e9da", "paint"))
    _light(sun=(-47, 5, -40), strength=4.4, fill="#ffe6cc", amount=0.32)
    _window()


def _yard():
    _floor("#56662b", size=60)
    _grass()
    for i in range(-14, 15):
        shade = ("#a0764c", "#946a42", "#ab8156")[i % 3]
        box((i * 0.92, 5, 1.45), (0.86, 0.12, 2.9 + 0.06 * (i % 2)), material(shade, "wood"), bevel=0.03)
    for z in (0.7, 2.3):
        box((0, 4.9, z), (28, 0.1, 0.22), material("#8a623c", "wood"))
    _light(sun=(-52, 8, -40), strength=5, fill="#cfe0f0", amount=0.42)


def _dusk():
    _floor("#6b5a4a", size=60)
    _wall("#6d5663", 5)
    _light(sun=(-56, 10, -48), strength=2.6, fill="#8f86b8", amount=0.6, color="#ffb37a")


def _floor(color, size=40):
    bpy.ops.mesh.primitive_plane_add(size=size)
    bpy.context.object.data.materials.append(material(color, "matte"))
    bpy.context.object["counts"] = False


def _wall(color, y):
    box((0, y + 0.1, 6), (34, 0.2, 14), material(color, "matte"))


def _grass():
    """About ten thousand blades in one mesh, denser in the camera's view."""
    rng = random.Random(4)
    verts, faces = [], []
    for _ in range(42000):
        x, y = rng.uniform(-7, 7), rng.triangular(-5, 4.9, -1)
        lean, high = rng.uniform(-0.07, 0.07), rng.uniform(0.06, 0.17)
        a = rng.uniform(0, math.pi)
        w = 0.012
        n = len(verts)
        verts += [
            (x - w * math.cos(a), y - w * math.sin(a), 0),
            (x + w * math.cos(a), y + w * math.sin(a), 0),
            (x + lean, y + rng.uniform(-0.07, 0.07), high),
        ]
        faces.append((n, n + 1, n + 2))
    mesh = bpy.data.meshes.new("grass")
    mesh.from_pydata(verts, [], faces)
    for look in (material("#6f8a35", "matte"), material("#86a043", "matte"), material("#5c7a2e", "matte")):
        mesh.materials.append(look)
    for i, face in enumerate(mesh.polygons):
        face.material_index = i % 3
    blades = bpy.data.objects.new("grass", mesh)
    blades["counts"] = False
    bpy.context.scene.collection.objects.link(blades)


def _light(sun, strength, fill, amount, color="#ffd9a8"):
    data = bpy.data.lights.new("sun", "SUN")
    data.energy = strength
    data.color = linear(color)[:3]
    data.angle = math.radians(2.5)
    lamp = bpy.data.objects.new("sun", data)
    lamp.rotation_euler = [math.radians(a) for a in (abs(sun[0]), sun[1], sun[2])]
    bpy.context.scene.collection.objects.link(lamp)
    _area((-4, -5, 5), 85, 4, "#fff0dc")
    _area((5, 2.5, 4), 110, 2, "#ffdcb0")
    world = bpy.data.worlds.new("world")
    world.use_nodes = True
    background = world.node_tree.nodes["Background"]
    background.inputs["Color"].default_value = linear(fill)
    background.inputs["Strength"].default_value = amount
    bpy.context.scene.world = world


def _area(at, power, size, color):
    data = bpy.data.lights.new("area", "AREA")
    data.energy = power
    data.size = size
    data.color = linear(color)[:3]
    lamp = bpy.data.objects.new("area", data)
    lamp.location = at
    lamp.rotation_euler = (Vector((0, 0, 0.8)) - Vector(at)).to_track_quat("-Z", "Y").to_euler()
    bpy.context.scene.collection.objects.link(lamp)


def _window():
    """The bars of an invisible window, which cast shadows on the wall."""
    lamp = bpy.data.objects["sun"]
    back = lamp.rotation_euler.to_matrix() @ Vector((0, 0, 1))
    center = Vector((0.6, 3.5, 2.4)) + back * 9
    for offset in (-2.3, -0.8, 0.7, 2.2):
        for size in ((0.16, 0.1, 9), (9, 0.1, 0.16)):
            bar = box((0, 0, 0), size, material("#000000", "matte"), bevel=0)
            bar.location = center + (Vector((offset, 0, 0)) if size[0] < 1 else Vector((0, 0, offset)))
            bar.visible_camera = False
            bar.visible_glossy = False


def settle(root):
    """Scales the model to the scene and centers it on the ground."""
    low, high = measure(root)
    size = high - low
    factor = 2.7 / max(size.x, size.y * 0.8, size.z * 1.28)
    root.scale = (factor, factor, factor)
    root.location = (-(low.x + high.x) / 2 * factor, -(low.y + high.y) / 2 * factor, -low.z * factor)


def measure(root):
    found = corners(root)
    return tuple(Vector([pick(c[i] for c in found) for i in range(3)]) for pick in (min, max))


def corners(root):
    bpy.context.view_layer.update()
    return [
        o.matrix_world @ Vector(c)
        for o in root.children_recursive
        if o.get("counts") and o.type != "EMPTY"
        for c in o.bound_box
    ]


def aim(root, turn, rise, closeness=1.0, look=None):
    """A camera that frames the whole model from `turn` degrees to its side and `rise` degrees above it, or
    a part of it (`look`, as fractions of its size), closer by the factor `closeness`."""
    low, high = measure(root)
    data = bpy.data.cameras.new("camera")
    data.lens = 58
    camera = bpy.data.objects.new("camera", data)
    bpy.context.scene.collection.objects.link(camera)
    bpy.context.scene.camera = camera
    a, e = math.radians(turn), math.radians(rise)
    away = Vector((math.sin(a) * math.cos(e), -math.cos(a) * math.cos(e), math.sin(e)))
    right = Vector((math.cos(a), math.sin(a), 0))
    up = away.cross(right)
    target, distance = _fit(corners(root), (low + high) / 2, (away, right, up), data.lens)
    if look:
        target = Vector([low[i] + (high[i] - low[i]) * look[i] for i in range(3)])
    camera.location = target + away * distance / closeness
    camera.rotation_euler = (-away).to_track_quat("-Z", "Y").to_euler()
    data.dof.use_dof = True
    data.dof.focus_distance = distance / closeness
    data.dof.aperture_fstop = 5.6 if closeness == 1 else 4


def _fit(points, target, axes, lens):
    """The camera's target and distance that show all points with a margin of ten percent."""
    away, right, up = axes
    wide = 0.84 * 18 / lens
    for _ in range(4):
        seen = [(p - target) for p in points]
        distance = max(
            r.dot(away) + max(abs(r.dot(right)) / wide, abs(r.dot(up)) / (wide * 0.75)) for r in seen
        )
        for axis in (right, up):
            shares = [r.dot(axis) / (distance - r.dot(away)) for r in seen]
            target = target + axis * (max(shares) + min(shares)) / 2 * distance
    return target, distance
