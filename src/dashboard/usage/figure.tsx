import styles from "./figure.module.css";

interface FigureProps {
  /** What is used: "131.4 GB". */
  readonly value: string;
  /** Of how much: "of 200 GB". */
  readonly of: string;
}

/** A large number, and what it is a part of. */
export function Figure({ value, of }: FigureProps) {
  return (
    <p className={styles.figure}>
      <strong>{value}</strong> <span>{of}</span>
    </p>
  );
}
