import type { Mail } from "../mail.ts";
import { confirmNewEmail } from "./confirm-new-email.ts";
import { confirmOldEmail } from "./confirm-old-email.ts";
import { emailInUse } from "./email-in-use.ts";
import { invitation } from "./invitation.ts";
import { layOut, type MailContent, type MailScope } from "./layout.ts";
import { newDevice } from "./new-device.ts";
import { passwordChanged } from "./password-changed.ts";
import { resetPassword } from "./reset-password.ts";
import { usageAlert } from "./usage-alert.ts";
import { verifyEmail } from "./verify-email.ts";

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
