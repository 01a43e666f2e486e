import { ERRORS } from "../../domain/errors.ts";
import type { Config } from "../context.ts";

/** @throws ServiceError 403 if no mail can be sent */
export function requireMail({ mail }: Pick<Config, "mail">): void {
  if (!mail.isSetUp) throw ERRORS.MailNotSetUp();
}
