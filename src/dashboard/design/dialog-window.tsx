import { Dialog } from "@base-ui/react/dialog";
import X from "lucide-react/icons/x";
import { type ReactNode, type RefObject, useRef } from "react";
import styles from "./dialog.module.css";
import { IconButton } from "./icon-button.tsx";

export interface DialogProps {
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
  readonly title: string;
  readonly description?: ReactNode;
  readonly footer?: ReactNode;
  readonly children?: ReactNode;
  /** Pixels; 440 by default. */
  readonly width?: number;
  /** Escape, a click outside and the × button do not close the dialog. */
  readonly required?: boolean;
  /** The element that gets the focus; by default the first field or button. */
  readonly initialFocus?: RefObject<HTMLElement | null>;
}

/** The lazy part of `Dialog`. */
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
  // Base UI would focus the × button. After a tap no field gets the focus: the on-screen keyboard would cover the dialog.
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
