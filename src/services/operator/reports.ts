import { decideReport as decide, insertReport, listReports as list } from "../../db/directory/reports.ts";
import type { Report } from "../../db/directory/schema.ts";
import { ERRORS } from "../../domain/errors.ts";
import { findAddressedFile } from "../../domain/file-address.ts";
import { newId } from "../../domain/ids.ts";
import { verifyTurnstile } from "../auth/verify-turnstile.ts";
import type { Services } from "../context.ts";
import { type Page, type PageQuery, readPage } from "../paging.ts";

/** The limit of reports of one address. */
const REPORTS = { count: 10, windowSeconds: 60 * 60 };

export interface NewReport {
  readonly url: string;
  readonly reason: string;
  readonly email?: string | undefined;
  readonly turnstileToken?: string | undefined;
}

/**
 * Stores a person's report of a file for the operator.
 * @param from the sender's address, and the request's host
 * @returns the report's id
 * @throws ServiceError 400 or 403 for a failed challenge, 429 after ten reports of the address in an hour, 503
 */
export async function fileReport(
  services: Pick<Services, "directory" | "addressMeterOf" | "config" | "now">,
  { url, reason, email, turnstileToken }: NewReport,
  from: { readonly address: string; readonly hostname: string },
): Promise<string> {
  const waitSeconds = await services.addressMeterOf(`report:${from.address}`).countOne(REPORTS);
  if (waitSeconds > 0) throw ERRORS.TooManyAttempts(waitSeconds);
  const { turnstile } = services.config.registration;
  if (turnstile !== undefined) await verifyTurnstile(turnstile, turnstileToken, from);
  const createdAt = services.now();
  const id = newId(createdAt);
  const { accountId = null, uploadId = null } = findAddressedFile(url) ?? {};
  const open = { decision: null, note: null, decidedAt: null };
  await insertReport(services.directory, {
    id,
    source: "public",
    url,
    accountId,
    uploadId,
    reason,
    email: email ?? null,
    createdAt,
    ...open,
  });
  return id;
}

/** Reports, oldest first. @param isOpen leaves decided ones out */
export async function listReports(
  services: Pick<Services, "directory" | "config">,
  { isOpen, ...query }: PageQuery & { readonly isOpen: boolean },
): Promise<Page<Report>> {
  return readPage(services, query, {
    list: { name: "listReports", filters: { isOpen } },
    read: (after: [id: string] | undefined, limit) =>
      list(services.directory, { after: after?.[0] ?? "", isOpen, limit }),
    positionOf: ({ id }) => [id],
  });
}

/** Records the operator's decision. Takedown and suspension are actions of their own. @throws ServiceError 404 */
export async function decideReport(
  { directory, now }: Pick<Services, "directory" | "now">,
  id: string,
  { decision, reason }: { readonly decision: NonNullable<Report["decision"]>; readonly reason: string },
): Promise<Report> {
  const decided = await decide(directory, id, { decision, note: reason, decidedAt: now() });
  if (decided === undefined) throw ERRORS.ReportNotFound();
  return decided;
}
