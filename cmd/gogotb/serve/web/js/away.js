// The server that goes away, and comes back.

import { connection, get } from "./api.js";

const pause = 3000; // milliseconds between questions

// watchServer shows a notice while the server is away, and asks again until it is back.
export function watchServer(app, notice, button) {
  let waiting = 0;

  const ask = async () => {
    clearTimeout(waiting);
    try {
      await get("tables", {}, undefined, "no-store"); // the server itself, not what the browser has kept
    } catch {
      waiting = setTimeout(ask, pause);
      return;
    }
    await app.refresh();
  };

  connection.addEventListener("away", () => {
    notice.hidden = false;
    clearTimeout(waiting);
    waiting = setTimeout(ask, pause);
    if (app.away) return;
    app.away = true;
    app.emit("away");
  });
  app.on("answer", () => {
    if (!app.away || !app.answer || app.answer.state === "away") return;
    clearTimeout(waiting);
    app.away = false;
    notice.hidden = true;
    app.emit("back");
  });
  button.onclick = ask;
}
