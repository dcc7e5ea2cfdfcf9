// The browser's own voice says each ruling, without any word that could be heard as a call; the server is told how long it takes.
const KEPT = "referee-voice";
let on = false;
let until = 0;

try {
  on = localStorage.getItem(KEPT) === "on";
} catch {
  // private windows keep nothing
}

export const voiceOn = () => on;
export const speaking = () => performance.now() < until;

export function toggleVoice() {
  on = !on;
  try {
    localStorage.setItem(KEPT, on ? "on" : "off");
  } catch {
    // as above
  }
  if (!on) {
    globalThis.speechSynthesis?.cancel();
  }
}

export function speak(text, language, told) {
  if (!on || !text || typeof SpeechSynthesisUtterance !== "function") {
    return;
  }
  const said = new SpeechSynthesisUtterance(text);
  said.lang = { en: "en-GB", de: "de-DE", es: "es-ES" }[language] ?? language;
  said.rate = 1.1;
  const seconds = 1 + text.length / 14;
  said.onstart = () => {
    until = performance.now() + 1000 * seconds;
    told(seconds);
  };
  speechSynthesis.cancel();
  speechSynthesis.speak(said);
}
