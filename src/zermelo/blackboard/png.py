"""Trees and traces as PNG, by Pillow, which is an optional extra: `pip install 'zermelo[png]'`."""

from __future__ import annotations

import io
from typing import Any

from zermelo.blackboard.figure import Figure, Group, Line, Shape, Words, figure
from zermelo.blackboard.layout import BUDGET

INK, SOFT, FAINT, PAPER, FILL, HOT, NOW = "#1b1f24", "#59636e", "#9aa4af", "#ffffff", "#e8f0fb", "#b42318", "#ffe08a"
FONTS = ("DejaVuSans{}.ttf", "LiberationSans-{}.ttf", "Arial{}.ttf", "arial{}.ttf", "Helvetica{}.ttc")
PIXELS = 100_000_000


def draw(drawing: Any, show: str | None = None, *, budget: int = BUDGET, title: str = "", scale: float = 2.0) -> bytes:
    """A tree, a trace (after its last step) or a snapshot as the bytes of a PNG file; `scale` pixels to a unit."""
    try:
        from PIL import Image, ImageDraw, PngImagePlugin
    except ImportError:
        raise ImportError("PNG pictures need Pillow, which is not installed: pip install 'zermelo[png]'") from None
    made = figure(drawing, show, budget, title)
    width, height = round(made.width * scale), round(made.height * scale)
    if not scale > 0 or width * height > PIXELS:
        raise ValueError(f"a picture of {width} × {height} pixels: choose a scale above 0, or a smaller one or budget")
    image = Image.new("RGB", (max(1, width), max(1, height)), PAPER)
    _Painter(ImageDraw.Draw(image), scale).paint(made)
    words = PngImagePlugin.PngInfo()
    words.add_itxt("Title", made.title)
    words.add_itxt("Description", made.description)
    buffer = io.BytesIO()
    image.save(buffer, "PNG", pnginfo=words)
    return buffer.getvalue()


class _Painter:
    """Paints a figure with Pillow's lines, which know no dashes."""

    def __init__(self, canvas: Any, scale: float):
        self.canvas, self.scale = canvas, scale
        self._fonts: dict[tuple[float, bool], Any] = {}

    def paint(self, made: Figure) -> None:
        for group in made.groups:
            for item in group.items:
                if isinstance(item, Line):
                    self._line(item, group)
                elif isinstance(item, Shape):
                    self._shape(item, group)
                else:
                    self._words(item, group)

    def _line(self, item: Line, group: Group) -> None:
        ends = ((item.x1, item.y1), (item.x2, item.y2))
        if item.kind == "strike":
            self._stroke(ends, HOT, 2.0, False)
        elif "cut" in group.states:
            self._stroke(ends, HOT, 1.4, True)
        elif "unseen" in group.states:
            self._stroke(ends, FAINT, 1.4, True)
        elif "best" in group.states:
            self._stroke(ends, INK, 4.0, False)
        elif "current" in group.states:
            self._stroke(ends, INK, 2.4, False)
        else:
            self._stroke(ends, SOFT, 1.4, False)

    def _shape(self, item: Shape, group: Group) -> None:
        states, s = group.states, self.scale
        unseen = "unseen" in states
        width = 3.4 if "current" in states else 3.0 if "best" in states else 1.6
        fill = NOW if "current" in states else PAPER if unseen else INK if item.kind == "leaf" else FILL
        colour = FAINT if unseen else INK
        if item.radius:
            (x, y), r = item.points[0], item.radius
            box = [(x - r) * s, (y - r) * s, (x + r) * s, (y + r) * s]
            self.canvas.ellipse(box, fill=fill)
            for start in range(0, 360, 20 if unseen else 360):
                self.canvas.arc(box, start, start + (10 if unseen else 360), fill=colour, width=round(width * s))
            return
        if item.kind == "fold":
            fill, colour, width, unseen = PAPER, SOFT, 1.2, False
        self.canvas.polygon([(x * s, y * s) for x, y in item.points], fill=fill)
        for a, b in zip(item.points, (*item.points[1:], item.points[0]), strict=True):
            self._stroke((a, b), colour, width, unseen)

    def _stroke(self, ends: tuple[tuple[float, float], ...], colour: str, width: float, dashed: bool) -> None:
        (x1, y1), (x2, y2) = ends
        length = ((x2 - x1) ** 2 + (y2 - y1) ** 2) ** 0.5 or 1.0
        dashes = max(1, round(length / 8)) if dashed else 1
        on = 0.5 if dashed else 1.0
        s = self.scale
        for i in range(dashes):
            a, b = i / dashes, (i + on) / dashes
            start = ((x1 + a * (x2 - x1)) * s, (y1 + a * (y2 - y1)) * s)
            end = ((x1 + b * (x2 - x1)) * s, (y1 + b * (y2 - y1)) * s)
            self.canvas.line([start, end], fill=colour, width=max(1, round(width * s)))

    def _words(self, item: Words, group: Group) -> None:
        bold = item.kind == "value"
        font, knows_symbols = self._font(item.size, bold)
        text = item.text if knows_symbols else _plain(item.text)
        anchor = {"start": "ls", "middle": "ms", "end": "rs"}[item.anchor]
        soft = item.kind in ("note", "hidden") or (item.kind == "leaf" and "unseen" in group.states)
        place = (item.x * self.scale, item.y * self.scale)
        if item.kind == "label":
            box = self.canvas.textbbox(place, text, font=font, anchor=anchor)
            self.canvas.rectangle(box, fill=PAPER)
        self.canvas.text(place, text.replace("\n", " "), fill=SOFT if soft else INK, font=font, anchor=anchor)

    def _font(self, size: float, bold: bool) -> tuple[Any, bool]:
        if (size, bold) not in self._fonts:
            self._fonts[size, bold] = _load(size * self.scale, bold)
        found: tuple[Any, bool] = self._fonts[size, bold]
        return found


def _load(size: float, bold: bool) -> tuple[Any, bool]:
    """A font of this machine, and whether it knows the signs of mathematics; Pillow's own does not."""
    from PIL import ImageFont

    for pattern in FONTS:
        style = ("Bold" if bold else "Regular") if "-" in pattern else ("-Bold" if "DejaVu" in pattern else "bd") * bold
        try:
            return ImageFont.truetype(pattern.format(style), size), True
        except OSError:
            continue
    return ImageFont.load_default(size), False


def _plain(text: str) -> str:
    for sign, plain in (("−", "-"), ("∞", "inf"), ("≤", "<="), ("≥", ">="), ("≈", "~")):
        text = text.replace(sign, plain)
    return text
