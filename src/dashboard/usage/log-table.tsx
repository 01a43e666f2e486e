import { Link } from "wouter";
import type { Key, LogEntry } from "../../client/index.ts";
import { classNames } from "../design/class-names.ts";
import { formatDate } from "../design/format.ts";
import table from "../design/table.module.css";
import { TableScroll } from "../design/table-scroll.tsx";
import styles from "./log-table.module.css";

const WORDS = { upload: "Uploaded", delete: "Deleted", view: "Viewed" } as const;

interface LogTableProps {
  readonly entries: readonly LogEntry[];
  readonly keys: readonly Key[];
  /** The next page is loading. */
  readonly isStale: boolean;
}

/** A page of the log. A deleted file is shown by its id, because it has no name and no page. */
export function LogTable({ entries, keys, isStale }: LogTableProps) {
  const names = new Map(keys.map(({ _id, name }) => [_id, name]));
  return (
    <TableScroll label="Operations" isBusy={isStale}>
      <table className={classNames(table.table, table.cards, styles.table, isStale && styles.stale)}>
        <thead>
          <tr>
            <th scope="col">Time</th>
            <th scope="col">Operation</th>
            <th scope="col">File</th>
            <th scope="col">Key</th>
            <th scope="col" className={table.number}>
              Class
            </th>
            <th scope="col" className={table.number}>
              Weight
            </th>
          </tr>
        </thead>
        <tbody>
          {entries.map(({ _id, timestamp, type, resourceId, originalFilename, keyId, weight, class: of }) => (
            <tr key={_id}>
              <td title={timestamp}>
                <time dateTime={timestamp}>{formatDate(timestamp, "time")}</time>
              </td>
              <td className={table.act}>{WORDS[type]}</td>
              <td className={table.lead}>
                {originalFilename === null ? (
                  <code title="Deleted">{resourceId}</code>
                ) : (
                  <Link to={`/library/${resourceId}`} className={styles.link} title={originalFilename}>
                    {originalFilename}
                  </Link>
                )}
              </td>
              <td className={table.soft}>
                {keyId === null ? (type === "view" ? "–" : "Dashboard") : nameOf(keyId, names)}
              </td>
              <td data-label="Class" className={table.number}>
                {of}
              </td>
              <td data-label="Weight" className={table.number}>
                {weight}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </TableScroll>
  );
}

function nameOf(keyId: string, names: ReadonlyMap<string, string>) {
  const name = names.get(keyId);
  if (name === undefined) return "Revoked key";
  return <Link to={`/keys/${keyId}`}>{name}</Link>;
}
