import type { LucideIcon } from "lucide-react";
import { cloneElement, type ReactElement, Suspense } from "react";
import { lazyPart } from "./lazy-part.tsx";
import { usePopup } from "./use-popup.ts";

export interface MenuItem {
  readonly id: string;
  readonly title: string;
  readonly icon?: LucideIcon;
  /** As tinykeys writes it: "$mod+k". */
  readonly keys?: string | undefined;
  readonly danger?: boolean;
  readonly disabled?: boolean;
  /** One of several that is chosen. */
  readonly checked?: boolean;
  /** A line above it. */
  readonly separated?: boolean;
  readonly onSelect: () => void;
}

export interface MenuProps {
  /** A `Button` or an `IconButton`. */
  // biome-ignore lint/suspicious/noExplicitAny: it takes the props of a button, whatever its own are.
  readonly trigger: ReactElement<any>;
  readonly items: readonly MenuItem[];
  readonly side?: "top" | "bottom" | "left" | "right";
  readonly align?: "start" | "center" | "end";
}

export const MenuPopup = lazyPart(() => import("./menu-popup.tsx"));

/** A list of actions under a button. Its code is loaded when the first one opens. */
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
