import { cloneElement, type ReactElement, Suspense } from "react";
import { lazyPart } from "./lazy-part.tsx";
import type { PopoverPopupProps } from "./popover-popup.tsx";
import { usePopup } from "./use-popup.ts";

interface PopoverProps extends Omit<PopoverPopupProps, "popup"> {
  /** A `Button`, an `IconButton` or a `Chip`. */
  // biome-ignore lint/suspicious/noExplicitAny: any component that takes a button's props.
  readonly trigger: ReactElement<any>;
}

const PopoverPopup = lazyPart(() => import("./popover-popup.tsx"));

/** A button that opens a small window. The window's code is loaded when the first popover opens. */
export function Popover({ trigger, ...props }: PopoverProps) {
  const popup = usePopup("dialog");
  return (
    <>
      {cloneElement(trigger, popup.triggerProps)}
      {popup.wasOpen && (
        <Suspense fallback={null}>
          <PopoverPopup {...props} popup={popup} />
        </Suspense>
      )}
    </>
  );
}
