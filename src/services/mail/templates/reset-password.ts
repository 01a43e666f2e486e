import type { MailContent } from "./layout.ts";

/** A request for a new password was made (ACC-5). */
export function resetPassword({ url }: { readonly url: string }): MailContent {
  return {
    subject: "Reset your password",
    paragraphs: ["Somebody asked for a new password for your account. The link is valid once, for 30 minutes."],
    action: { label: "Choose a new password", url },
    notes: ["If it was not you, ignore this mail: your password stays as it is."],
  };
}
