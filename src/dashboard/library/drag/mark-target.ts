import { openFolders } from "../folders/open-folders.ts";
import type { FoundTarget } from "./drop-target.ts";

const OPEN_MS = 600;

/** Highlights the drop target, and opens a folder if the pointer rests on it. */
export function markTarget(): (found: FoundTarget | undefined) => void {
  let marked: HTMLElement | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  return (found) => {
    if (found?.element === marked) return;
    clearTimeout(timer);
    marked?.removeAttribute("data-drop");
    marked = found?.element;
    if (found === undefined) return;
    found.element.dataset.drop = "over";
    const { folder } = found.element.dataset;
    if (folder !== undefined) timer = setTimeout(() => openFolders.add([folder]), OPEN_MS);
  };
}
