import type { MailContent, MailScope } from "./layout.ts";

/** The owner of another account asked for this address, which has an account already (ACC-6). */
export function emailInUse(_: Record<string, never>, { origin }: MailScope): MailContent {
  return {
    subject: "This address has an account already",
    paragraphs: [
      "The owner of another account wanted to use this address. It has an account already, so nothing was changed.",
    ],
    notes: [`If it was you, log in with this address, or erase its account first: ${origin}/dashboard/login`],
  };
}
