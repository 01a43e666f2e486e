import type { Mail } from "../mail.ts";
import { layOut, type MailContent, type MailScope } from "./layout.ts";

/** Every mail of the service. A template takes JSON values, because a queue's message carries them. */
const TEMPLATES = {
  "usage-alert": usageAlert,
  "password-changed": passwordChanged,
  "new-device": newDevice,
  invitation,
  "verify-email": verifyEmail,
  "reset-password": resetPassword,
  "confirm-old-email": confirmOldEmail,
  "confirm-new-email": confirmNewEmail,
  "email-in-use": emailInUse,
  "webhook-disabled": webhookDisabled,
} as const;

export type MailTemplate = keyof typeof TEMPLATES;
export type MailValues<Template extends MailTemplate> = Parameters<(typeof TEMPLATES)[Template]>[0];

export function isMailTemplate(name: unknown): name is MailTemplate {
  return typeof name === "string" && Object.hasOwn(TEMPLATES, name);
}

/** Renders a mail without its address. */
export function renderMail<Template extends MailTemplate>(
  template: Template,
  values: MailValues<Template>,
  scope: MailScope,
): Omit<Mail, "to"> {
  const make = TEMPLATES[template] as (values: MailValues<Template>, scope: MailScope) => MailContent;
  return layOut(make(values, scope), scope);
}

interface UsageAlertValues {
  /** Percent of the month's limit. */
  readonly threshold: number;
  readonly used: number;
  readonly limit: number;
  /** ISO 8601. */
  readonly resetAt: string;
}

/** The account's operations have reached a threshold (ALERT-2). */
function usageAlert({ threshold, used, limit, resetAt }: UsageAlertValues): MailContent {
  const consequence =
    threshold === 100
      ? "Uploads and deletions are refused until then; files stay available."
      : "Uploads and deletions are refused at 100 %; files stay available.";
  return {
    subject: `${threshold} % of this month's operations are used`,
    paragraphs: [
      `Your account has used ${used.toLocaleString("en")} of this month's ${limit.toLocaleString("en")} operations: ${threshold} % or more.`,
      `${consequence} The count resets at ${resetAt}.`,
    ],
  };
}

/** The account's password was changed or reset. */
function passwordChanged(_: Record<string, never>, { origin }: MailScope): MailContent {
  return {
    subject: "Your password was changed",
    paragraphs: ["The password of your account was changed. Its other sessions were ended."],
    notes: [`If you did not change it, reset it at once: ${origin}/dashboard/forgot`],
  };
}

interface NewDeviceValues {
  /** In words for people. */
  readonly device: string;
  readonly address: string;
  /** ISO 8601. */
  readonly at: string;
}

/** A device that has never logged in to the account has opened a session (SIGN-3). */
function newDevice({ device, address, at }: NewDeviceValues, { origin }: MailScope): MailContent {
  return {
    subject: "A new device logged in to your account",
    paragraphs: [`A device that has not logged in before opened a session: ${device}, address ${address}, at ${at}.`],
    notes: [
      "If it was you, there is nothing to do.",
      `If it was not you, change your password at once: ${origin}/dashboard/settings/account. This ends all other sessions. Revoke the keys that you do not know.`,
    ],
  };
}

interface InvitationValues {
  /** 128 bits, base64url. */
  readonly code: string;
  /** The days for which it is valid. */
  readonly days: number;
}

/** The operator invited the address to open an account. */
function invitation({ code, days }: InvitationValues, { origin }: MailScope): MailContent {
  return {
    subject: "You are invited to open an account",
    paragraphs: ["You can open an account with this e-mail address."],
    action: { label: "Create an account", url: `${origin}/dashboard/register?invite=${code}` },
    notes: [
      `The link is valid once, for ${days} ${days === 1 ? "day" : "days"}. Ignore this mail if you do not expect it.`,
    ],
  };
}

/** An account was opened with this address (ACC-4). */
function verifyEmail({ url, code }: { readonly url: string; readonly code: string }): MailContent {
  return {
    subject: "Verify your e-mail address",
    paragraphs: ["An account was opened with this address. Verify that it is yours within 24 hours."],
    action: { label: "Verify the address", url },
    code,
    notes: ["You can type the code instead of following the link. If you opened no account, ignore this mail."],
  };
}

/** A request for a new password was made (ACC-5). */
function resetPassword({ url }: { readonly url: string }): MailContent {
  return {
    subject: "Reset your password",
    paragraphs: ["Somebody asked for a new password for your account. The link is valid once, for 30 minutes."],
    action: { label: "Choose a new password", url },
    notes: ["If it was not you, ignore this mail: your password stays as it is."],
  };
}

/** The owner asked for another address; this mail goes to the present one (ACC-6). */
function confirmOldEmail({ url, newEmail }: { readonly url: string; readonly newEmail: string }): MailContent {
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

/** The owner of an account asked for this address (ACC-6). */
function confirmNewEmail({ url }: { readonly url: string }): MailContent {
  return {
    subject: "Confirm your new e-mail address",
    paragraphs: ["The owner of an account wants to use this address. Confirm within 24 hours that it is yours."],
    action: { label: "Confirm the address", url },
    notes: ["If you do not know about it, ignore this mail."],
  };
}

/** The owner of another account asked for this address, which has an account already (ACC-6). */
function emailInUse(_: Record<string, never>, { origin }: MailScope): MailContent {
  return {
    subject: "This address has an account already",
    paragraphs: [
      "The owner of another account wanted to use this address. It has an account already, so nothing was changed.",
    ],
    notes: [`If it was you, log in with this address, or erase its account first: ${origin}/dashboard/login`],
  };
}

interface WebhookDisabledValues {
  readonly name: string;
  readonly host: string;
  /** ISO 8601. */
  readonly at: string;
  readonly reason: string;
}

/** A webhook's receiver does not accept events any more (EVENT-3). */
function webhookDisabled({ name, host, at, reason }: WebhookDisabledValues, { origin }: MailScope): MailContent {
  const cause = reason === "gone" ? "answered 410" : "accepted nothing for three days";
  return {
    subject: `The webhook "${name}" was disabled`,
    paragraphs: [
      `The receiver of your webhook "${name}" at ${host} ${cause}. Nothing has been sent to it since ${at}.`,
      "Set the webhook again when its receiver works. It then gets the events of the last three days.",
    ],
    action: { label: "Open the settings", url: `${origin}/dashboard/settings` },
  };
}
