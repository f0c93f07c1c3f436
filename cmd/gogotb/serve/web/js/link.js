// Links to positions: opened in another tab they are addresses like any other, pressed here they do what is wanted.

import { format } from "./sfen.js";
import { make } from "./words.js";

// linkTo is a link to a position that calls go when it is pressed, with a pointer, Enter or, like a button, Space.
export function linkTo(app, position, attributes, go, ...children) {
  return make("a", {
    ...attributes,
    href: app.address(format(position)),
    onclick: (event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
      event.preventDefault();
      go();
    },
    onkeydown: (event) => {
      if (event.key !== " ") return;
      event.preventDefault();
      go();
    },
  }, ...children);
}
