// Steps through a game by the wheel over the board, and by a finger that swipes across it.

const notch = 90; // of a wheel, in pixels
const row = 30; // of a wheel that counts lines
const far = 45; // pixels that a finger goes at least, and mostly to the side

// watchSteps has step(1) or step(-1) called where can(1) or can(-1) says so, unless a piece is held.
export function watchSteps(element, { held, can, step }) {
  let turned = 0;
  element.addEventListener("wheel", (event) => {
    const by = event.deltaY * (event.deltaMode === 0 ? 1 : row);
    const way = Math.sign(by);
    if (event.ctrlKey || way === 0 || !can(way)) return; // it makes the page larger; at an end of the game it moves the page
    event.preventDefault();
    turned = Math.sign(turned) === way ? turned + by : by;
    if (Math.abs(turned) < notch) return;
    turned = 0;
    step(way);
  }, { passive: false });

  let began = null;
  element.addEventListener("pointerdown", (event) => {
    began = event.pointerType === "touch" && event.isPrimary && !held() ? event : null;
  });
  element.addEventListener("pointercancel", () => (began = null));
  element.addEventListener("pointerup", (event) => {
    if (!began) return;
    const [x, y] = [event.clientX - began.clientX, event.clientY - began.clientY];
    const way = x < 0 ? 1 : -1;
    began = null;
    if (Math.abs(x) >= far && Math.abs(x) > 2 * Math.abs(y) && can(way)) step(way);
  });
}
