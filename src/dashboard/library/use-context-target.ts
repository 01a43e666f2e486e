import { useEffect, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { positionOf } from "./grid/use-grid-pointer.ts";
import { isSelected } from "./selection/selection.ts";
import type { Actions } from "./selection/use-actions.ts";
import type { Library } from "./use-library.ts";

/** The files, the folder or the empty ground under a context menu. */
export interface ContextTarget {
  readonly kind: "files" | "folder" | "ground";
  /** The folder's id; empty unless `kind` is `folder`. */
  readonly id: string;
  readonly place: { readonly getBoundingClientRect: () => DOMRect };
  /** The element that gets the focus when the menu closes. */
  readonly origin: HTMLElement | null;
  readonly isOpen: boolean;
  /** Each menu is built again. */
  readonly number: number;
}

interface Point {
  readonly x: number;
  readonly y: number;
}

/** Fields, dialogs and links elsewhere keep the browser's own menu. */
const OWN_MENUS = "input, textarea, [role='dialog'], [role='menu'], video";

/**
 * The target of the last right-click, long press, or menu key. A file that is not selected is focused and the selection is cleared, as in
 * file managers.
 */
export function useContextTarget(library: Library, actions: Actions) {
  const [target, setTarget] = useState<ContextTarget>();
  const now = useRef({ library, actions });
  now.current = { library, actions };
  useEffect(() => {
    const show = (element: Element, point: Point): boolean => {
      if (element.closest(OWN_MENUS) !== null || now.current.library.address.openId !== undefined) return false;
      const found = findTarget(element, now.current);
      if (found === undefined) return false;
      const place = { getBoundingClientRect: () => new DOMRect(point.x, point.y, 0, 0) };
      flushSync(() => setTarget((before) => ({ ...found, place, isOpen: true, number: (before?.number ?? 0) + 1 })));
      return true;
    };
    const onContextMenu = (event: MouseEvent) => {
      if (event.defaultPrevented || !(event.target instanceof Element)) return;
      if (show(event.target, { x: event.clientX, y: event.clientY })) event.preventDefault();
    };
    /** The browser's own event has no useful place for a key. */
    const onKeyDown = (event: KeyboardEvent) => {
      const { key, shiftKey, target: element } = event;
      if (key !== "ContextMenu" && !(key === "F10" && shiftKey)) return;
      if (!(element instanceof Element)) return;
      const { left, top, width, height } = element.getBoundingClientRect();
      if (show(element, { x: left + Math.min(width / 2, 80), y: top + Math.min(height / 2, 80) }))
        event.preventDefault();
    };
    document.addEventListener("contextmenu", onContextMenu);
    document.addEventListener("keydown", onKeyDown);
    return () => {
      document.removeEventListener("contextmenu", onContextMenu);
      document.removeEventListener("keydown", onKeyDown);
    };
  }, []);
  return { target, close: () => setTarget((before) => before && { ...before, isOpen: false }) };
}

interface Now {
  readonly library: Library;
  readonly actions: Actions;
}

/** Whether an element is empty ground. Links, buttons and code in a message on it are not. */
export function isFreeGround(element: Element): boolean {
  return element.closest("[data-ground], a, button, pre")?.matches("[data-ground]") === true;
}

type Found = Pick<ContextTarget, "kind" | "id" | "origin">;

function findTarget(element: Element, { library, actions }: Now): Found | undefined {
  const folder = element.closest<HTMLElement>("[data-drop-id]");
  const id = folder?.dataset.dropId ?? "";
  if (library.folders?.some(({ _id }) => _id === id)) return { kind: "folder", id, origin: folder };
  const position = positionOf(element);
  const origin = document.activeElement as HTMLElement | null;
  if (position === undefined) return isFreeGround(element) ? { kind: "ground", id: "", origin } : undefined;
  if (library.pages.slot(position) === undefined) return undefined;
  if (!isSelected(library.selection, position) && library.selection.intervals.length > 0) actions.clear();
  library.setFocus(position);
  const tile = document.querySelector<HTMLElement>(`[data-position="${position}"]`);
  tile?.focus({ preventScroll: true });
  return { kind: "files", id: "", origin: tile };
}
