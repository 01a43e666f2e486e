import type { MailContent } from "./layout.ts";

/** The owner of an account asked for this address (ACC-6). */
export function confirmNewEmail({ url }: { readonly url: string }): MailContent {
  return {
    subject: "Confirm your new e-mail address",
    paragraphs: ["The owner of an account wants to use this address. Confirm within 24 hours that it is yours."],
    action: { label: "Confirm the address", url },
    notes: ["If you do not know about it, ignore this mail."],
  };
}
