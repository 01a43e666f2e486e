import { cloneElement, type ReactElement, Suspense } from "react";
import { lazyPart } from "./lazy-part.tsx";
import type { MenuPopupProps } from "./menu-popup.tsx";
import { usePopup } from "./use-popup.ts";

interface MenuProps extends Omit<MenuPopupProps, "popup"> {
  /** A `Button` or an `IconButton`. */
  // biome-ignore lint/suspicious/noExplicitAny: any component that takes a button's props.
  readonly trigger: ReactElement<any>;
}

export const MenuPopup = lazyPart(() => import("./menu-popup.tsx"));

/** A button that opens a list of actions. The list's code is loaded when the first menu opens. */
export function Menu({ trigger, ...props }: MenuProps) {
  const popup = usePopup("menu");
  return (
    <>
      {cloneElement(trigger, popup.triggerProps)}
      {popup.wasOpen && (
        <Suspense fallback={null}>
          <MenuPopup {...props} popup={popup} />
        </Suspense>
      )}
    </>
  );
}
