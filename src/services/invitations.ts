import { findAccountByEmail } from "../db/directory/accounts.ts";
import { deleteInvitation, listInvitations as list, putInvitation } from "../db/directory/invitations.ts";
import type { Invitation } from "../db/directory/schema.ts";
import { DAY_MS } from "../domain/calendar.ts";
import { ERRORS } from "../domain/errors.ts";
import { hashSecret, newInvitationCode } from "./auth/secrets.ts";
import type { Services } from "./context.ts";
import { sendMail } from "./mail/send-mail.ts";
import { type Page, type PageQuery, readPage } from "./paging.ts";

const DEFAULT_DAYS = 30;

export interface NewInvitation {
  readonly invitation: Invitation;
  /** The link is shown only once; undefined if it was mailed. */
  readonly shown: { readonly code: string; readonly url: string } | undefined;
}

/**
 * Lets the owner of an e-mail address open one account. The link with its code is mailed to the address, or returned if
 * no mail can be sent or `show` is set. A second invitation replaces the code and renews the time.
 * @param email lower case
 * @param options `days`: validity
 * @throws ServiceError 409 if the e-mail has an account
 */
export async function invite(
  services: Pick<Services, "directory" | "now" | "config" | "mails">,
  email: string,
  { days = DEFAULT_DAYS, show = false }: { readonly days?: number | undefined; readonly show?: boolean | undefined },
): Promise<NewInvitation> {
  const { directory, config } = services;
  if ((await findAccountByEmail(directory, email)) !== undefined) throw ERRORS.EmailTaken();
  const code = newInvitationCode();
  const createdAt = services.now();
  const invitation = { email, codeHash: await hashSecret(code), createdAt, expiresAt: createdAt + days * DAY_MS };
  await putInvitation(directory, invitation);
  const isMailed = config.mail.isSetUp && !show;
  if (isMailed) await sendMail(services, { to: email, template: "invitation", values: { code, days } });
  const url = `${config.mail.origin}/dashboard/register?invite=${code}`;
  return {
    invitation: { ...invitation, accountId: null, usedAt: null },
    shown: isMailed ? undefined : { code, url },
  };
}

/** The invitations by e-mail, including used and expired ones. */
export async function listInvitations(
  services: Pick<Services, "directory" | "config">,
  query: PageQuery,
): Promise<Page<Invitation>> {
  return readPage(services, query, {
    list: { name: "listInvitations" },
    read: (after: [email: string] | undefined, limit) => list(services.directory, after?.[0] ?? "", limit),
    positionOf: ({ email }) => [email],
  });
}

/**
 * Revokes an invitation. An account that was opened with it stays.
 * @throws ServiceError 404
 */
export async function uninvite({ directory }: Pick<Services, "directory">, email: string): Promise<void> {
  if (!(await deleteInvitation(directory, email))) throw ERRORS.InvitationNotFound();
}
