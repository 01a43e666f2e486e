import TriangleAlert from "lucide-react/icons/triangle-alert";
import { useEffect, useRef } from "react";
import { CopyButton } from "../../design/copy-button.tsx";
import { KeyTools } from "./key-tools.tsx";
import styles from "./shown-key.module.css";

interface ShownKeyProps {
  /** The whole key. */
  readonly secret: string;
  /** Whether the button that copies it takes the focus: in a window in which it stands where a form was. */
  readonly takesFocus?: boolean;
}

/** A key in the only moment in which it can be seen, and what needs it: lines to paste, files to open. */
export function ShownKey({ secret, takesFocus = false }: ShownKeyProps) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (takesFocus) box.current?.querySelector("button")?.focus();
  }, [takesFocus]);
  return (
    <div className={styles.shown}>
      <p className={styles.once}>
        <TriangleAlert size={16} aria-hidden />
        <span>It is shown this once: the service keeps no copy that could be read.</span>
      </p>
      <div ref={box} className={styles.key}>
        <output aria-label="Key">{secret}</output>
        <CopyButton text={secret} label="Copy key" tone="main" />
      </div>
      <KeyTools secret={secret} />
    </div>
  );
}
