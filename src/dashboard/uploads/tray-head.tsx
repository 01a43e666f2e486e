import ChevronDown from "lucide-react/icons/chevron-down";
import { IconButton } from "../design/icon-button.tsx";
import type { Snapshot } from "./snapshot.ts";
import styles from "./tray-head.module.css";
import { remainingOf, titleOf } from "./words.ts";

interface TrayHeadProps {
  readonly snapshot: Snapshot;
  readonly open: boolean;
  readonly onToggle: () => void;
}

/** How far all files are, in one line. */
export function TrayHead({ snapshot, open, onToggle }: TrayHeadProps) {
  const { left, secondsLeft, sentBytes, totalBytes } = snapshot;
  const share = totalBytes === 0 ? 0 : sentBytes / totalBytes;
  return (
    <header className={styles.head}>
      <h2 className={styles.title}>{titleOf(snapshot)}</h2>
      {secondsLeft !== undefined && <span className={styles.time}>{remainingOf(secondsLeft)}</span>}
      <IconButton
        label={open ? "Hide the files" : "Show the files"}
        aria-expanded={open}
        icon={ChevronDown}
        className={`${styles.button} ${styles.down} ${open ? "" : styles.up}`}
        onClick={onToggle}
      />
      {left > 0 && (
        <div
          className={styles.bar}
          role="progressbar"
          aria-label="All uploads"
          aria-valuenow={Math.floor(share * 100)}
          aria-valuemin={0}
          aria-valuemax={100}
        >
          <span style={{ transform: `scaleX(${share})` }} />
        </div>
      )}
    </header>
  );
}
