// What the visitor has chosen, kept from one visit to the next.

const defaults = {
  language: "",
  theme: "", // "": as the system has it
  pieces: "japanese",
  notation: "", // "": as the language has it
  repetition: "draw",
  firstPlayer: "b",
  flipped: false,
};
const key = "gogotb";

function read() {
  try {
    return JSON.parse(localStorage.getItem(key)) ?? {};
  } catch {
    return {}; // no storage allowed, or nothing of ours in it
  }
}

export const settings = { ...defaults, ...read() };
settings.language ||= navigator.language.startsWith("ja") ? "ja" : "en";

// change sets choices and keeps them.
export function change(choices) {
  Object.assign(settings, choices);
  try {
    localStorage.setItem(key, JSON.stringify(settings));
  } catch {
    // then they hold for this visit
  }
}

export const notation = () => settings.notation || (settings.language === "ja" ? "japanese" : "western");

// applyTheme makes the choice of light or dark visible.
export function applyTheme() {
  document.documentElement.dataset.theme = settings.theme;
}

// nextTheme goes from what is seen to the other, and from there back to the system's.
export function nextTheme() {
  const dark = matchMedia("(prefers-color-scheme: dark)").matches;
  change({ theme: settings.theme ? "" : dark ? "light" : "dark" });
  applyTheme();
}
