const NOTES = [
  { hertz: 659.25, at: 0 },
  { hertz: 880, at: 0.14 },
];
const SECONDS = 0.5;

let audio: AudioContext | null = null;

/** Two soft notes, made here so that no file has to be fetched. */
export function chime(): void {
  audio ??= new AudioContext();
  // Browsers keep sound back until the person has touched the page.
  if (audio.state === 'suspended') void audio.resume();
  for (const { hertz, at } of NOTES) {
    const start = audio.currentTime + at;
    const tone = audio.createOscillator();
    const volume = audio.createGain();
    tone.frequency.value = hertz;
    volume.gain.setValueAtTime(0.0001, start);
    volume.gain.exponentialRampToValueAtTime(0.15, start + 0.02);
    volume.gain.exponentialRampToValueAtTime(0.0001, start + SECONDS);
    tone.connect(volume).connect(audio.destination);
    tone.start(start);
    tone.stop(start + SECONDS);
  }
}
