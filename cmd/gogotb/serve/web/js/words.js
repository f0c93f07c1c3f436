// The page's texts in the language chosen.

import { english } from "./english.js";
import { japanese } from "./japanese.js";
import { settings } from "./settings.js";

const languages = { en: english, ja: japanese };

// t is a text; some take values, {n: 3}.
export function t(name, values) {
  const text = languages[settings.language][name];
  return typeof text === "function" ? text(values) : text;
}

export const sideName = (side) => t(side === "b" ? "sente" : "gote");

// setName is a material set in words.
export const setName = (set) => (set === "none" ? t("kingsAlone") : set);

// number is a number as people read it.
export const number = (n) => n.toLocaleString(settings.language);

// translate fills in the texts of the elements that are in the page from the start.
export function translate() {
  document.documentElement.lang = settings.language;
  for (const element of document.querySelectorAll("[data-t]")) element.textContent = t(element.dataset.t);
  for (const element of document.querySelectorAll("[data-t-label]")) {
    element.setAttribute("aria-label", t(element.dataset.tLabel));
    if (element.matches("button")) element.title = t(element.dataset.tLabel);
  }
}

// refill puts other children into a panel. Who is there with the keyboard stays there: on the element with
// the same id, or else on the first button, or the one that is meant to be pressed.
export function refill(panel, ...children) {
  const focused = panel.querySelector(":focus-visible");
  panel.replaceChildren(...children.filter((c) => c !== null));
  if (!focused) return;
  const same = focused.id && document.getElementById(focused.id);
  (same && !same.disabled ? same : panel.querySelector("button.primary:not(:disabled)") ?? panel.querySelector("button:not(:disabled)"))?.focus({ preventScroll: true });
}

// disable makes buttons of a group useless, or useful again, by id. Who is on one with the keyboard goes on from the
// first that is of use.
export function disable(buttons, group) {
  const left = Object.keys(buttons).find((id) => buttons[id] && document.getElementById(id).matches(":focus-visible"));
  for (const [id, useless] of Object.entries(buttons)) document.getElementById(id).disabled = useless;
  if (left) group.querySelector("button:not(:disabled)")?.focus();
}

// make builds an HTML element: make("p", {class: "x"}, "text", child). Functions are listeners: {onclick}.
export function make(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (typeof value === "function") element[key] = value;
    else if (typeof value === "boolean") element.toggleAttribute(key, value);
    else if (value !== undefined) element.setAttribute(key, value);
  }
  element.append(...children.filter((c) => c !== null && c !== undefined));
  return element;
}
