import { findAccountByEmail } from "../../db/directory/accounts.ts";
import { putInvitation } from "../../db/directory/invitations.ts";
import type { Invitation } from "../../db/directory/schema.ts";
import { DAY_MS } from "../../domain/calendar.ts";
import { ERRORS } from "../../domain/errors.ts";
import type { Services } from "../context.ts";

const DEFAULT_DAYS = 30;

/**
 * Lets whoever has this email open one account where registration is by invitation. Inviting again renews the time.
 * @param email lower case
 * @param days how long it is good
 * @throws ServiceError 409 where the email has an account
 */
export async function invite(
  { directory, now }: Pick<Services, "directory" | "now">,
  email: string,
  days = DEFAULT_DAYS,
): Promise<Invitation> {
  if ((await findAccountByEmail(directory, email)) !== undefined) throw ERRORS.EmailTaken();
  const createdAt = now();
  const invitation = { email, createdAt, expiresAt: createdAt + days * DAY_MS };
  await putInvitation(directory, invitation);
  return { ...invitation, accountId: null, usedAt: null };
}
