// What the size of the window changes beside the style sheet: on a wide one the moves have a card of their own, beside the other
// views; on a narrow one the board stays in sight, smaller, while one looks at what is below it.

const wide = matchMedia("(min-width: 105rem) and (min-height: 45rem)");
const least = 352; // pixels of height of the board, half of the window's where that is more: as in the style sheet

// watchWidth keeps the views where they belong; openTab opens one.
export function watchWidth(app, openTab) {
  const [tab, panel, card] = ["tab-moves", "panel-moves", "moves-card"].map((id) => document.getElementById(id));
  const [side, more, tabs] = [".side", ".more", ".tabs"].map((name) => document.querySelector(name));
  const examples = document.getElementById("examples");
  const lead = Boolean(tabs.compareDocumentPosition(examples) & Node.DOCUMENT_POSITION_PRECEDING); // before the views

  const settle = () => {
    card.hidden = more.hidden = !wide.matches;
    tab.hidden = wide.matches;
    if (wide.matches) {
      card.append(panel);
      panel.setAttribute("role", "group");
      panel.hidden = false;
      more.append(...(lead ? [examples, tabs] : [tabs, examples]));
      if (app.tab === "moves") openTab(document.getElementById("tab-statistics"));
    } else {
      panel.setAttribute("role", "tabpanel");
      panel.hidden = app.tab !== "moves";
      tabs.querySelector('[role="tablist"]').after(panel);
      side.append(...(lead ? [examples, tabs] : [tabs, examples]));
    }
  };
  wide.addEventListener("change", settle);
  settle();
}

// watchScroll makes the board smaller as soon as the rest of it would hide what is scrolled to.
export function watchScroll(table) {
  let full = 0;
  const settle = () => {
    const root = document.documentElement;
    const sticks = getComputedStyle(table).getPropertyValue("--sticks") === "1";
    const board = table.firstElementChild;
    if (!("scrolled" in root.dataset)) full = board.getBoundingClientRect().height;
    const small = Math.min(full, Math.max(innerHeight / 2, least));
    if (sticks && scrollY > table.parentElement.offsetTop + full - small) root.dataset.scrolled = "true";
    else delete root.dataset.scrolled;
  };
  addEventListener("scroll", settle, { passive: true });
  addEventListener("resize", () => {
    delete document.documentElement.dataset.scrolled;
    settle();
  });
}
