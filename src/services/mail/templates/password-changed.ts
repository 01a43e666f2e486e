import type { MailContent, MailScope } from "./layout.ts";

/** The account's password was changed or reset. */
export function passwordChanged(_: Record<string, never>, { origin }: MailScope): MailContent {
  return {
    subject: "Your password was changed",
    paragraphs: ["The password of your account was changed. Its other sessions were ended."],
    notes: [`If you did not change it, reset it at once: ${origin}/dashboard/forgot`],
  };
}
