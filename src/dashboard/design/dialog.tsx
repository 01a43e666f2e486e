import { type ReactNode, type RefObject, Suspense, useState } from "react";
import { lazyPart } from "./lazy-part.tsx";

export interface DialogProps {
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
  readonly title: string;
  readonly description?: ReactNode;
  readonly footer?: ReactNode;
  readonly children?: ReactNode;
  /** Pixels; 440 where it is not given. */
  readonly width?: number;
  /** Stays until it is answered: Escape, a press outside and the cross do not close it. */
  readonly required?: boolean;
  /** What is focused when it opens; else its first field or button. */
  readonly initialFocus?: RefObject<HTMLElement | null>;
}

export const DialogWindow = lazyPart(() => import("./dialog-window.tsx"));

/** A window over the page. Its code is loaded when the first one opens. */
export function Dialog(props: DialogProps) {
  const [wasOpen, setWasOpen] = useState(props.open);
  if (props.open && !wasOpen) setWasOpen(true);
  if (!wasOpen) return null;
  return (
    <Suspense fallback={null}>
      <DialogWindow {...props} />
    </Suspense>
  );
}
