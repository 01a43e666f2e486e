import { type Bindings, NO_REQUEST, openServices } from "../open-services.ts";
import type { MailContext } from "./deliver-mail.ts";
import { type MailerBindings, openMailer } from "./mailer.ts";

/** The context of mail deliveries over a Worker's bindings. */
export function openMailContext(bindings: Bindings & MailerBindings): MailContext {
  return { ...openServices(bindings, NO_REQUEST), mailer: openMailer(bindings) };
}
