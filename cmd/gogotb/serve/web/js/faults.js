// What is wrong, in the visitor's language: the server's codes in words.

import { sideName, t } from "./words.js";

// positionFault is why a position is not legal, by the error that the server has for it.
export function positionFault(error) {
  const { fault } = error;
  if (!fault) return trouble(error);
  return t("faults")[fault.code]({ side: fault.color && sideName(fault.color === "sente" ? "b" : "w"), piece: t("plain")[fault.kind] });
}

// fileFault is what is wrong with a game of a file, by the error that the server has for it.
export function fileFault(error) {
  const { line, rule, fault, code, message } = error;
  const what = rule ? t("refused")[rule] : fault ? positionFault(error) : t("troubles")[code] ?? message;
  return line ? t("inLine", { line, what }) : what;
}

// trouble is why there is no answer: an error of the API.
export function trouble(error) {
  if (error.status === 0) return t("away");
  return t("troubles")[error.code] ?? error.message;
}
