// Games that come from outside: files that are chosen or dropped, and what is pasted.

import { make, t } from "./words.js";

// watchArrivals has take(content, name) called with what is dropped on the page or pasted beside its fields.
export function watchArrivals(take) {
  const sign = make("p", { class: "drop", hidden: true });
  document.body.append(sign);
  let inside = 0; // elements that the pointer has entered and not left

  const wanted = (event) => [...event.dataTransfer.types].some((type) => type === "Files" || type === "text/plain");
  const over = (shown) => {
    sign.textContent = t("dropHere");
    sign.hidden = !shown;
  };
  addEventListener("dragenter", (event) => {
    if (!wanted(event)) return;
    event.preventDefault();
    over(++inside > 0);
  });
  addEventListener("dragleave", () => over((inside = Math.max(inside - 1, 0)) > 0));
  addEventListener("dragover", (event) => {
    if (!wanted(event)) return;
    event.preventDefault();
    event.dataTransfer.dropEffect = "copy";
  });
  addEventListener("drop", (event) => {
    if (!wanted(event)) return;
    event.preventDefault();
    over((inside = 0) > 0);
    takeFrom(event.dataTransfer, take);
  });
  addEventListener("paste", (event) => {
    if (event.target.closest?.("input, textarea") || document.querySelector("dialog[open]")) return;
    if (takeFrom(event.clipboardData, take)) event.preventDefault();
  });
}

// takeFrom takes the first file, or else the text.
function takeFrom(data, take) {
  const [file] = data.files;
  const text = data.getData("text/plain");
  if (file) take(file, file.name);
  else if (text.trim() !== "") take(text, "");
  return file !== undefined || text.trim() !== "";
}
