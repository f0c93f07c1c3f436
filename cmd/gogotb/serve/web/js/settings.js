// What the visitor has chosen, kept from one visit to the next.

const defaults = {
  language: "",
  theme: "", // "": as the system has it
  pieces: "japanese",
  notation: "", // "": as the language has it
  repetition: "draw",
  firstPlayer: "b",
  flipped: false,
  arrows: true, // for the best moves
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

// change sets choices and keeps them, beside what other windows have kept.
export function change(choices) {
  Object.assign(settings, choices);
  try {
    localStorage.setItem(key, JSON.stringify({ ...read(), ...choices }));
  } catch {
    // then they hold for this visit
  }
}

const repetitions = ["draw", "first-player-loses"];

// knowsRule tells whether the rule of repetition in the parameters of a link is one of those that there are.
export function knowsRule(parameters) {
  return [null, ...repetitions].includes(parameters.get("repetition")) && [null, "b", "w"].includes(parameters.get("first_player"));
}

// takeRule takes the rule of repetition from the parameters of a link, for this visit: who gets a link sees what the
// sender saw. writeRule writes it, as far as it is not the usual one.
export function takeRule(parameters) {
  settings.repetition = repetitions.find((r) => r === parameters.get("repetition")) ?? defaults.repetition;
  settings.firstPlayer = parameters.get("first_player") === "w" ? "w" : defaults.firstPlayer;
}

export function writeRule() {
  const repetition = settings.repetition === defaults.repetition ? "" : `&repetition=${settings.repetition}`;
  return repetition + (settings.firstPlayer === defaults.firstPlayer ? "" : `&first_player=${settings.firstPlayer}`);
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
