"""Renders the demo's pictures: python pictures.py [--small] [--only NAME,…] [--views 0,1,2] FOLDER"""

import argparse
import importlib
import os
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import bpy  # noqa: E402
from kit import begin  # noqa: E402
from scene import aim, furnish, settle  # noqa: E402

MOST_BYTES = 58_000
MODULES = ("power", "hand", "garden", "moving", "home", "outdoors", "party")

# The camera's views: three-quarter, other side, close-up.
VIEWS = [
    {"turn": -28, "rise": 17},
    {"turn": 34, "rise": 26},
    {"turn": -12, "rise": 14, "closeness": 1.75, "look": (0.4, 0.5, 0.6)},
]


def models():
    found = {}
    for name in MODULES:
        found.update(importlib.import_module(f"models.{name}").MODELS)
    return found


def render(model, view, path, small):
    build, place, own_views = model
    root = begin()
    build()
    settle(root)
    furnish(place)
    aim(root, **{**VIEWS[view], **own_views.get(view, {})})
    scene = bpy.context.scene
    scene.render.engine = "CYCLES"
    scene.cycles.samples = 20
    scene.cycles.use_adaptive_sampling = True
    scene.cycles.adaptive_threshold = 0.04
    scene.cycles.use_denoising = True
    scene.cycles.max_bounces = 4
    scene.cycles.diffuse_bounces = 2
    scene.cycles.caustics_reflective = scene.cycles.caustics_refractive = False
    scene.render.threads_mode = "FIXED"
    scene.render.threads = 1
    # Renders the cover larger, because every screen shows it; the other pictures appear one at a time.
    large = (960, 720) if view == 0 else (720, 540)
    scene.render.resolution_x, scene.render.resolution_y = (320, 240) if small else large
    scene.view_settings.view_transform = "AgX"
    scene.view_settings.look = "AgX - Medium High Contrast"
    scene.view_settings.exposure = 0.1
    scene.render.image_settings.file_format = "PNG" if small else "WEBP"
    bpy.ops.render.render()
    # Grass compresses badly: lowers the quality until the file is small enough to commit.
    for quality in range(80, 20, -8):
        scene.render.image_settings.quality = quality
        bpy.data.images["Render Result"].save_render(path, scene=scene)
        if os.path.getsize(path) <= MOST_BYTES:
            break


def main():
    options = argparse.ArgumentParser()
    options.add_argument("folder")
    options.add_argument("--small", action="store_true", help="quickly, to look at a model")
    options.add_argument("--only", default="")
    options.add_argument("--views", default="0,1,2")
    given = options.parse_args()
    os.makedirs(given.folder, exist_ok=True)
    only = set(filter(None, given.only.split(",")))
    for view in map(int, given.views.split(",")):
        for name, model in models().items():
            path = os.path.join(given.folder, f"{name}-{view + 1}.{'png' if given.small else 'webp'}")
            if (only and name not in only) or (not only and os.path.exists(path)):
                continue
            began = time.time()
            render(model, view, path, given.small)
            print(f"{path} {time.time() - began:.0f} s", file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
