import { Dialog } from "@base-ui/react/dialog";
import type { KeyboardEvent, ReactNode, RefObject } from "react";
import styles from "./full-dialog.module.css";

interface FullDialogProps {
  /** Its name for screen readers. */
  readonly label: string;
  readonly onClose: () => void;
  readonly onKeyDown?: (event: KeyboardEvent<HTMLElement>) => void;
  readonly initialFocus?: RefObject<HTMLElement | null>;
  /** What has the focus at once when it is closed; where it gives nothing, what had it before. */
  readonly finalFocus?: (() => HTMLElement | null) | undefined;
  readonly className?: string | undefined;
  readonly children: ReactNode;
}

/** A window as large as the page, open as long as it is there. The page under it stays as it is. To be loaded lazily by who uses it. */
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
