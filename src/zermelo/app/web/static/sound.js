// A small click for every move, made by the browser. Off unless the user switches it on.
import { html, useState } from "/static/preact.js";

const KEY = "zermelo-sound";
const TONES = { move: [320, 0.05], capture: [210, 0.09], end: [520, 0.22] }; // frequency in hertz, seconds
let context = null;

export const isOn = () => {
  try {
    return localStorage.getItem(KEY) === "on";
  } catch {
    return false; // the browser keeps nothing for this page
  }
};

export function playSound(kind) {
  if (!isOn()) return;
  context ??= new AudioContext();
  const [frequency, seconds] = TONES[kind];
  const [tone, volume, now] = [context.createOscillator(), context.createGain(), context.currentTime];
  tone.type = "triangle";
  tone.frequency.setValueAtTime(frequency, now);
  tone.frequency.exponentialRampToValueAtTime(frequency / 2, now + seconds);
  volume.gain.setValueAtTime(0.25, now);
  volume.gain.exponentialRampToValueAtTime(0.001, now + seconds);
  tone.connect(volume).connect(context.destination);
  tone.start(now);
  tone.stop(now + seconds);
}

export function SoundSwitch() {
  const [on, setOn] = useState(isOn());
  const change = () => {
    try {
      localStorage.setItem(KEY, on ? "off" : "on");
    } catch {
      return;
    }
    setOn(!on);
    if (!on) playSound("move");
  };
  return html`<button class=${on ? "on" : ""} aria-pressed=${on} title=${`Sound is ${on ? "on" : "off"}`} onClick=${change}>Sound</button>`;
}
