import { Link } from "wouter";
import type { AuditEntry } from "../../client/types.ts";
import { ACCOUNT_ACTOR } from "../../domain/operator.ts";
import { useAccount } from "../api/queries/account.ts";
import { classNames } from "../design/class-names.ts";
import { formatDate } from "../design/format.ts";
import table from "../design/table.module.css";
import { TableScroll } from "../design/table-scroll.tsx";
import styles from "./operator.module.css";

const ID = /^[0-9a-z]{26}$/;
/** Actions whose subject is an account. */
const ON_ACCOUNTS = /Account|Tier|Operator|Sessions|PasswordReset/;

interface AuditTableProps {
  readonly label: string;
  readonly entries: readonly AuditEntry[];
  /** Whether the subjects are shown. */
  readonly hasSubjects?: boolean;
}

/** Actions of the operator, newest first. */
export function AuditTable({ label, entries, hasSubjects = false }: AuditTableProps) {
  const own = `${ACCOUNT_ACTOR}${useAccount().data?._id}`;
  return (
    <TableScroll label={label}>
      <table className={classNames(table.table, table.cards, styles.wide)}>
        <thead>
          <tr>
            <th scope="col">Time</th>
            <th scope="col">Action</th>
            {hasSubjects && <th scope="col">On</th>}
            <th scope="col">By</th>
            <th scope="col">Reason</th>
            <th scope="col">Outcome</th>
          </tr>
        </thead>
        <tbody>
          {entries.map(({ id, at, action, subject, actor, reason, status }) => (
            <tr key={id}>
              <td className={styles.time}>
                <time dateTime={at}>{formatDate(at, "time")}</time>
              </td>
              <td className={classNames(table.lead, styles.time)}>{toWords(action)}</td>
              {hasSubjects && (
                <td data-label="On">
                  {subject === null ? "–" : <Id id={subject} isAccount={ON_ACCOUNTS.test(action)} />}
                </td>
              )}
              <td data-label="By">{actor === own ? "You" : <Actor actor={actor} />}</td>
              <td data-label="Reason" className={styles.reason}>
                {reason ?? "–"}
              </td>
              <td className={status === null || status >= 400 ? styles.bad : table.soft}>{outcomeOf(status)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </TableScroll>
  );
}

/** The name that the command line sent, or the account whose session acted. */
function Actor({ actor }: { readonly actor: string }) {
  return actor.startsWith(ACCOUNT_ACTOR) ? <Id id={actor.slice(ACCOUNT_ACTOR.length)} isAccount /> : actor;
}

function Id({ id, isAccount }: { readonly id: string; readonly isAccount: boolean }) {
  return isAccount && ID.test(id) ? (
    <Link to={`/operator/accounts/${id}`} className={styles.id}>
      {id}
    </Link>
  ) : (
    <code className={styles.id}>{id}</code>
  );
}

/** "suspendAccount" -> "Suspend account". */
function toWords(action: string): string {
  const words = action.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function outcomeOf(status: number | null): string {
  if (status === null) return "Unknown";
  return status < 400 ? "Done" : `Refused, ${status}`;
}
