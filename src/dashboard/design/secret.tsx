import { CopyButton } from "./copy-button.tsx";
import styles from "./secret.module.css";

interface SecretProps {
  readonly text: string;
  /** The accessible name, for example "Key". */
  readonly label: string;
}

/** A new secret, with a button that copies it. */
export function Secret({ text, label }: SecretProps) {
  return (
    <div className={styles.secret}>
      <output aria-label={label}>{text}</output>
      <CopyButton text={text} label={`Copy ${label.toLowerCase()}`} tone="main" />
    </div>
  );
}
