import ChevronDown from "lucide-react/icons/chevron-down";
import { type RefObject, Suspense, useEffect, useRef, useState } from "react";
import { Button } from "../design/button.tsx";
import { formatPlural } from "../design/format.ts";
import { IconButton } from "../design/icon-button.tsx";
import { lazyPart } from "../design/lazy-part.tsx";
import { CopyLinks } from "./copy-links.tsx";
import type { Snapshot } from "./snapshot.ts";
import styles from "./tray.module.css";
import { TrayPause } from "./tray-pause.tsx";
import { TrayRow } from "./tray-row.tsx";
import { uploads } from "./uploads-store.ts";
import { useUploads } from "./use-uploads.ts";
import { remainingOf, titleOf } from "./words.ts";

const FormatsDialog = lazyPart(() => import("../file/formats-dialog.tsx"));

/** The tray folds this long after the last file, and after the pointer and the focus have left it, so that names stay readable. */
const FOLD_AFTER_MS = 4000;
const LOOK_EVERY_MS = 500;

/**
 * This page's uploads. On small screens only its head is shown until it is opened. It folds when all files are stored; the links can still
 * be copied.
 */
export default function Tray() {
  const snapshot = useUploads();
  const { items, hidden, total, left, duplicates, failed, retryable, results, pause } = snapshot;
  const tray = useRef<HTMLElement>(null);
  const [open, toggle] = useFolding(tray, left + failed + duplicates === 0, total);
  const [copied, setCopied] = useState<Snapshot["results"]>();
  const isOver = left === 0;
  if (total === 0) return null;
  return (
    <section ref={tray} className={styles.tray} aria-label="Uploads">
      <TrayHead snapshot={snapshot} open={open} onToggle={toggle} />
      {pause !== undefined && left > 0 && <TrayPause pause={pause} />}
      {open && (
        <ul className={styles.list}>
          {items.map((item) => (
            <TrayRow key={item.id} item={item} />
          ))}
          {hidden > 0 && <li className={styles.more}>and {formatPlural(hidden, "more file")}</li>}
        </ul>
      )}
      {(open || isOver) && (
        <footer className={styles.foot}>
          {isOver && results.length > (open ? 1 : 0) && (
            <CopyLinks files={results} label={results.length > 1 ? "Copy all links" : "Copy link"} />
          )}
          {isOver && results.length > 0 && (
            <Button tone="quiet" size="small" aria-haspopup="dialog" onClick={() => setCopied(results)}>
              Copy as…
            </Button>
          )}
          {retryable > 1 && (
            <Button tone="quiet" size="small" onClick={uploads.retryAll}>
              Retry all
            </Button>
          )}
          {duplicates > 1 && (
            <Button tone="quiet" size="small" onClick={() => uploads.keepBoth()}>
              Keep all
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
      <Suspense fallback={null}>
        {copied !== undefined && (
          <FormatsDialog
            files={copied.map((result) => ({ ...result, name: result.originalFilename }))}
            onClose={() => setCopied(undefined)}
          />
        )}
      </Suspense>
    </section>
  );
}

/**
 * @param total the number of files: a further file opens a folded list
 * @returns whether the list is open, and a function that toggles it
 */
function useFolding(
  tray: RefObject<HTMLElement | null>,
  isDone: boolean,
  total: number,
): readonly [boolean, () => void] {
  const [{ open }, set] = useState(() => ({ open: matchMedia("(min-width: 720px)").matches, isAutomatic: false }));
  useEffect(() => {
    set((before) => (before.isAutomatic ? { open: true, isAutomatic: false } : before));
    if (!isDone) return;
    let idleMs = 0;
    const timer = setInterval(() => {
      // A person whose pointer is on the list is reading it.
      idleMs = tray.current?.matches(":hover, :focus-within") ? 0 : idleMs + LOOK_EVERY_MS;
      if (idleMs < FOLD_AFTER_MS) return;
      clearInterval(timer);
      set((before) => (before.open ? { open: false, isAutomatic: true } : before));
    }, LOOK_EVERY_MS);
    return () => clearInterval(timer);
  }, [tray, isDone, total]);
  return [open, () => set({ open: !open, isAutomatic: false })];
}

interface TrayHeadProps {
  readonly snapshot: Snapshot;
  readonly open: boolean;
  readonly onToggle: () => void;
}

function TrayHead({ snapshot, open, onToggle }: TrayHeadProps) {
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
