import { useState } from "react";
import { Link } from "wouter";
import type { Event } from "../../../client/types.ts";
import { CodeBlock } from "../../design/code-block.tsx";
import { formatDate, isolate } from "../../design/format.ts";
import styles from "./events.module.css";

interface EventRowProps {
  readonly of: Event;
}

/** The folder and the id before the name in a stored file's key. */
const KEY_START = /^.*\/[0-9a-z.]+-/;

const TIME = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit", second: "2-digit" });

/** An event in a line; opened, with its message as JSON. */
export function EventRow({ of: event }: EventRowProps) {
  const { type, timestamp, data } = event;
  const [isOpen, setOpen] = useState(false);
  return (
    <li>
      <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
        <summary className={styles.line}>
          <time dateTime={timestamp} title={formatDate(timestamp, "time")} className={styles.time}>
            {timeOf(timestamp)}
          </time>
          <code className={styles.type} data-tone={toneOf(type)}>
            {type}
          </code>
          <span className={styles.subject}>{subjectOf(event)}</span>
        </summary>
        {isOpen && (
          <div className={styles.details}>
            {isFile(event) && (
              <p>
                <Link to={`/library/${String(data._id)}`}>Open the file</Link>
              </p>
            )}
            <CodeBlock code={JSON.stringify(event, null, 2)} label={`${type} as JSON`} />
          </div>
        )}
      </details>
    </li>
  );
}

/** The time of day, after the day if it is not today. */
function timeOf(timestamp: string): string {
  const day = formatDate(timestamp, "short");
  const time = TIME.format(Date.parse(timestamp));
  return day === formatDate(Date.now(), "short") ? time : `${day}, ${time}`;
}

function isFile({ type }: Event): boolean {
  return /^(upload|thumbnail|image)\./.test(type) && type !== "image.deleted";
}

function toneOf(type: Event["type"]): "good" | "bad" | undefined {
  if (type === "upload.completed" || type === "thumbnail.ready" || type === "image.restored") return "good";
  return type === "thumbnail.failed" || type === "image.deleted" || type === "usage.alert" ? "bad" : undefined;
}

/** The name of the file that an event is about, or another word for its subject. */
function subjectOf({ type, data }: Event): string {
  if (type === "usage.alert") return `${String(data.threshold)} % of the month's operations`;
  // A deletion has only the key of the stored file.
  const stored = typeof data.filename === "string" ? data.filename.replace(KEY_START, "") : undefined;
  return isolate(String(data.originalFilename ?? stored ?? data._id));
}
