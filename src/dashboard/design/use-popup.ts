import { type KeyboardEvent, type MouseEvent, type RefObject, useRef, useState } from "react";

export interface Popup {
  readonly open: boolean;
  /** The popup has been opened at least once, so its code is needed. */
  readonly wasOpen: boolean;
  readonly anchor: RefObject<HTMLButtonElement | null>;
  readonly setOpen: (open: boolean) => void;
  /** The props of the button that opens the popup. */
  readonly triggerProps: {
    readonly ref: RefObject<HTMLButtonElement | null>;
    readonly "aria-haspopup": "menu" | "dialog";
    readonly "aria-expanded": boolean;
    readonly onClick: (event: MouseEvent) => void;
    readonly onKeyDown: (event: KeyboardEvent) => void;
  };
}

/** The state of a menu or popover and the props of its button. The button is ours, not Base UI's: it is shown before Base UI is loaded. */
export function usePopup(kind: "menu" | "dialog"): Popup {
  const [open, setOpen] = useState(false);
  const [wasOpen, setWasOpen] = useState(false);
  const anchor = useRef<HTMLButtonElement>(null);
  const change = (next: boolean) => {
    if (next) setWasOpen(true);
    setOpen(next);
  };
  return {
    open,
    wasOpen,
    anchor,
    setOpen: change,
    triggerProps: {
      ref: anchor,
      "aria-haspopup": kind,
      "aria-expanded": open,
      onClick: () => change(!open),
      onKeyDown(event) {
        if (kind !== "menu" || (event.key !== "ArrowDown" && event.key !== "ArrowUp")) return;
        event.preventDefault();
        change(true);
      },
    },
  };
}
