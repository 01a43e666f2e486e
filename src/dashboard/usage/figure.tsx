import styles from "./figure.module.css";

interface FigureProps {
  /** "131.4 GB" */
  readonly value: string;
  /** "of 200 GB" */
  readonly of: string;
}

/** A used amount in large type, followed by its limit. */
export function Figure({ value, of }: FigureProps) {
  return (
    <p className={styles.figure}>
      <strong>{value}</strong> <span>{of}</span>
    </p>
  );
}
