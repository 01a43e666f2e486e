import type { MailContent } from "./layout.ts";

/** An account was opened with this address (ACC-4). */
export function verifyEmail({ url, code }: { readonly url: string; readonly code: string }): MailContent {
  return {
    subject: "Verify your e-mail address",
    paragraphs: ["An account was opened with this address. Verify that it is yours within 24 hours."],
    action: { label: "Verify the address", url },
    code,
    notes: ["You can type the code instead of following the link. If you opened no account, ignore this mail."],
  };
}
