import type { Account } from "../../db/directory/schema.ts";
import { ERRORS, type ServiceError } from "../../domain/errors.ts";
import { newId } from "../../domain/ids.ts";
import { NEW_DEVICE_MAILS } from "../../domain/log-in-limits.ts";
import { signSessionToken } from "../auth/session-tokens.ts";
import type { Config, Services } from "../context.ts";
import { type MailSending, sendMail } from "../mail/send-mail.ts";
import { deviceDigests, type SessionClient } from "../sessions/identify-device.ts";

export interface Session {
  readonly token: string;
  readonly expiresAt: number;
}

/** A session that the account's meter does not know yet. */
export async function newSession(
  { now, config }: Pick<Services, "now"> & { readonly config: Pick<Config, "jwtSecret"> },
  accountId: string,
): Promise<{ session: Session; sessionId: string }> {
  const createdAt = now();
  const sessionId = newId(createdAt);
  return { sessionId, session: await signSessionToken({ accountId, sessionId }, config.jwtSecret, createdAt) };
}

/**
 * Opens a session after its owner was verified. The owner gets a mail if the device is new (SIGN-3), at most 20 a day.
 * @param toRefusal the error if the password was changed or the account erased since `account` was read
 * @throws ServiceError of `toRefusal`; 403 if the account is suspended
 */
export async function openSession(
  services: Pick<Services, "meterOf" | "addressMeterOf" | "now"> &
    MailSending & { readonly config: Pick<Config, "jwtSecret"> },
  { id: accountId, email, passwordHash }: Pick<Account, "id" | "email" | "passwordHash">,
  client: SessionClient,
  toRefusal: () => ServiceError,
): Promise<Session> {
  const { session, sessionId } = await newSession(services, accountId);
  const { expiresAt } = session;
  const { device, address } = client;
  const opening = await services
    .meterOf(accountId)
    .openSession({ sessionId, expiresAt, device, address, deviceDigests: await deviceDigests(client) }, passwordHash);
  if (opening.outcome === "refused") throw toRefusal();
  if (opening.outcome === "suspended") throw ERRORS.AccountSuspended(opening.reason);
  if (opening.isNewDevice && (await countMail(services, accountId))) {
    const at = new Date(services.now()).toISOString();
    await sendMail(services, { to: email, template: "new-device", values: { device, address, at } });
  }
  return session;
}

/** Counts a mail about a new device. If it cannot be counted, it is sent. @returns whether it may be sent */
async function countMail({ addressMeterOf }: Pick<Services, "addressMeterOf">, accountId: string): Promise<boolean> {
  const wait = await addressMeterOf(`new-device:${accountId}`)
    .countOne(NEW_DEVICE_MAILS)
    .catch(() => 0);
  return wait === 0;
}
