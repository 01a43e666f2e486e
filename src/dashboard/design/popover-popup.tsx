import { Popover } from "@base-ui/react/popover";
import type { ReactNode } from "react";
import styles from "./popover.module.css";
import type { Popup } from "./use-popup.ts";

export interface PopoverPopupProps {
  /** The accessible name. */
  readonly label: string;
  readonly side?: "top" | "bottom" | "left" | "right";
  readonly align?: "start" | "center" | "end";
  /** The content; a function gets a callback that closes the popover. */
  readonly children: ReactNode | ((close: () => void) => ReactNode);
  readonly popup: Popup;
}

/** The lazy part of `Popover`. */
export default function PopoverPopup({ label, side = "bottom", align = "start", children, popup }: PopoverPopupProps) {
  const close = () => popup.setOpen(false);
  return (
    <Popover.Root
      open={popup.open}
      onOpenChange={(open, { event }) => {
        // The trigger handles its own clicks.
        if (!open && event.target instanceof Node && popup.anchor.current?.contains(event.target)) return;
        popup.setOpen(open);
      }}
    >
      <Popover.Portal>
        <Popover.Positioner
          anchor={popup.anchor}
          side={side}
          align={align}
          sideOffset={6}
          className={styles.positioner}
        >
          <Popover.Popup className={styles.popup} aria-label={label} finalFocus={popup.anchor}>
            {typeof children === "function" ? children(close) : children}
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  );
}
