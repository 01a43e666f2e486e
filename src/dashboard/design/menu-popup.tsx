import { Menu } from "@base-ui/react/menu";
import Check from "lucide-react/icons/check";
import { Fragment } from "react";
import { classNames } from "./class-names.ts";
import { formatKeys } from "./format-keys.ts";
import styles from "./menu.module.css";
import type { MenuProps } from "./menu.tsx";
import type { Popup } from "./use-popup.ts";

/** What `Menu` loads. */
export default function MenuPopup({
  items,
  side = "bottom",
  align = "start",
  popup,
}: Omit<MenuProps, "trigger"> & { readonly popup: Popup }) {
  const isChoice = items.some(({ checked }) => checked !== undefined);
  return (
    <Menu.Root open={popup.open} onOpenChange={(open) => popup.setOpen(open)}>
      <Menu.Portal>
        <Menu.Positioner anchor={popup.anchor} side={side} align={align} sideOffset={6} className={styles.positioner}>
          <Menu.Popup className={styles.popup} finalFocus={popup.anchor}>
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
