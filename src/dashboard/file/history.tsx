import { useEffect, useRef, useState } from "react";
import type { HistoryEntry } from "../../client/index.ts";
import { useFileHistory } from "../api/queries/file-history.ts";
import { formatDate } from "../design/format.ts";
import { Problem } from "../design/problem.tsx";
import { Skeleton } from "../design/skeleton.tsx";
import { utcOf } from "./file-facts.ts";
import styles from "./history.module.css";
import { authorInWords, changeInWords, noteOn } from "./history-words.ts";

interface HistoryProps {
  readonly id: string;
}

/** The changes of a file, which are fetched when the user opens them. */
export function History({ id }: HistoryProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details className={styles.history} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>History</summary>
      {isOpen && <Changes id={id} />}
    </details>
  );
}

function Changes({ id }: HistoryProps) {
  const { data: entries, error, isFetching, refetch } = useFileHistory(id);
  const shown = useRef<HTMLDivElement>(null);
  const isLoading = entries === undefined && isFetching;
  const hasFailed = error !== null && !isFetching;
  // The section is at the end of the panel, so an opened list would be below the edge.
  useEffect(() => {
    if (!isLoading) shown.current?.scrollIntoView({ block: "nearest" });
  }, [isLoading]);
  return (
    <div ref={shown}>
      {hasFailed && <Problem error={error} title="The history could not be loaded" onRetry={() => void refetch()} />}
      {isLoading && (
        <div role="status" className={styles.loading}>
          <span className="hidden-text">Loading the history</span>
          <Skeleton height={36} />
          <Skeleton height={36} />
        </div>
      )}
      {entries !== undefined && <List entries={entries} />}
    </div>
  );
}

function List({ entries }: { readonly entries: readonly HistoryEntry[] }) {
  const note = noteOn(entries);
  return (
    <>
      <ol className={styles.changes} aria-label="History">
        {entries.map((entry) => (
          <Change key={`${entry.type} ${entry.at}`} entry={entry} />
        ))}
      </ol>
      {note !== undefined && <p className={styles.note}>{note}</p>}
    </>
  );
}

function Change({ entry }: { readonly entry: HistoryEntry }) {
  const author = authorInWords(entry.by);
  return (
    <li>
      {changeInWords(entry)}
      {author !== undefined && ` ${author}`}{" "}
      <time dateTime={entry.at} title={utcOf(entry.at)} className={styles.note}>
        {formatDate(entry.at, "time")}
      </time>
    </li>
  );
}
