import styles from "./code-block.module.css";
import { CopyButton } from "./copy-button.tsx";

interface CodeBlockProps {
  readonly code: string;
  /** The accessible name, for example "curl". */
  readonly label: string;
  /** Long lines are cut off instead of wrapped. */
  readonly line?: boolean;
}

/** Code or an address, with a button that copies it. */
export function CodeBlock({ code, label, line = false }: CodeBlockProps) {
  return (
    <div className={styles.block}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable element needs keyboard focus. */}
      <pre className={line ? styles.line : styles.code} role="region" aria-label={label} tabIndex={0}>
        <code>{code}</code>
      </pre>
      <CopyButton text={code} label={`Copy ${label}`} iconOnly />
    </div>
  );
}
