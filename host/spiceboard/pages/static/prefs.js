// What a person chose on this device: sound, motion, light or dark.

export function pref(name, usual) {
  return localStorage.getItem(`pref-${name}`) ?? usual;
}

export function setPref(name, value) {
  localStorage.setItem(`pref-${name}`, value);
  apply();
}

export function apply() {
  document.documentElement.dataset.theme = pref("theme", "auto");
  document.documentElement.dataset.motion = pref("motion", "auto");
}

// May things move?
export function moving() {
  return pref("motion", "auto") !== "off" && !matchMedia("(prefers-reduced-motion: reduce)").matches;
}

let audio = null;

// A short tone and a buzz of the phone: it is this person's turn.
export function callPlayer() {
  if (pref("call", "on") !== "on") return;
  if (navigator.vibrate && navigator.userActivation?.hasBeenActive) navigator.vibrate([60, 60, 60]);
  if (!navigator.userActivation?.hasBeenActive) return; // browsers are silent before a first tap
  audio = audio || new AudioContext();
  const tone = audio.createOscillator();
  const level = audio.createGain();
  tone.frequency.value = 660;
  level.gain.setValueAtTime(0.08, audio.currentTime);
  level.gain.exponentialRampToValueAtTime(0.001, audio.currentTime + 0.35);
  tone.connect(level).connect(audio.destination);
  tone.start();
  tone.stop(audio.currentTime + 0.4);
}
