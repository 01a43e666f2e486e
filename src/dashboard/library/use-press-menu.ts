import { useEffect } from "react";
import { positionOf } from "./grid/use-grid-pointer.ts";
import { PRESS_MS, SLACK_PIXELS } from "./grid/use-long-press.ts";
import { isFreeGround } from "./use-context-target.ts";

/** A long press on a folder or on empty ground opens its menu. Safari on iOS sends no `contextmenu` for a long press. */
export function usePressMenu(): void {
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let target: Element | undefined;
    let at = { clientX: 0, clientY: 0 };
    let since = 0;
    let isOpen = false;

    const stopWaiting = () => {
      clearTimeout(timer);
      timer = undefined;
    };
    const end = () => {
      stopWaiting();
      isOpen = false;
    };
    const open = () => {
      stopWaiting();
      const event = new MouseEvent("contextmenu", { bubbles: true, cancelable: true, ...at });
      isOpen = target?.dispatchEvent(event) === false;
      if (isOpen) navigator.vibrate?.(10);
    };
    const begin = (event: TouchEvent) => {
      end();
      const [touch] = event.touches;
      if (event.touches.length !== 1 || touch === undefined || !hasOwnMenu(event.target)) return;
      target = event.target;
      at = { clientX: touch.clientX, clientY: touch.clientY };
      since = event.timeStamp;
      timer = setTimeout(open, PRESS_MS);
    };
    const move = ({ touches: [touch] }: TouchEvent) => {
      if (touch === undefined) return;
      if (Math.hypot(touch.clientX - at.clientX, touch.clientY - at.clientY) > SLACK_PIXELS) stopWaiting();
    };
    const lift = (event: TouchEvent) => {
      // A busy page receives this event before its timer.
      if (timer !== undefined && event.timeStamp - since >= PRESS_MS) open();
      // The click after the long press would open the folder, or close the menu.
      if (isOpen) event.preventDefault();
      end();
    };
    /** Browsers that send the event: only the first of both opens the menu. */
    const onContextMenu = (event: Event) => {
      if (event.isTrusted && isOpen) event.preventDefault();
      else stopWaiting();
    };
    document.addEventListener("touchstart", begin, { passive: true });
    document.addEventListener("touchmove", move, { passive: true });
    document.addEventListener("touchend", lift, { passive: false });
    document.addEventListener("touchcancel", end);
    document.addEventListener("contextmenu", onContextMenu, { capture: true });
    return () => {
      end();
      document.removeEventListener("touchstart", begin);
      document.removeEventListener("touchmove", move);
      document.removeEventListener("touchend", lift);
      document.removeEventListener("touchcancel", end);
      document.removeEventListener("contextmenu", onContextMenu, { capture: true });
    };
  }, []);
}

/** Whether a target is in a folder's row or tile, or on empty ground. A long press on a file selects it (`useLongPress`). */
function hasOwnMenu(target: EventTarget | null): target is Element {
  if (!(target instanceof Element) || positionOf(target) !== undefined) return false;
  return target.closest("[data-drop-id]") !== null || isFreeGround(target);
}
