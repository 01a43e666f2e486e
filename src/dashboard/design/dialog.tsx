import { Suspense, useState } from "react";
import type { DialogProps } from "./dialog-window.tsx";
import { lazyPart } from "./lazy-part.tsx";

export const DialogWindow = lazyPart(() => import("./dialog-window.tsx"));

/** A dialog over the page. Its code is loaded when the first dialog opens. */
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
