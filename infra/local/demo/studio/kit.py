"""Solid shapes and materials for the models. Lengths are in decimeters or
any unit that suits a model: the studio scales each to the same size. Z is up, the camera looks along +Y."""

import math
from contextlib import contextmanager

import bmesh
import bpy
from mathutils import Euler, Matrix, Vector

_materials = {}
_root = None
_counts = True


def begin():
    """Empties the scene and creates the parent object of the next model."""
    global _root
    bpy.ops.wm.read_factory_settings(use_empty=True)
    _materials.clear()
    _root = bpy.data.objects.new("model", None)
    bpy.context.scene.collection.objects.link(_root)
    return _root


@contextmanager
def scenery(loose=False):
    """Objects built inside surround the model and are ignored when it is framed; with `loose` they
    aren't scaled with the model either."""
    global _counts, _root
    outer = _root
    _counts = False
    _root = None if loose else outer
    try:
        yield
    finally:
        _counts = True
        _root = outer


@contextmanager
def placed(at=(0, 0, 0), turn=(0, 0, 0), size=1.0):
    """Groups the objects built inside into one piece, moved and rotated as a whole."""
    global _root
    outer = _root
    inner = bpy.data.objects.new("group", None)
    bpy.context.scene.collection.objects.link(inner)
    inner.parent = outer
    inner.location = at
    inner.rotation_euler = _euler(turn)
    inner.scale = (size, size, size)
    _root = inner
    try:
        yield
    finally:
        _root = outer


# Materials

KINDS = {
    # roughness, metallic, coat, bump's strength and scale
    "paint": (0.32, 0.0, 0.5, 0.02, 90),
    "plastic": (0.45, 0.0, 0.0, 0.05, 160),
    "rubber": (0.72, 0.0, 0.0, 0.12, 120),
    "metal": (0.28, 1.0, 0.0, 0.03, 60),
    "cast": (0.5, 0.9, 0.0, 0.25, 40),
    "cloth": (0.92, 0.0, 0.0, 0.35, 220),
    "matte": (0.85, 0.0, 0.0, 0.08, 30),
    "glossy": (0.1, 0.0, 0.6, 0.0, 1),
}


def material(color, kind="paint"):
    key = (color, kind)
    if key in _materials:
        return _materials[key]
    made = bpy.data.materials.new(f"{kind} {color}")
    made.use_nodes = True
    shader = made.node_tree.nodes["Principled BSDF"]
    shader.inputs["Base Color"].default_value = linear(color)
    if kind == "glow":
        shader.inputs["Emission Color"].default_value = linear(color)
        shader.inputs["Emission Strength"].default_value = 6
    elif kind == "wood":
        _wood(made, shader, color)
    elif kind == "glass":
        shader.inputs["Roughness"].default_value = 0.05
        shader.inputs["Coat Weight"].default_value = 1
    else:
        rough, metal, coat, strength, scale = KINDS[kind]
        shader.inputs["Roughness"].default_value = rough
        shader.inputs["Metallic"].default_value = metal
        shader.inputs["Coat Weight"].default_value = coat
        _wear(made, shader, rough)
        if strength:
            _bump(made, shader, strength, scale)
    _materials[key] = made
    return made


def _wear(made, shader, rough):
    """Uneven roughness, because used tools aren't equally smooth all over."""
    nodes, links = made.node_tree.nodes, made.node_tree.links
    noise = nodes.new("ShaderNodeTexNoise")
    noise.inputs["Scale"].default_value = 3
    noise.inputs["Detail"].default_value = 6
    spread = nodes.new("ShaderNodeMapRange")
    spread.inputs["To Min"].default_value = max(0.03, rough - 0.12)
    spread.inputs["To Max"].default_value = min(1, rough + 0.14)
    links.new(_coordinates(made), noise.inputs["Vector"])
    links.new(noise.outputs["Fac"], spread.inputs["Value"])
    links.new(spread.outputs["Result"], shader.inputs["Roughness"])


def _bump(made, shader, strength, scale):
    nodes, links = made.node_tree.nodes, made.node_tree.links
    noise = nodes.new("ShaderNodeTexNoise")
    noise.inputs["Scale"].default_value = scale
    bump = nodes.new("ShaderNodeBump")
    bump.inputs["Strength"].default_value = strength
    bump.inputs["Distance"].default_value = 0.02
    links.new(_coordinates(made), noise.inputs["Vector"])
    links.new(noise.outputs["Fac"], bump.inputs["Height"])
    links.new(bump.outputs["Normal"], shader.inputs["Normal"])


def _wood(made, shader, color):
    nodes, links = made.node_tree.nodes, made.node_tree.links
    stretch = nodes.new("ShaderNodeMapping")
    stretch.inputs["Scale"].default_value = (0.35, 5, 5)
    grain = nodes.new("ShaderNodeTexNoise")
    grain.inputs["Scale"].default_value = 2.2
    grain.inputs["Detail"].default_value = 9
    grain.inputs["Distortion"].default_value = 0.8
    ramp = nodes.new("ShaderNodeValToRGB")
    base = linear(color)
    ramp.color_ramp.elements[0].position = 0.3
    ramp.color_ramp.elements[0].color = tuple(c * 0.45 for c in base[:3]) + (1,)
    ramp.color_ramp.elements[1].position = 0.68
    ramp.color_ramp.elements[1].color = base
    bump = nodes.new("ShaderNodeBump")
    bump.inputs["Strength"].default_value = 0.15
    bump.inputs["Distance"].default_value = 0.02
    links.new(_coordinates(made), stretch.inputs["Vector"])
    links.new(stretch.outputs["Vector"], grain.inputs["Vector"])
    links.new(grain.outputs["Fac"], ramp.inputs["Fac"])
    links.new(grain.outputs["Fac"], bump.inputs["Height"])
    links.new(ramp.outputs["Color"], shader.inputs["Base Color"])
    links.new(bump.outputs["Normal"], shader.inputs["Normal"])
    shader.inputs["Roughness"].default_value = 0.55


def _coordinates(made):
    return made.node_tree.nodes.new("ShaderNodeTexCoord").outputs["Object"]


def linear(color):
    """A CSS color as Blender's linear light."""
    parts = [int(color[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    return tuple(p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts) + (1,)


# Shapes


def box(at, size, look, turn=(0, 0, 0), bevel=0.06):
    """A box, positioned by its center."""
    bm = bmesh.new()
    bmesh.ops.create_cube(bm, size=1)
    bmesh.ops.scale(bm, vec=size, verts=bm.verts)
    made = _solid(bm, look, min(bevel, min(size) * 0.45))
    made.location = at
    made.rotation_euler = _euler(turn)
    return made


def rod(start, end, radius, look, end_radius=None, bevel=None, sides=48):
    """A round bar or cone between two points. Its local X runs along it, like wood grain."""
    a, b = Vector(start), Vector(end)
    along = b - a
    last = radius if end_radius is None else end_radius
    bm = bmesh.new()
    bmesh.ops.create_cone(
        bm, cap_ends=True, segments=sides, radius1=radius, radius2=last, depth=along.length
    )
    bmesh.ops.rotate(bm, verts=bm.verts, matrix=Matrix.Rotation(math.pi / 2, 3, "Y"))
    limit = min(radius, along.length / 2) * 0.45
    made = _solid(bm, look, min(radius * 0.18 if bevel is None else bevel, limit))
    made.location = (a + b) / 2
    made.rotation_euler = Vector((1, 0, 0)).rotation_difference(along).to_euler()
    return made


def plate(outline, thickness, look, at=(0, 0, 0), turn=(0, 0, 0), bevel=0.05, rounded=0):
    """An outline in X and Z, thick along Y; `rounded` cuts its corners round that many times."""
    points = list(outline)
    for _ in range(rounded):
        points = _cut_corners(points)
    bm = bmesh.new()
    front = [bm.verts.new((x, -thickness / 2, z)) for x, z in points]
    back = [bm.verts.new((x, thickness / 2, z)) for x, z in points]
    bm.faces.new(front)
    bm.faces.new(back[::-1])
    for i in range(len(points)):
        j = (i + 1) % len(points)
        bm.faces.new((front[j], front[i], back[i], back[j]))
    bmesh.ops.recalc_face_normals(bm, faces=bm.faces)
    made = _solid(bm, look, min(bevel, thickness * 0.45))
    made.location = at
    made.rotation_euler = _euler(turn)
    return made


def lathe(profile, look, at=(0, 0, 0), turn=(0, 0, 0), sides=64, bevel=0.02, squash=(1, 1, 1)):
    """A profile of (radius, height) turned around Z."""
    bm = bmesh.new()
    rings = []
    for radius, z in profile:
        angles = [2 * math.pi * i / sides for i in range(sides)]
        r = max(radius, 1e-4)
        rings.append([bm.verts.new((r * math.cos(a), r * math.sin(a), z)) for a in angles])
    for low, high in zip(rings, rings[1:]):
        for i in range(sides):
            j = (i + 1) % sides
            bm.faces.new((low[i], low[j], high[j], high[i]))
    bm.faces.new(rings[0][::-1])
    bm.faces.new(rings[-1])
    bmesh.ops.scale(bm, vec=squash, verts=bm.verts)
    bmesh.ops.recalc_face_normals(bm, faces=bm.faces)
    made = _solid(bm, look, bevel)
    made.location = at
    made.rotation_euler = _euler(turn)
    return made


def ball(at, radius, look, squash=(1, 1, 1), turn=(0, 0, 0)):
    bm = bmesh.new()
    bmesh.ops.create_uvsphere(bm, u_segments=48, v_segments=24, radius=radius)
    bmesh.ops.scale(bm, vec=squash, verts=bm.verts)
    made = _solid(bm, look, 0)
    made.location = at
    made.rotation_euler = _euler(turn)
    return made


def ring(at, radius, thick, look, turn=(0, 0, 0)):
    """A flat torus, before rotation."""
    around = [
        (radius * math.cos(a), radius * math.sin(a), 0)
        for a in (2 * math.pi * i / 64 for i in range(64))
    ]
    made = tube(around, thick, look, smooth=0, closed=True)
    made.location = at
    made.rotation_euler = _euler(turn)
    return made


def tube(points, radius, look, smooth=6, closed=False):
    """A bent pipe, hose or cable through the points."""
    path = _through(points, smooth) if smooth else points
    curve = bpy.data.curves.new("tube", "CURVE")
    curve.dimensions = "3D"
    curve.bevel_depth = radius
    curve.bevel_resolution = 5
    curve.use_fill_caps = True
    spline = curve.splines.new("POLY")
    spline.points.add(len(path) - 1)
    spline.use_cyclic_u = closed
    spline.use_smooth = True
    for point, place in zip(spline.points, path):
        point.co = (*place, 1)
    curve.materials.append(look)
    return _hang(bpy.data.objects.new("tube", curve))


def sheet(rows, look, thickness=0.03):
    """Cloth through a grid of points with rows of equal length."""
    bm = bmesh.new()
    grid = [[bm.verts.new(p) for p in row] for row in rows]
    for above, below in zip(grid, grid[1:]):
        for i in range(len(above) - 1):
            bm.faces.new((above[i], above[i + 1], below[i + 1], below[i]))
    made = _solid(bm, look, 0)
    thick = made.modifiers.new("thick", "SOLIDIFY")
    thick.thickness = thickness
    return made


def words(text, at, size, look, turn=(90, 0, 0)):
    """Raised lettering, like a manufacturer's logo."""
    curve = bpy.data.curves.new("words", "FONT")
    curve.body = text
    curve.size = size
    curve.extrude = size * 0.02
    curve.align_x = curve.align_y = "CENTER"
    curve.materials.append(look)
    made = _hang(bpy.data.objects.new("words", curve))
    made.location = at
    made.rotation_euler = _euler(turn)
    return made


def wheel(at, radius, width, tire, hub, axis="Y", spokes=0):
    """A tire with its tread, and a hub or spokes."""
    turn = {"Y": (90, 0, 0), "X": (0, 90, 0)}[axis]
    w, inner = width / 2, radius * 0.66
    with placed(at, turn):
        lathe(
            [
                *[(inner, -w * 0.8), (radius * 0.9, -w), (radius, -w * 0.55)],
                *[(radius, w * 0.55), (radius * 0.9, w), (inner, w * 0.8), (inner, -w * 0.8)],
            ],
            tire,
            bevel=width * 0.06,
        )
        for i in range(36):
            a = 2 * math.pi * i / 36
            spot = (radius * math.cos(a), radius * math.sin(a), 0)
            box(spot, (radius * 0.05, radius * 0.07, width * 0.75), tire, (0, 0, math.degrees(a)), 0.01)
        if spokes:
            ring((0, 0, 0), inner, width * 0.25, hub)
            for i in range(spokes):
                a = 2 * math.pi * i / spokes
                rod((0, 0, 0), (inner * math.cos(a), inner * math.sin(a), 0), radius * 0.02, hub)
        else:
            rod((0, 0, -w * 0.6), (0, 0, w * 0.6), inner * 1.02, hub, bevel=width * 0.1)
            rod((0, 0, -w * 0.72), (0, 0, w * 0.72), inner * 0.6, hub, bevel=width * 0.08)
        rod((0, 0, -w * 1.05), (0, 0, w * 1.05), radius * 0.12, hub)


def _solid(bm, look, bevel):
    mesh = bpy.data.meshes.new("solid")
    for face in bm.faces:
        face.smooth = True
    bm.to_mesh(mesh)
    bm.free()
    mesh.materials.append(look)
    made = _hang(bpy.data.objects.new("solid", mesh))
    if bevel > 0:
        edge = made.modifiers.new("bevel", "BEVEL")
        edge.width = bevel
        edge.segments = 3
        edge.limit_method = "ANGLE"
        edge.angle_limit = math.radians(32)
        edge.harden_normals = True
    return made


def _hang(made):
    bpy.context.scene.collection.objects.link(made)
    made.parent = _root
    made["counts"] = _counts
    return made


def _euler(turn):
    return Euler([math.radians(t) for t in turn])


def _cut_corners(points):
    cut = []
    for (x, z), (u, w) in zip(points, points[1:] + points[:1]):
        cut += [(0.78 * x + 0.22 * u, 0.78 * z + 0.22 * w), (0.22 * x + 0.78 * u, 0.22 * z + 0.78 * w)]
    return cut


def _through(points, steps):
    """A Catmull-Rom spline: smooth, and through every point."""
    p = [Vector(q) for q in points]
    p = [2 * p[0] - p[1], *p, 2 * p[-1] - p[-2]]
    path = []
    for a, b, c, d in zip(p, p[1:], p[2:], p[3:]):
        for i in range(steps):
            t = i / steps
            path.append(
                0.5
                * (2 * b + (c - a) * t + (2 * a - 5 * b + 4 * c - d) * t**2 + (3 * b - a - 3 * c + d) * t**3)
            )
    return [*path, p[-2]]
