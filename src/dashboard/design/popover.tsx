import { cloneElement, type ReactElement, type ReactNode, Suspense } from "react";
import { lazyPart } from "./lazy-part.tsx";
import { usePopup } from "./use-popup.ts";

export interface PopoverProps {
  /** A `Button`, an `IconButton` or a `Chip`. */
  // biome-ignore lint/suspicious/noExplicitAny: it takes the props of a button, whatever its own are.
  readonly trigger: ReactElement<any>;
  /** Its name for screen readers. */
  readonly label: string;
  readonly side?: "top" | "bottom" | "left" | "right";
  readonly align?: "start" | "center" | "end";
  /** What is in it; a function is given what closes it. */
  readonly children: ReactNode | ((close: () => void) => ReactNode);
}

const PopoverPopup = lazyPart(() => import("./popover-popup.tsx"));

/** A small window beside the button that opens it. Its code is loaded when the first one opens. */
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
