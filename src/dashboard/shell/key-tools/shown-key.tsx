import { TriangleAlert } from "lucide-react";
import { CopyButton } from "../../design/copy-button.tsx";
import { KeyTools } from "./key-tools.tsx";
import styles from "./shown-key.module.css";

interface ShownKeyProps {
  /** The whole key. */
  readonly secret: string;
}

/** A key in the only moment in which it can be seen, and what needs it: lines to paste, files to open. */
export function ShownKey({ secret }: ShownKeyProps) {
  return (
    <div className={styles.shown}>
      <p className={styles.once}>
        <TriangleAlert size={16} aria-hidden />
        <span>It is shown this once: the service keeps no copy that could be read.</span>
      </p>
      <div className={styles.key}>
        <output aria-label="Key">{secret}</output>
        <CopyButton text={secret} label="Copy key" tone="main" />
      </div>
      <KeyTools secret={secret} />
    </div>
  );
}
