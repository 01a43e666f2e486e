import type { MailContent, MailScope } from "./layout.ts";

interface NewDeviceValues {
  /** In words for people. */
  readonly device: string;
  readonly address: string;
  /** ISO 8601. */
  readonly at: string;
}

/** A device that has never logged in to the account has opened a session (SIGN-3). */
export function newDevice({ device, address, at }: NewDeviceValues, { origin }: MailScope): MailContent {
  return {
    subject: "A new device logged in to your account",
    paragraphs: [`A device that has not logged in before opened a session: ${device}, address ${address}, at ${at}.`],
    notes: [
      "If it was you, there is nothing to do.",
      `If it was not you, change your password at once: ${origin}/dashboard/settings/account. This ends all other sessions. Revoke the keys that you do not know.`,
    ],
  };
}
