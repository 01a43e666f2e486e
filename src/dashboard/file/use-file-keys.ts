import { type KeyboardEvent, useEffect, useRef } from "react";
import { type Command, registerCommands } from "../shell/commands.ts";
import { hasSingleKeys } from "../shell/single-keys.ts";

/** What can be done to the file that is shown. */
export interface FileActions {
  copy(): void;
  favourite(): void;
  trash(): void;
  zoom(): void;
  panel(): void;
  play(): void;
  frame(by: 1 | -1): void;
  tag(): void;
  move(): void;
  step(by: 1 | -1): void;
}

type KeyOf = readonly [key: string, keys: string, id: string, title: string, run: (act: FileActions) => void];

const KEYS: readonly KeyOf[] = [
  ["ArrowLeft", "ArrowLeft", "file.previous", "Previous file", (act) => act.step(-1)],
  ["ArrowRight", "ArrowRight", "file.next", "Next file", (act) => act.step(1)],
  ["z", "z", "file.zoom", "Zoom", (act) => act.zoom()],
  ["i", "i", "file.panel", "Show or hide the facts", (act) => act.panel()],
  ["c", "c", "file.copy", "Copy link", (act) => act.copy()],
  ["f", "f", "file.favourite", "Favourite", (act) => act.favourite()],
  ["t", "t", "file.tag", "Tag", (act) => act.tag()],
  ["m", "m", "file.move", "Move", (act) => act.move()],
  ["Delete", "Delete", "file.trash", "Move to the trash", (act) => act.trash()],
  [" ", "Space", "file.play", "Play or pause", (act) => act.play()],
  [",", ",", "file.back", "A frame back", (act) => act.frame(-1)],
  [".", ".", "file.on", "A frame on", (act) => act.frame(1)],
];

/** The keys of an open file, which go before those of the page under it. @returns the dialog's handler */
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
    if (key === "Escape" || key === "Tab" || ctrlKey || metaKey || altKey || !(target instanceof Element)) return;
    // Nothing of the page under it hears of keys.
    event.stopPropagation();
    if (target.closest("input, textarea, select, [role=menu]") !== null) return;
    // What has keys of its own keeps them: a film's controls, a button that is pressed.
    if (target.closest("video") !== null && (key === " " || key.startsWith("Arrow"))) return;
    if (key === " " && target.closest("button, a") !== null) return;
    const found = KEYS.find(([name]) => name === (key.length === 1 ? key.toLowerCase() : key));
    const isLetter = key.length === 1 && key !== " ";
    if (found === undefined || (isLetter && !hasSingleKeys())) return;
    event.preventDefault();
    found[4](now.current);
  };
}
