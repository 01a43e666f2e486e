import { Popover } from "@base-ui/react/popover";
import styles from "./popover.module.css";
import type { PopoverProps } from "./popover.tsx";
import type { Popup } from "./use-popup.ts";

/** What `Popover` loads. */
export default function PopoverPopup({
  label,
  side = "bottom",
  align = "start",
  children,
  popup,
}: Omit<PopoverProps, "trigger"> & { readonly popup: Popup }) {
  const close = () => popup.setOpen(false);
  return (
    <Popover.Root
      open={popup.open}
      onOpenChange={(open, { event }) => {
        // The button itself closes it, on its click.
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
