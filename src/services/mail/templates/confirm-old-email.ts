import type { MailContent } from "./layout.ts";

/** The owner asked for another address; this mail goes to the present one (ACC-6). */
export function confirmOldEmail({ url, newEmail }: { readonly url: string; readonly newEmail: string }): MailContent {
  return {
    subject: "Confirm the change of your e-mail address",
    paragraphs: [
      `Your account's address is to become ${newEmail}. Both addresses have to confirm this within 24 hours.`,
    ],
    action: { label: "Confirm the change", url },
    notes: [
      "If you did not ask for it, do not confirm, and change your password: somebody is logged in to your account.",
    ],
  };
}
