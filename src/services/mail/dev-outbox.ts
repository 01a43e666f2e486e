import type { Mail } from "./mail.ts";

export interface KeptMail extends Mail {
  readonly at: number;
}

const MAX_KEPT = 100;

/** The newest mails of `npm start`. Its only isolate handles the queue and the requests, so memory is enough. */
const kept: KeptMail[] = [];

/** Prints a mail instead of sending it. Only `npm start` sets this up (`MAIL_DEV`). */
export function keepForDevelopment(mail: Mail): void {
  kept.push({ ...mail, at: Date.now() });
  if (kept.length > MAX_KEPT) kept.shift();
  // `npm start` hides lower levels.
  console.warn(`Mail to ${mail.to}: ${mail.subject}\n\n${mail.text}`);
}

/** The mails that would have been sent, newest first. @param to lower case; undefined for all */
export function listDevelopmentMails(to?: string): KeptMail[] {
  return kept.filter((mail) => to === undefined || mail.to === to).reverse();
}
