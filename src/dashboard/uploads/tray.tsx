import { useState } from "react";
import { Button } from "../design/button.tsx";
import { formatPlural } from "../design/format.ts";
import { uploads } from "./queue.ts";
import styles from "./tray.module.css";
import { TrayHead } from "./tray-head.tsx";
import { TrayPause } from "./tray-pause.tsx";
import { TrayRow } from "./tray-row.tsx";
import { useUploads } from "./use-uploads.ts";

/** The files on their way, and what became of them. Small screens show its head alone until it is opened. */
export default function Tray() {
  const snapshot = useUploads();
  const [open, setOpen] = useState(() => matchMedia("(min-width: 720px)").matches);
  const { items, hidden, total, left, retryable, pause } = snapshot;
  if (total === 0) return null;
  return (
    <section className={styles.tray} aria-label="Uploads">
      <TrayHead snapshot={snapshot} open={open} onToggle={() => setOpen(!open)} />
      {pause !== undefined && left > 0 && <TrayPause pause={pause} />}
      {open && (
        <>
          <ul className={styles.list}>
            {items.map((item) => (
              <TrayRow key={item.id} item={item} />
            ))}
            {hidden > 0 && <li className={styles.more}>and {formatPlural(hidden, "more file")}</li>}
          </ul>
          {(left > 0 || retryable > 0 || total > left) && (
            <footer className={styles.foot}>
              {retryable > 1 && (
                <Button tone="quiet" size="small" onClick={uploads.retryAll}>
                  Retry all
                </Button>
              )}
              {left > 0 && (
                <Button tone="quiet" size="small" onClick={uploads.cancelAll}>
                  Cancel all
                </Button>
              )}
              {total > left && (
                <Button tone="quiet" size="small" className={styles.end} onClick={uploads.clear}>
                  Clear
                </Button>
              )}
            </footer>
          )}
        </>
      )}
    </section>
  );
}
