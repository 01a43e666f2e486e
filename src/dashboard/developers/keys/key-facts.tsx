import type { ReactNode } from "react";
import type { Key, KeyAnalytics } from "../../../client/index.ts";
import { formatCount, formatDate } from "../../design/format.ts";
import { formatRelative } from "../../design/format-relative.ts";
import { KeyEnd } from "./key-end.tsx";
import styles from "./key-facts.module.css";
import { KeyFolder } from "./key-folder.tsx";
import { scopesInWords } from "./scopes.ts";

interface KeyFactsProps {
  readonly of: Key;
  readonly actions?: ReactNode;
  readonly total: KeyAnalytics["total"] | undefined;
}

/** A key's details and its figures of the last 30 days. */
export function KeyFacts({ of: key, total, actions }: KeyFactsProps) {
  const { lastFour, scopes, createdAt, lastUsedAt, kind, expiresAt, folderId } = key;
  const figures = total && [
    ["Requests", formatCount(total.requests)],
    ["Uploads and deletions", formatCount(total.operations)],
    ["Errors", formatCount(total.errors)],
  ];
  const facts = [
    ["Ends with", <code key="code">…{lastFour}</code>],
    ["Permissions", kind === "api" ? scopesInWords(scopes) : "Upload only"],
    ...(kind === "api" ? [["Folder", <KeyFolder key="folder" id={folderId} />] as const] : []),
    ["Created", formatDate(createdAt)],
    ...(kind === "api" ? [["Expires", <KeyEnd key="end" at={expiresAt} />] as const] : []),
    ["Last used", lastUsedAt === null ? "Never" : formatRelative(lastUsedAt)],
  ] as const;
  return (
    <div className={styles.facts}>
      {figures && (
        <dl className={styles.figures} aria-label="The last 30 days">
          {figures.map(([title, value]) => (
            <div key={title}>
              <dt>{title}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      )}
      <div className={styles.row}>
        <dl className={styles.list}>
          {facts.map(([title, value]) => (
            <div key={title}>
              <dt>{title}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
        {actions && <div className={styles.actions}>{actions}</div>}
      </div>
    </div>
  );
}
