"""The style sheet that every picture of a board carries, for light and dark."""

from __future__ import annotations

from zermelo.game.board import COLOURS

STYLE = """
.zermelo-board{--ink:#1b1f24;--soft:#59636e;--paper:#fff;--light:#f0ece2;--dark:#b7a284;--felt:#3f7d5a;--frame:#2d5fa8;
--wood:#e2c48d;--mark:#f5d76e;--white:#fbfbf8;--black:#22262b;--red:#c7372f;--yellow:#e8b71a;--blue:#2d5fa8;
--green:#2f7d4f;--grey:#8a929b;--alarm:#d8342a;--glow:#39b36b;
font-family:system-ui,"Segoe UI","DejaVu Sans",Helvetica,Arial,sans-serif}
@media (prefers-color-scheme:dark){.zermelo-board{--ink:#e8ecf1;--soft:#a9b4c0;--paper:#14181d;--light:#8d8577;
--dark:#5c5243;--felt:#2b5a40;--frame:#24487d;--wood:#96794a;--mark:#a8901f;--red:#e0574e;
--blue:#5b8fdd;--green:#4fa873;--grey:#9aa2ab;--alarm:#ff6a5e;--glow:#6fe3a2}}
.zermelo-board .zb-paper{fill:var(--paper)}
.zermelo-board .zb-cell{fill:transparent;stroke:none}
.zermelo-board.zb-checkered .zb-light>.zb-cell{fill:var(--light)}
.zermelo-board.zb-checkered .zb-dark>.zb-cell{fill:var(--dark)}
.zermelo-board.zb-felt .zb-cell{fill:var(--felt);stroke:var(--ink);stroke-width:.8}
.zermelo-board.zb-holes .zb-frame{fill:var(--frame)}
.zermelo-board.zb-holes .zb-hole{fill:var(--paper)}
.zermelo-board.zb-points .zb-frame{fill:var(--wood)}
.zermelo-board.zb-hexagons .zb-cell{fill:var(--light);stroke:var(--ink);stroke-width:1}
.zermelo-board.zb-hexagons .zb-edge{fill:none;stroke-width:11;stroke-linejoin:round}
.zermelo-board .zb-square.zb-marked>.zb-cell{fill:var(--mark)}
.zermelo-board.zb-holes .zb-square.zb-marked>.zb-cell,
.zermelo-board.zb-points .zb-square.zb-marked>.zb-cell{fill:transparent}
.zermelo-board.zb-holes .zb-marked :is(.zb-hole,.zb-disc){stroke:var(--mark);stroke-width:4}
.zermelo-board .zb-check{fill:var(--alarm);opacity:.75;stroke:none}
.zermelo-board .zb-won{fill:var(--glow);opacity:.5;stroke:none}
.zermelo-board .zb-winning{fill:none;stroke:var(--glow);stroke-width:4}
.zermelo-board .zb-rule{stroke:var(--ink);stroke-width:1.6}
.zermelo-board.zb-points .zb-rule{stroke:#1b1f24;stroke-width:1}
.zermelo-board .zb-label{fill:var(--soft);font-size:13px;text-anchor:middle}
.zermelo-board .zb-line{fill:var(--ink);font-size:14px}
.zermelo-board.zb-text .zb-line{font-family:ui-monospace,Menlo,"DejaVu Sans Mono",monospace}
.zermelo-board .zb-name{fill:var(--soft);font-size:15px;text-anchor:middle;opacity:.55}
.zermelo-board .zb-number{fill:var(--ink);font-size:8.5px;opacity:.8}
.zermelo-board .zb-disc{stroke:var(--ink);stroke-width:1.2}
.zermelo-board .zb-rim{fill:none;stroke:var(--ink);stroke-width:1;opacity:.45}
.zermelo-board .zb-crown{stroke:none}
.zermelo-board .zb-stroke{fill:none;stroke-width:5;stroke-linecap:round}
.zermelo-board .zb-man{stroke:#22262b;stroke-width:1.4;stroke-linejoin:round}
.zermelo-board .zb-man .zb-inner{fill:none;stroke-linecap:round}
.zermelo-board .zb-man.zb-fill-black{stroke:#f3f1ea;stroke-width:1.1}
.zermelo-board .zb-man .zb-eye{stroke:none;fill:#22262b}
.zermelo-board .zb-man.zb-fill-black .zb-eye{fill:#f3f1ea}
.zermelo-board .zb-symbol{font-size:34px;text-anchor:middle;stroke:var(--soft);stroke-width:1;paint-order:stroke}
.zermelo-board .zb-letter{font-size:18px;font-weight:700;text-anchor:middle;stroke:none}
.zermelo-board .zb-star{fill:#1b1f24}
.zermelo-board .zb-owner{stroke:#22262b;stroke-width:.8}
.zermelo-board .zb-dot{fill:var(--mark);stroke:#22262b;stroke-width:1}
.zermelo-board .zb-tile{fill:var(--white);stroke:var(--soft);stroke-width:1.2}
.zermelo-board .zb-pip{fill:var(--black)}
.zermelo-board .zb-face{font-size:22px;font-weight:600;text-anchor:middle}
.zermelo-board .zb-end{text-anchor:end;fill:var(--soft)}
.zermelo-board .zb-groove{fill:var(--soft);opacity:.22}
.zermelo-board .zb-stake{opacity:.4}
.zermelo-board .zb-cube{font-size:19px;font-weight:700;text-anchor:middle}
.zermelo-board .zb-point.zb-pale{fill:var(--light)}
.zermelo-board .zb-point.zb-deep{fill:#9a5a3c}
.zermelo-board.zb-backgammon .zb-frame{fill:var(--wood)}
.zermelo-board.zb-backgammon .zb-bar{fill:#1b1f24;opacity:.25}
.zermelo-board.zb-backgammon .zb-marked>.zb-cell{opacity:.55}
.zermelo-board .zb-chip{fill:var(--red);stroke:none}
.zermelo-board .zb-notches{fill:none;stroke:var(--white);stroke-width:2.6;stroke-dasharray:4 4}
.zermelo-board .zb-back{fill:var(--frame);stroke:none}
.zermelo-board .zb-weave{fill:none;stroke:var(--white);stroke-width:1;opacity:.6}
""" + "".join(
    f".zermelo-board .zb-fill-{c}{{fill:var(--{c})}}.zermelo-board .zb-stroke-{c}{{stroke:var(--{c})}}\n"
    for c in COLOURS
)
