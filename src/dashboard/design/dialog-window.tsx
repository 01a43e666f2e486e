import { Dialog } from "@base-ui/react/dialog";
import X from "lucide-react/icons/x";
import { useRef } from "react";
import styles from "./dialog.module.css";
import type { DialogProps } from "./dialog.tsx";
import { IconButton } from "./icon-button.tsx";

/** What `Dialog` loads. */
export default function DialogWindow({
  open,
  onOpenChange,
  title,
  description,
  footer,
  children,
  width = 440,
  required = false,
  initialFocus,
}: DialogProps) {
  const popup = useRef<HTMLDivElement>(null);
  // Else the cross in its head would be the first. A finger's dialog begins without a keyboard over it.
  const firstField = (by: string) =>
    by === "touch" || (popup.current?.querySelector<HTMLElement>("input, textarea, select") ?? true);
  return (
    <Dialog.Root open={open} onOpenChange={(next) => (next || !required) && onOpenChange(next)}>
      <Dialog.Portal>
        <Dialog.Backdrop className={styles.backdrop} />
        <Dialog.Popup
          ref={popup}
          className={styles.popup}
          style={{ maxInlineSize: width }}
          initialFocus={initialFocus ?? firstField}
        >
          <header className={styles.head}>
            <Dialog.Title className={styles.title}>{title}</Dialog.Title>
            {!required && <Dialog.Close render={<IconButton label="Close" icon={X} />} />}
          </header>
          <div className={styles.body}>
            {description !== undefined && (
              <Dialog.Description render={<div />} className={styles.description}>
                {description}
              </Dialog.Description>
            )}
            {children}
          </div>
          {footer !== undefined && <footer className={styles.foot}>{footer}</footer>}
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
