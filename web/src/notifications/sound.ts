const NOTES = [
  { hertz: 659.25, at: 0 },
  { hertz: 880, at: 0.14 },
];
const NOTE_SECONDS = 0.5;

let audio: AudioContext | null = null;

/** Plays two soft notes, generated so that no file has to be loaded. */
export function playSound(): void {
  audio ??= new AudioContext();
  // Browsers block sound until the user interacts with the page.
  if (audio.state === 'suspended') void audio.resume();
  for (const { hertz, at } of NOTES) {
    const start = audio.currentTime + at;
    const tone = audio.createOscillator();
    const volume = audio.createGain();
    tone.frequency.value = hertz;
    volume.gain.setValueAtTime(0.0001, start);
    volume.gain.exponentialRampToValueAtTime(0.15, start + 0.02);
    volume.gain.exponentialRampToValueAtTime(0.0001, start + NOTE_SECONDS);
    tone.connect(volume).connect(audio.destination);
    tone.start(start);
    tone.stop(start + NOTE_SECONDS);
  }
}
