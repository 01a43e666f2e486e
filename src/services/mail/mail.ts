/** A mail as it is sent. */
export interface Mail {
  /** One address. */
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/** A mail that was not sent. Its message has no address, because it is logged. */
export class MailError extends Error {
  /** Whether another attempt would fail as well, because of the address or the mail. */
  readonly isPermanent: boolean;

  /** @param code the sender's fixed word for the failure */
  constructor(code: string, { isPermanent = false }: { readonly isPermanent?: boolean } = {}) {
    super(`The mail was not sent: ${code}`);
    this.name = "MailError";
    this.isPermanent = isPermanent;
  }
}
