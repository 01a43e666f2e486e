import { useEffect, useState } from "react";
import { parseMetadata, readAlt, readExpiresAt, readExternalId } from "../../domain/upload-facts.ts";
import { formatDate } from "../design/format.ts";
import { formatRelative } from "../design/format-relative.ts";
import { EditedFact } from "./edited-fact.tsx";
import { type FileChange, type FileFacts, type FileFactsPatch, isVideo, type OnRefused, utcOf } from "./file-facts.ts";
import styles from "./file-panel.module.css";

interface OwnFactsProps {
  readonly file: FileFacts;
  readonly change: FileChange;
}

/** The owner's own facts about a file, each edited in its place. */
export function OwnFacts({ file, change }: OwnFactsProps) {
  const { alt, externalId, metadata, expiresAt } = file;
  const save = (facts: FileFactsPatch, onRefused: OnRefused) => void change(file, { facts }, onRefused);
  return (
    <>
      {!isVideo(file) && (
        <EditedFact
          label="Alt text"
          text={alt ?? ""}
          kind="lines"
          whyNot={(text) => problemOf(readAlt(text))}
          onSave={(text, onRefused) => save({ alt: text || null }, onRefused)}
        />
      )}
      <EditedFact
        label="Expiry"
        text={expiresAt ? toLocal(expiresAt) : ""}
        shown={expiresAt && <Countdown at={expiresAt} />}
        kind="time"
        whyNot={(text) => problemOf(readExpiresAt(toIso(text), Date.now()))}
        onSave={(text, onRefused) => save({ expiresAt: text === "" ? null : toIso(text) }, onRefused)}
      />
      <EditedFact
        label="Your id"
        text={externalId ?? ""}
        kind="line"
        whyNot={(text) => problemOf(readExternalId(text))}
        onSave={(text, onRefused) => save({ externalId: text || null }, onRefused)}
      />
      <EditedFact
        label="Metadata"
        text={metadata ? JSON.stringify(metadata, null, 2) : ""}
        shown={<pre className={styles.json}>{JSON.stringify(metadata, null, 2)}</pre>}
        kind="code"
        whyNot={(text) => problemOf(parseMetadata(text))}
        onSave={(text, onRefused) => save({ metadata: text === "" ? null : JSON.parse(text) }, onRefused)}
      />
    </>
  );
}

const problemOf = (reading: object) => ("problem" in reading ? String(reading.problem) : undefined);

const MINUTE_MS = 60_000;

/** "in 3 days", as long as the file is open. The last hour is counted in minutes and seconds. */
function Countdown({ at }: { readonly at: string }) {
  const [now, setNow] = useState(Date.now);
  const leftMs = Date.parse(at) - now;
  const isClose = leftMs < 60 * MINUTE_MS;
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), isClose ? 1000 : MINUTE_MS);
    return () => clearInterval(timer);
  }, [isClose]);
  return (
    <span title={utcOf(at)}>
      {leftMs <= 0 ? "Being deleted" : isClose ? `in ${toClock(leftMs)}` : formatRelative(at, now)}
      <span className={styles.note}>
        {formatDate(at)}, {new Date(at).toLocaleTimeString("en-GB")}
      </span>
    </span>
  );
}

/** "59:03". */
function toClock(ms: number): string {
  const seconds = Math.ceil(ms / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

/** The value of a field of the browser's own time zone. */
function toLocal(iso: string): string {
  const at = new Date(iso);
  return new Date(at.getTime() - at.getTimezoneOffset() * MINUTE_MS).toISOString().slice(0, 16);
}

/** @returns the text itself if it is no time */
function toIso(text: string): string {
  const at = new Date(text);
  return Number.isNaN(at.getTime()) ? text : at.toISOString();
}
