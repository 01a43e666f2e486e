import { findAccountByEmail } from "../../db/directory/accounts.ts";
import { appendAudit, endAudit, listAudit as list } from "../../db/directory/audit.ts";
import type { AuditEntry } from "../../db/directory/schema.ts";
import { newId } from "../../domain/ids.ts";
import { toLogLine } from "../../domain/log-line.ts";
import { hashSecret } from "../auth/secrets.ts";
import type { Services } from "../context.ts";
import { type Page, type PageQuery, readPage } from "../paging.ts";

/** Digits of an address's hash: enough to recognise it. */
const HASH_DIGITS = 16;

export type OperatorAction = Pick<AuditEntry, "actor" | "action" | "subject" | "reason">;

type Stores = Pick<Services, "directory" | "now">;

/**
 * Records an action before it is carried out, so that no action lacks an entry.
 * @param status the answer's status, if the action has ended
 * @returns the entry's id
 */
export async function recordAction(
  { directory, now }: Stores,
  action: OperatorAction,
  status: number | null = null,
): Promise<string> {
  const at = now();
  const id = newId(at);
  await appendAudit(directory, { id, at, ...action, status });
  return id;
}

/** Records how an action ended. A failure is only logged: the entry then has no status. */
export async function recordEnd({ directory }: Stores, id: string, status: number): Promise<void> {
  try {
    await endAudit(directory, id, status);
  } catch (error) {
    console.error(toLogLine("audit.not-ended", { id }, error));
  }
}

/**
 * The subject that stands for an address: its account's id. An address without an account is a part of its hash,
 * because no e-mail stays in the log after its account is erased.
 * @param email lower case
 */
export async function toSubject({ directory }: Pick<Services, "directory">, email: string): Promise<string> {
  const account = await findAccountByEmail(directory, email);
  return account?.id ?? `email:${(await hashSecret(email)).slice(0, HASH_DIGITS)}`;
}

/** The operator's actions, newest first. @param subject only actions on this subject */
export async function listAudit(
  services: Pick<Services, "directory" | "config">,
  { subject, ...query }: PageQuery & { readonly subject?: string | undefined },
): Promise<Page<AuditEntry>> {
  return readPage(services, query, {
    list: { name: "listAudit", filters: { subject } },
    read: (after: [id: string] | undefined, limit) => list(services.directory, { before: after?.[0], subject, limit }),
    positionOf: ({ id }) => [id],
  });
}
