import { Dialog } from "@base-ui/react/dialog";
import type { KeyboardEvent, ReactNode, RefObject } from "react";
import styles from "./full-dialog.module.css";

interface FullDialogProps {
  /** The accessible name. */
  readonly label: string;
  readonly onClose: () => void;
  readonly onKeyDown?: (event: KeyboardEvent<HTMLElement>) => void;
  readonly initialFocus?: RefObject<HTMLElement | null>;
  /** The element that gets the focus when the dialog closes; null: the element that had it before. */
  readonly finalFocus?: (() => HTMLElement | null) | undefined;
  readonly className?: string | undefined;
  readonly children: ReactNode;
}

/** A dialog that covers the page and is open while it is mounted. Import it lazily: Base UI's dialog is not in the first load. */
export function FullDialog({
  label,
  onClose,
  onKeyDown,
  initialFocus,
  finalFocus,
  className,
  children,
}: FullDialogProps) {
  return (
    <Dialog.Root open onOpenChange={(open) => !open && onClose()}>
      <Dialog.Portal>
        <Dialog.Popup
          className={`${styles.popup} ${className ?? ""}`}
          aria-label={label}
          initialFocus={initialFocus}
          finalFocus={finalFocus}
          onKeyDown={onKeyDown}
        >
          {children}
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
