// Short tones, where the person wants them; none is a file.
import { settings } from "./settings.js";

const TONES = { turn: [660], won: [523, 784], lost: [330], clock: [880] };
let context = null;

export function play(name) {
  if (!settings().sounds) return;
  context ??= new AudioContext();
  TONES[name].forEach((pitch, at) => {
    const tone = context.createOscillator(), volume = context.createGain(), start = context.currentTime + 0.12 * at;
    tone.frequency.value = pitch;
    volume.gain.setValueAtTime(0.08, start);
    volume.gain.exponentialRampToValueAtTime(0.001, start + 0.18);
    tone.connect(volume).connect(context.destination);
    tone.start(start);
    tone.stop(start + 0.2);
  });
}
