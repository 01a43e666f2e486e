import type { ReactNode } from "react";
import type { Key, KeyAnalytics } from "../../client/index.ts";
import { formatCount, formatDate, formatRelative } from "../design/format.ts";
import styles from "./key-facts.module.css";
import { scopesInWords } from "./scopes.ts";

interface KeyFactsProps {
  readonly of: Key;
  /** What can be done with it. */
  readonly actions?: ReactNode;
  readonly total: KeyAnalytics["total"] | undefined;
}

/** What a key is, and its figures of 30 days. */
export function KeyFacts({ of: key, total, actions }: KeyFactsProps) {
  const { lastFour, scopes, createdAt, lastUsedAt, kind } = key;
  const figures = total && [
    ["Requests", formatCount(total.requests)],
    ["Uploads and deletions", formatCount(total.operations)],
    ["Errors", formatCount(total.errors)],
  ];
  const facts = [
    ["Ends with", <code key="code">…{lastFour}</code>],
    ["May use", kind === "api" ? scopesInWords(scopes) : "Uploads alone"],
    ["Created", formatDate(createdAt)],
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
        {actions}
      </div>
    </div>
  );
}
