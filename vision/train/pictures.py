"""From flat faces to what a phone sees: perspective, cloth, light, blur, noise, JPEG."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

    Picture = NDArray[np.uint8]
    Points = NDArray[np.float32]


def load_textures(folder: Path) -> list[Picture]:
    """Table textures of a folder (jpg)."""
    return [np.asarray(cv2.imread(str(p)), np.uint8) for p in sorted(folder.glob("*.jpg"))]


def table(rng: np.random.Generator, size: tuple[int, int], textures: list[Picture]) -> Picture:
    """A table of `size` (width, height): a photographed texture, plain, noise, stripes, boards, checks or dots."""
    width, height = size
    kind = rng.choice(["texture", "plain", "noise", "boards", "checks", "dots"], p=[0.2, 0.2, 0.1, 0.1, 0.15, 0.25])
    if kind == "texture" and textures:
        source = textures[int(rng.integers(len(textures)))]
        scale = max(width / source.shape[1], height / source.shape[0], 0.2) * rng.uniform(1.0, 1.6)
        kind_of = cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
        source = np.asarray(cv2.resize(source, None, fx=scale, fy=scale, interpolation=kind_of), np.uint8)
        top, left = rng.integers(source.shape[0] - height + 1), rng.integers(source.shape[1] - width + 1)
        image: NDArray[np.float32] = np.asarray(source[top : top + height, left : left + width], np.float32)
        if rng.random() < 0.5:
            image = image * rng.uniform(0.7, 1.3, 3).astype(np.float32)
        return np.asarray(np.clip(image, 0, 255), np.uint8)
    base = _colour(rng)
    image = np.empty((height, width, 3), np.float32)
    image[:] = base
    other = np.clip(base + rng.normal(0, 45, 3), 0, 255) if rng.random() < 0.6 else _colour(rng)
    mask = _pattern(rng, str(kind), width, height)
    image += mask[..., None] * (other - base)
    grain = cv2.GaussianBlur(_grain(rng, (height, width), rng.uniform(0, 9)), (0, 0), rng.uniform(0.4, 1.5))
    return np.clip(image + grain[..., None], 0, 255).astype(np.uint8)


def _grain(rng: np.random.Generator, shape: tuple[int, ...], sigma: float) -> NDArray[np.float32]:
    """Normal noise of `shape`."""
    return np.asarray(rng.standard_normal(shape, np.float32) * np.float32(sigma), np.float32)


def _colour(rng: np.random.Generator) -> NDArray[np.float64]:
    if rng.random() < 0.35:  # white and light tables are common and hard
        return np.asarray(np.clip(rng.uniform(170, 250) + rng.normal(0, 8, 3), 0, 255))
    return rng.uniform(0, 255, 3) * rng.uniform(0.3, 1.0)


def _pattern(rng: np.random.Generator, kind: str, width: int, height: int) -> NDArray[np.float32]:
    ys, xs = np.mgrid[0:height, 0:width].astype(np.float32)
    turn, period = rng.uniform(0, np.pi), float(np.exp(rng.uniform(np.log(8), np.log(150))))
    u = (xs * np.cos(turn) + ys * np.sin(turn)) / period
    v = (-xs * np.sin(turn) + ys * np.cos(turn)) / period
    if kind == "noise":
        small = rng.random((max(2, int(height / period) + 2), max(2, int(width / period * 0.3) + 2))).astype(np.float32)
        return np.asarray(cv2.resize(small, (width, height), interpolation=cv2.INTER_CUBIC), np.float32)
    if kind == "boards":
        rows = rng.random(64).astype(np.float32)
        edge = (u % 1 < 0.04).astype(np.float32)
        return np.asarray(rows[np.floor(u).astype(int) % 64] + edge, np.float32)
    if kind == "checks":
        return np.asarray((np.floor(u) + np.floor(v)) % 2, np.float32)
    if kind == "dots":
        radius = rng.uniform(0.15, 0.4)
        return np.asarray((u % 1 - 0.5) ** 2 + (v % 1 - 0.5) ** 2 < radius**2, np.float32)
    return np.zeros((height, width), np.float32)


def project(
    rng: np.random.Generator, aspect: float, long_px: float, centre: tuple[float, float], tilt: float
) -> Points:
    """Corners of a card lying at a random angle, seen `tilt` radians off the vertical; clockwise from its top left."""
    spin, azimuth = rng.uniform(0, 2 * np.pi), rng.uniform(0, 2 * np.pi)
    return place(aspect, long_px, centre, spin, (tilt, azimuth, rng.uniform(0.0, 0.25)))


def place(
    aspect: float, long_px: float, centre: tuple[float, float], spin: float, view: tuple[float, float, float]
) -> Points:
    """Corners for a given spin and view (tilt, azimuth, strength of perspective: card length / distance)."""
    tilt, azimuth, strength = view
    half = np.array([[-0.5 / aspect, -0.5], [0.5 / aspect, -0.5], [0.5 / aspect, 0.5], [-0.5 / aspect, 0.5]])
    rotate = np.array([[np.cos(spin), -np.sin(spin)], [np.sin(spin), np.cos(spin)]])
    flat = half @ rotate.T
    towards = np.array([np.cos(azimuth), np.sin(azimuth)])
    along = flat @ towards
    squeezed = flat + np.outer(along * (np.cos(tilt) - 1), towards)
    depth = 1 + along * np.sin(tilt) * strength
    return np.asarray(squeezed / depth[:, None] * long_px + np.asarray(centre), np.float32)


def paste(scene: Picture, face: Picture, corners: Points, rng: np.random.Generator) -> NDArray[np.bool_]:
    """Lay `face` (with alpha) onto `scene` in place, with a soft shadow; returns which pixels it covers."""
    covered = np.zeros(scene.shape[:2], np.bool_)
    lowest = np.clip(np.floor(corners.min(axis=0)).astype(int) - 12, 0, None)
    highest = np.minimum(np.ceil(corners.max(axis=0)).astype(int) + 12, [scene.shape[1], scene.shape[0]])
    if (highest - lowest).min() < 2:
        return covered
    here = (slice(lowest[1], highest[1]), slice(lowest[0], highest[0]))
    part = scene[here].astype(np.float32)
    warped = _warp(face, corners - lowest.astype(np.float32), (part.shape[1], part.shape[0]))
    alpha = warped[..., 3].astype(np.float32) / 255
    if rng.random() < 0.8:
        shift = np.array([[1, 0, rng.normal(0, 2.5)], [0, 1, rng.normal(0, 2.5)]], np.float32)
        shade = cv2.warpAffine(alpha, shift, (part.shape[1], part.shape[0]))
        shade = cv2.GaussianBlur(shade, (0, 0), float(rng.uniform(0.6, 4))) * rng.uniform(0.0, 0.55)
        part *= 1 - shade[..., None]
    scene[here] = np.clip(part * (1 - alpha[..., None]) + warped[..., :3], 0, 255).astype(np.uint8)
    covered[here] = alpha > 0.5
    return covered


def _warp(face: Picture, corners: Points, size: tuple[int, int]) -> Picture:
    """The face, its colours times its alpha, at these corners of an empty picture."""
    shrink = face.shape[0] / max(8.0, float(np.linalg.norm(corners[3] - corners[0])))
    if shrink > 1.2:  # avoid aliasing: the warp itself only samples two by two
        face = np.asarray(cv2.resize(face, None, fx=1 / shrink, fy=1 / shrink, interpolation=cv2.INTER_AREA), np.uint8)
    fh, fw = face.shape[:2]
    solid = face.copy()
    solid[..., :3] = cv2.multiply(face[..., :3], cv2.merge([face[..., 3]] * 3), scale=1 / 255)
    source = np.array([[0, 0], [fw, 0], [fw, fh], [0, fh]], np.float32) - 0.5
    matrix = cv2.getPerspectiveTransform(source, corners.astype(np.float32))
    return np.asarray(cv2.warpPerspective(solid, matrix, size, flags=cv2.INTER_LINEAR), np.uint8)


def clutter(rng: np.random.Generator, scene: Picture) -> None:
    """A thing that is no card: a mug, a phone, a hand-coloured blob, a chip, a cable; in place."""
    height, width = scene.shape[:2]
    at = (int(rng.integers(width)), int(rng.integers(height)))
    size = int(max(width, height) * rng.uniform(0.03, 0.25))
    skin = (int(rng.integers(60, 190)), int(rng.integers(90, 200)), int(rng.integers(130, 240)))
    colour = skin if rng.random() < 0.4 else tuple(int(c) for c in rng.integers(0, 256, 3))
    kind = int(rng.integers(5))
    if kind == 0:
        cv2.circle(scene, at, size // 2, colour, -1, cv2.LINE_AA)
        cv2.circle(scene, at, int(size * 0.4), tuple(int(c) for c in rng.integers(0, 256, 3)), -1, cv2.LINE_AA)
    elif kind == 1:
        box = cv2.boxPoints((at, (size, size * rng.uniform(0.3, 1.1)), rng.uniform(0, 180)))
        cv2.fillConvexPoly(scene, box.astype(np.int32), colour, cv2.LINE_AA)
        inner = cv2.boxPoints((at, (size * 0.8, size * 0.4), rng.uniform(0, 180)))
        cv2.polylines(scene, [inner.astype(np.int32)], True, (20, 20, 20), 2, cv2.LINE_AA)
    elif kind == 2:
        for _ in range(4):
            end = (at[0] + int(rng.normal(0, size)), at[1] + int(rng.normal(0, size)))
            cv2.line(scene, at, end, skin, max(3, size // 5), cv2.LINE_AA)
    elif kind == 3:
        points = (np.cumsum(rng.normal(0, size / 4, (12, 2)), axis=0) + at).astype(np.int32)
        cv2.polylines(scene, [points], False, colour, max(2, size // 20), cv2.LINE_AA)
    else:
        axes = (size // 2, max(2, int(size * rng.uniform(0.2, 0.5))))
        cv2.ellipse(scene, at, axes, rng.uniform(0, 180), 0, 360, colour, -1, cv2.LINE_AA)


def hand(rng: np.random.Generator, scene: Picture, long_px: float) -> None:
    """A hand with its arm, as large as hands are beside a card of this length, in place: fingers, sleeve, shadow."""
    height, width = scene.shape[:2]
    palm = rng.uniform(0, 1, 2) * (width, height)
    turn = rng.uniform(0, 2 * np.pi)
    ahead = np.array([np.cos(turn), np.sin(turn)])
    beside = np.array([-ahead[1], ahead[0]])
    size = long_px * rng.uniform(0.85, 1.15)
    limbs = np.zeros((height, width), np.uint8)

    def limb(start: NDArray[np.float64], end: NDArray[np.float64], thick: float) -> None:
        points = [(int(v[0] * 16), int(v[1] * 16)) for v in (start, end)]
        cv2.line(limbs, points[0], points[1], 255, max(2, round(thick)), cv2.LINE_AA, 4)

    elbow = palm - ahead * 4 * max(width, height)
    limb(palm, elbow, size * rng.uniform(0.55, 0.75))
    limb(palm, palm + ahead * size * 0.3, size * rng.uniform(0.7, 0.95))
    spread, bent = rng.uniform(0.0, 0.35), rng.uniform(0.25, 0.95)
    for k in np.linspace(-1.5, 1.5, 4):
        root = palm + ahead * size * 0.35 + beside * k * size * 0.2
        tip = root + (ahead + beside * k * spread) * size * bent * rng.uniform(0.8, 1.0)
        limb(root, tip, size * rng.uniform(0.17, 0.22))
    side = rng.choice([-1.0, 1.0])
    thumb = beside * side * 0.65 + ahead * rng.uniform(-0.1, 0.6)
    limb(palm + beside * side * size * 0.3, palm + thumb * size, size * 0.23)
    _shade(rng, scene, limbs, size)
    red = rng.uniform(50, 245)
    skin = red * np.array([rng.uniform(0.4, 0.85), rng.uniform(0.55, 0.9), 1.0])
    round_ = np.minimum(1.0, cv2.distanceTransform((limbs > 127).astype(np.uint8), cv2.DIST_L2, 3) / (0.1 * size))
    colour = skin * (0.62 + 0.38 * round_[..., None])
    ys, xs = np.mgrid[0:height, 0:width]
    behind = (palm[0] - xs) * ahead[0] + (palm[1] - ys) * ahead[1]
    if rng.random() < 0.7:
        cloth = rng.uniform(0, 255, 3) * (0.7 + 0.3 * round_[..., None])
        colour = np.where((behind > size * rng.uniform(0.7, 2.0))[..., None], cloth, colour)
    alpha = cv2.GaussianBlur(limbs, (0, 0), 0.7)[..., None] / np.float32(255)
    scene[:] = np.clip(scene * (1 - alpha) + colour * alpha, 0, 255).astype(np.uint8)


def _shade(rng: np.random.Generator, scene: Picture, solid: Picture, size: float) -> None:
    """The shadow of something above the table, in place."""
    shift = np.array([[1, 0, rng.normal(0, 0.25) * size], [0, 1, rng.normal(0, 0.25) * size]], np.float32)
    fallen = cv2.warpAffine(solid, shift, solid.shape[::-1])
    soft = cv2.GaussianBlur(fallen, (0, 0), float(rng.uniform(0.03, 0.25)) * size)
    scene[:] = (scene * (1 - rng.uniform(0.1, 0.6) * soft[..., None] / np.float32(255))).astype(np.uint8)


def light(rng: np.random.Generator, scene: Picture) -> Picture:
    """Lamp, window, shadow edges, glare, colour cast, exposure."""
    height, width = scene.shape[:2]
    ys, xs = np.mgrid[0:height, 0:width].astype(np.float32)
    ys, xs = ys / max(height, width), xs / max(height, width)
    image = scene.astype(np.float32)
    turn = rng.uniform(0, 2 * np.pi)
    slope = (xs - 0.5) * np.cos(turn) + (ys - 0.5) * np.sin(turn)
    gain = 1 + slope * rng.uniform(0, 0.9)
    if rng.random() < 0.3:  # a hard or soft shadow edge across the picture
        turn, soft = rng.uniform(0, 2 * np.pi), rng.uniform(0.005, 0.15)
        edge = (xs - rng.uniform(0.2, 0.8)) * np.cos(turn) + (ys - rng.uniform(0.2, 0.8)) * np.sin(turn)
        gain = gain * (1 - rng.uniform(0.2, 0.7) / (1 + np.exp(-edge / soft)))
    image *= gain[..., None]
    if rng.random() < 0.25:
        radius = rng.uniform(0.03, 0.3)
        spot = np.exp(-((xs - rng.random()) ** 2 + (ys - rng.random()) ** 2) / radius**2)
        image += spot[..., None] * rng.uniform(30, 220)
    cast = np.exp(rng.normal(0, 0.13, 3)) if rng.random() < 0.6 else np.exp(rng.normal(0, 0.03, 3))
    image *= cast * np.exp(rng.normal(-0.12, 0.28))
    image = 255 * np.clip(image / 255, 0, 1) ** np.exp(rng.normal(0, 0.2))
    if rng.random() < 0.3:  # washed out: haze lifts black
        image = image * rng.uniform(0.6, 0.95) + rng.uniform(0, 60)
    if rng.random() < 0.4:
        grey = image.mean(axis=2, keepdims=True)
        image = grey + (image - grey) * rng.uniform(0.35, 1.4)
    return np.asarray(np.clip(image, 0, 255), np.uint8)


def camera(rng: np.random.Generator, scene: Picture, long_px: float) -> Picture:
    """Defocus, motion (a share of the card's `long_px` that people could still read), sharpening, noise, JPEG."""
    image = scene
    if rng.random() < 0.45:
        sigma = rng.uniform(0.3, max(0.5, long_px * 0.011))
        image = np.asarray(cv2.GaussianBlur(image, (0, 0), sigma), np.uint8)
    if rng.random() < 0.15:
        length = int(rng.integers(1, max(2, round(long_px * 0.025)) + 1))
        kernel = np.zeros((length * 2 + 1, length * 2 + 1), np.float32)
        turn = rng.uniform(0, np.pi)
        reach = np.array([np.cos(turn), np.sin(turn)]) * length
        start, end = (length - reach).round().astype(int), (length + reach).round().astype(int)
        cv2.line(kernel, start.tolist(), end.tolist(), 1.0)
        image = np.asarray(cv2.filter2D(image, -1, kernel / kernel.sum()), np.uint8)
    if rng.random() < 0.3:
        soft = cv2.GaussianBlur(image, (0, 0), 1.2)
        image = np.asarray(cv2.addWeighted(image, 1.7, soft, -0.7, 0), np.uint8)
    sigma = rng.uniform(0, 4) if rng.random() < 0.8 else rng.uniform(4, 14)
    noisy = image + _grain(rng, image.shape, sigma)
    image = np.clip(noisy, 0, 255).astype(np.uint8)
    if rng.random() < 0.6:
        ok, data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(35, 96))])
        if ok:
            image = np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8)
    return image
