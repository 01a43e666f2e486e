import type { MailContent, MailScope } from "./layout.ts";

interface InvitationValues {
  /** 128 bits, base64url. */
  readonly code: string;
  /** The days for which it is valid. */
  readonly days: number;
}

/** The operator invited the address to open an account. */
export function invitation({ code, days }: InvitationValues, { origin }: MailScope): MailContent {
  return {
    subject: "You are invited to open an account",
    paragraphs: ["You can open an account with this e-mail address."],
    action: { label: "Create an account", url: `${origin}/dashboard/register?invite=${code}` },
    notes: [
      `The link is valid once, for ${days} ${days === 1 ? "day" : "days"}. Ignore this mail if you do not expect it.`,
    ],
  };
}
