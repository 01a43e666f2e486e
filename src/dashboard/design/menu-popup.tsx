import { Menu } from "@base-ui/react/menu";
import type { LucideIcon } from "lucide-react";
import Check from "lucide-react/icons/check";
import { Fragment } from "react";
import { classNames } from "./class-names.ts";
import { formatKeys } from "./format-keys.ts";
import styles from "./menu.module.css";
import type { Popup } from "./use-popup.ts";

export interface MenuItem {
  readonly id: string;
  readonly title: string;
  readonly icon?: LucideIcon;
  /** Shortcut in tinykeys syntax: "$mod+k". */
  readonly keys?: string | undefined;
  readonly danger?: boolean;
  readonly disabled?: boolean;
  /** Whether this item of a choice is selected. */
  readonly checked?: boolean;
  /** Draws a line above the item. */
  readonly separated?: boolean;
  readonly onSelect: () => void;
}

export interface MenuPopupProps {
  readonly items: readonly MenuItem[];
  readonly side?: "top" | "bottom" | "left" | "right";
  readonly align?: "start" | "center" | "end";
  /** A place in the window, instead of the button. */
  readonly place?: { readonly getBoundingClientRect: () => DOMRect };
  /** The element that gets the focus when the menu closes, instead of the button; false: the focus stays. */
  readonly finalFocus?: () => HTMLElement | null | false;
  readonly popup: Pick<Popup, "open" | "setOpen"> & Partial<Pick<Popup, "anchor">>;
}

/** The lazy part of `Menu`. */
export default function MenuPopup({
  items,
  side = "bottom",
  align = "start",
  place,
  finalFocus,
  popup,
}: MenuPopupProps) {
  const isChoice = items.some(({ checked }) => checked !== undefined);
  return (
    <Menu.Root open={popup.open} onOpenChange={(open) => popup.setOpen(open)}>
      <Menu.Portal>
        <Menu.Positioner
          anchor={place ?? popup.anchor}
          side={side}
          align={align}
          sideOffset={place === undefined ? 6 : 0}
          className={styles.positioner}
        >
          <Menu.Popup className={styles.popup} finalFocus={finalFocus ?? popup.anchor}>
            {items.map(({ id, title, icon: Icon, keys, danger, disabled, checked, separated, onSelect }) => (
              <Fragment key={id}>
                {separated && <Menu.Separator className={styles.separator} />}
                <Menu.Item
                  className={classNames(styles.item, danger && styles.danger)}
                  disabled={disabled ?? false}
                  onClick={onSelect}
                  {...(checked !== undefined && { role: "menuitemradio", "aria-checked": checked })}
                >
                  {Icon && <Icon size={16} aria-hidden />}
                  <span className={styles.title}>{title}</span>
                  {isChoice && checked && <Check size={15} aria-hidden />}
                  {keys !== undefined && <kbd className={styles.keys}>{formatKeys(keys)}</kbd>}
                </Menu.Item>
              </Fragment>
            ))}
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  );
}
