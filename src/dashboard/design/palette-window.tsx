import { Dialog } from "@base-ui/react/dialog";
import type { LucideIcon } from "lucide-react";
import { type KeyboardEvent, useEffect, useId, useRef, useState } from "react";
import { classNames } from "./class-names.ts";
import { formatKeys } from "./format-keys.ts";
import styles from "./palette-window.module.css";

export interface PaletteItem {
  readonly id: string;
  readonly title: string;
  readonly icon?: LucideIcon;
  readonly keys?: string | undefined;
  readonly onSelect: () => void;
}

interface PaletteWindowProps {
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
  readonly label: string;
  readonly placeholder: string;
  readonly query: string;
  readonly onQueryChange: (query: string) => void;
  /** The matches, best first. */
  readonly items: readonly PaletteItem[];
}

/** A field over a list: arrows select, Enter runs, the focus stays in the field (WAI-ARIA, combobox with a listbox). */
export function PaletteWindow(props: PaletteWindowProps) {
  const { open, onOpenChange, label, placeholder, query, onQueryChange, items } = props;
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const [index, setIndex] = useState(0);
  useEffect(() => setIndex(0), [query, open]);
  useEffect(() => {
    list.current?.children[index]?.scrollIntoView({ block: "nearest" });
  }, [index]);
  const chosen = items[Math.min(index, items.length - 1)];
  const select = (item: PaletteItem | undefined) => {
    if (item === undefined) return;
    onOpenChange(false);
    // Run after the dialog has restored the focus: the command may move it.
    requestAnimationFrame(item.onSelect);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) setIndex((items.indexOf(chosen as PaletteItem) + step + items.length) % items.length || 0);
    else if (event.key === "Enter") select(chosen);
    else return;
    event.preventDefault();
  };
  return (
    <Dialog.Root open={open} onOpenChange={onOpenChange}>
      <Dialog.Portal>
        <Dialog.Backdrop className={styles.backdrop} />
        <Dialog.Popup className={styles.popup} initialFocus={input} aria-label={label}>
          <input
            ref={input}
            className={styles.input}
            role="combobox"
            aria-expanded
            aria-controls={`${id}-list`}
            aria-activedescendant={chosen && `${id}-${chosen.id}`}
            aria-label={label}
            placeholder={placeholder}
            autoComplete="off"
            spellCheck={false}
            value={query}
            onChange={(event) => onQueryChange(event.currentTarget.value)}
            onKeyDown={onKeyDown}
          />
          <div ref={list} id={`${id}-list`} role="listbox" aria-label={label} className={styles.list}>
            {items.map((item, position) => (
              // biome-ignore lint/a11y/useKeyWithClickEvents: the field handles the keys.
              // biome-ignore lint/a11y/useFocusableInteractive: the field keeps the focus.
              <div
                key={item.id}
                id={`${id}-${item.id}`}
                role="option"
                aria-selected={item === chosen}
                className={classNames(styles.item, item === chosen && styles.chosen)}
                onPointerMove={() => setIndex(position)}
                onClick={() => select(item)}
              >
                {item.icon ? <item.icon size={16} aria-hidden /> : <span className={styles.noIcon} />}
                <span className={styles.title}>{item.title}</span>
                {item.keys !== undefined && <kbd>{formatKeys(item.keys)}</kbd>}
              </div>
            ))}
          </div>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
