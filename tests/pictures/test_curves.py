"""Curves on logarithmic scales."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree

import pytest

from zermelo.pictures.curves import Axis, draw_curves


def test_a_power_of_the_number_of_iterations_is_a_straight_line() -> None:
    text = draw_curves("x < y", {"1/t": [(t, 1 / t) for t in (1, 10, 100)], "zero": [(1, 0.0)]}, "t", "error")
    root = ElementTree.fromstring(text)
    drawn = [each.get("d") for each in root.iter("{http://www.w3.org/2000/svg}path")]
    assert len(drawn) == 1  # 0 has no place on a logarithmic scale
    points = [tuple(map(float, point.split())) for point in drawn[0][1:].split(" L")]
    assert points[1] == pytest.approx(((points[0][0] + points[2][0]) / 2, (points[0][1] + points[2][1]) / 2), abs=0.1)
    assert root.find("{http://www.w3.org/2000/svg}title").text == "x < y"


def test_scales() -> None:
    assert [name for _, name in Axis.around("x", [0.02, 30]).ticks()] == ["0.01", "0.1", "1", "10", "100"]
    assert Axis.around("x", [5]).high == 10
    assert Axis.around("x", [0, 1], logarithmic=False).share(0.25) == 0.25
    with pytest.raises(ValueError, match="nothing to draw"):
        draw_curves("", {"a": [(1, 0)]}, "x", "y")
