import Download from "lucide-react/icons/download";
import { useEffect, useRef, useState } from "react";
import type { ExportLine } from "../../client/index.ts";
import { readLines } from "../../client/read-lines.ts";
import { connection } from "../api/client.ts";
import { Button } from "../design/button.tsx";
import { formatPlural } from "../design/format.ts";
import { Problem } from "../design/problem.tsx";
import { saveFile } from "../design/save-file.ts";
import { Section } from "../design/section.tsx";
import { LIST_FRAME, type ListFormat, listFiles, toListItem } from "./export-files.ts";
import styles from "./export-section.module.css";

type State =
  | { readonly phase: "idle" | "stopped" }
  | { readonly phase: "running" | "done"; readonly count: number }
  | { readonly phase: "failed"; readonly format: ListFormat; readonly error: unknown };

/** The number of files in each blob of the exported list. The browser can keep blobs on disk, so the page's memory stays small. */
const PIECE_FILES = 2000;

const MIME_TYPES = { csv: "text/csv;charset=utf-8", json: "application/json" } as const;

/** Downloads a list of all files, or all data of the account. */
export function ExportSection() {
  const { state, start, stop } = useExport();
  const isRunning = state.phase === "running";
  return (
    <Section title="Export" description="Exports contain the files' links, not the files. Ten exports an hour.">
      <div className={styles.row}>
        <Button icon={Download} disabled={isRunning} onClick={() => start("csv")}>
          Files as CSV
        </Button>
        <Button icon={Download} disabled={isRunning} onClick={() => start("json")}>
          Files as JSON
        </Button>
        <a className={styles.all} href="/account/export" download>
          All data as JSON Lines
        </a>
      </div>
      <p role="status" className={styles.state}>
        {isRunning && `${formatPlural(state.count, "file")} so far.`}
        {state.phase === "done" && `${formatPlural(state.count, "file")} saved.`}
        {state.phase === "stopped" && "Stopped. Nothing was saved."}
      </p>
      {isRunning && (
        <div className={styles.row}>
          <Button tone="quiet" onClick={stop}>
            Stop
          </Button>
        </div>
      )}
      {state.phase === "failed" && (
        <Problem error={state.error} title="The export failed" onRetry={() => start(state.format)} />
      )}
    </Section>
  );
}

/** Makes and saves the list of all files. Leaving the page stops it. */
function useExport() {
  const [state, setState] = useState<State>({ phase: "idle" });
  const running = useRef<AbortController>(undefined);
  useEffect(() => () => running.current?.abort(), []);
  const start = async (format: ListFormat) => {
    running.current?.abort();
    const abort = new AbortController();
    running.current = abort;
    const onCount = (count: number) => setState({ phase: "running", count });
    onCount(0);
    try {
      const { parts, count } = await collect(format, abort.signal, onCount);
      const day = new Date().toISOString().slice(0, 10);
      saveFile(`files-${day}.${format}`, parts, MIME_TYPES[format]);
      setState({ phase: "done", count });
    } catch (error) {
      setState(abort.signal.aborted ? { phase: "stopped" } : { phase: "failed", format, error });
    }
  };
  return { state, start: (format: ListFormat) => void start(format), stop: () => running.current?.abort() };
}

async function collect(format: ListFormat, signal: AbortSignal, onCount: (count: number) => void) {
  const { before, between, after } = LIST_FRAME[format];
  const parts: BlobPart[] = [before];
  let piece: string[] = [];
  let count = 0;
  for await (const file of listFiles(readLines<ExportLine>(connection, "/account/export", { signal }))) {
    piece.push((count === 0 ? "" : between) + toListItem(file, format));
    count += 1;
    if (piece.length < PIECE_FILES) continue;
    parts.push(new Blob(piece));
    piece = [];
    onCount(count);
  }
  return { parts: [...parts, ...piece, after], count };
}
