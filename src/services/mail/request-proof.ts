import { toLogLine } from "../../domain/log-line.ts";
import type { ProofRequested } from "../../domain/queue-messages.ts";
import { hashSecret } from "../auth/secrets.ts";
import type { Services } from "../context.ts";
import type { MailSending } from "./send-mail.ts";

/**
 * The limit of mails with links to one address. Its time is the validity of the shortest link, so that the owner does not wait longer than
 * for a new link.
 */
const MAILS_PER_RECIPIENT = { count: 3, windowSeconds: 30 * 60 } as const;

type Proof = WithoutFrame<ProofRequested>;
/** `Omit` of each member of the union. */
type WithoutFrame<Message> = Message extends unknown ? Omit<Message, "type" | "origin"> : never;

/**
 * Puts a request for a mailed link into the queue. The consumer finds the account and makes the link, so the message
 * holds no secret, and the time of this call does not depend on the account. It never throws. It does nothing if no mail
 * can be sent.
 */
export async function requestProof({ mails, config }: MailSending, proof: Proof): Promise<void> {
  const { isSetUp, origin } = config.mail;
  if (!isSetUp) return;
  try {
    await mails.send({ type: "proof.requested", ...proof, origin } as ProofRequested);
  } catch (error) {
    console.error(toLogLine("mail.not-queued", { purpose: proof.purpose }, error));
  }
}

/**
 * Counts a mail to an address, so that no one can flood it.
 * @param email lower case
 * @returns 0 if the mail may be sent, else the seconds until the next one may
 */
export async function countMailTo(
  { addressMeterOf }: Pick<Services, "addressMeterOf">,
  email: string,
): Promise<number> {
  return addressMeterOf(`mail-to:${await hashSecret(email)}`).countOne(MAILS_PER_RECIPIENT);
}
