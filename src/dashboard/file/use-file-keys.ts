import { type KeyboardEvent, useEffect, useRef } from "react";
import { type Command, registerCommands } from "../shell/commands.ts";
import { hasSingleKeys } from "../shell/single-keys.ts";

export interface FileActions {
  copy(): void;
  favourite(): void;
  setPrivate(): void;
  trash(): void;
  download(): void;
  zoom(): void;
  panel(): void;
  play(): void;
  frame(by: 1 | -1): void;
  tag(): void;
  move(): void;
  rename(): void;
  use(): void;
  step(by: 1 | -1): void;
  undo(): void;
}

type KeyOf = readonly [key: string, keys: string, id: string, title: string, run: (act: FileActions) => void];

const KEYS: readonly KeyOf[] = [
  ["ArrowLeft", "ArrowLeft", "file.previous", "Previous file", (act) => act.step(-1)],
  ["ArrowRight", "ArrowRight", "file.next", "Next file", (act) => act.step(1)],
  ["z", "z", "file.zoom", "Zoom", (act) => act.zoom()],
  ["i", "i", "file.panel", "Show or hide the info", (act) => act.panel()],
  ["c", "c", "file.copy", "Copy link", (act) => act.copy()],
  ["f", "f", "file.favourite", "Favourite", (act) => act.favourite()],
  ["p", "p", "file.private", "Make private or public", (act) => act.setPrivate()],
  ["t", "t", "file.tag", "Tag", (act) => act.tag()],
  ["m", "m", "file.move", "Move to a folder", (act) => act.move()],
  ["u", "u", "file.use", "Use this picture: size, crop, code", (act) => act.use()],
  ["F2", "F2", "file.rename", "Rename", (act) => act.rename()],
  ["Delete", "Delete", "file.trash", "Move to the trash", (act) => act.trash()],
  [" ", "Space", "file.play", "Play or pause", (act) => act.play()],
  [",", ",", "file.back", "Previous frame", (act) => act.frame(-1)],
  [".", ".", "file.on", "Next frame", (act) => act.frame(1)],
];

/** The keys of an open file, which precede the page's keys. @returns the dialog's handler */
export function useFileKeys(act: FileActions): (event: KeyboardEvent<HTMLElement>) => void {
  const now = useRef(act);
  now.current = act;
  useEffect(
    () =>
      registerCommands(
        KEYS.map(([, keys, id, title, run]): Command => {
          return { id, title, keys, group: "In a file", run: () => run(now.current) };
        }),
      ),
    [],
  );
  return (event) => {
    const { key, target, ctrlKey, metaKey, altKey } = event;
    if (key === "Escape" || key === "Tab" || altKey || !(target instanceof Element)) return;
    if ((ctrlKey || metaKey) && key === "z" && target.closest("input, textarea") === null) {
      // The page's own Ctrl-Z rests while a dialog is open.
      event.preventDefault();
      now.current.undo();
    }
    if (ctrlKey || metaKey) return;
    // The page under it must not receive keys.
    event.stopPropagation();
    if (target.closest("input, textarea, select, [role=menu]") !== null) return;
    // Elements with their own keys keep them: a video's controls, a focused button.
    if (target.closest("video") !== null && (key === " " || key.startsWith("Arrow"))) return;
    if (key === " " && target.closest("button, a, summary") !== null) return;
    const found = KEYS.find(([name]) => name === (key.length === 1 ? key.toLowerCase() : key));
    const isLetter = key.length === 1 && key !== " ";
    if (found === undefined || (isLetter && !hasSingleKeys())) return;
    event.preventDefault();
    found[4](now.current);
  };
}
