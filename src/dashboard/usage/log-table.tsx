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
  /** Another page is on its way. */
  readonly isStale: boolean;
}

/** Operations as the log has them. A deleted file has no page any more. */
export function LogTable({ entries, keys, isStale }: LogTableProps) {
  const names = new Map(keys.map(({ _id, name }) => [_id, name]));
  return (
    <TableScroll label="Operations" isBusy={isStale}>
      <table className={classNames(table.table, styles.table, isStale && styles.stale)}>
        <thead>
          <tr>
            <th scope="col">Time</th>
            <th scope="col">What</th>
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
          {entries.map(({ _id, timestamp, type, resourceId, keyId, weight, class: of }) => (
            <tr key={_id}>
              <td title={timestamp}>
                <time dateTime={timestamp}>{formatDate(timestamp, "time")}</time>
              </td>
              <td>{WORDS[type]}</td>
              <td>
                {type === "delete" ? (
                  <code>{resourceId}</code>
                ) : (
                  <Link to={`/library/${resourceId}`} className={styles.link}>
                    <code>{resourceId}</code>
                  </Link>
                )}
              </td>
              <td className={table.soft}>
                {keyId === null ? (type === "view" ? "–" : "Dashboard") : nameOf(keyId, names)}
              </td>
              <td className={table.number}>{of}</td>
              <td className={table.number}>{weight}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </TableScroll>
  );
}

function nameOf(keyId: string, names: ReadonlyMap<string, string>) {
  const name = names.get(keyId);
  if (name === undefined) return "A revoked key";
  return <Link to={`/keys/${keyId}`}>{name}</Link>;
}
