import { type EmailBindings, sendsEmail } from "../../meter/sends-email.ts";
import { type Bindings, NO_REQUEST, openServices } from "../open-services.ts";
import type { AlertContext } from "./deliver-alert.ts";

/** What delivering alerts needs of a Worker's bindings. */
export function openAlertContext(bindings: Bindings & EmailBindings): AlertContext {
  const { EMAIL, ALERT_EMAIL_FROM: from } = bindings;
  const mailer = EMAIL !== undefined && sendsEmail(bindings) ? { email: EMAIL, from } : undefined;
  return { ...openServices(bindings, NO_REQUEST), mailer };
}
