/** What sends e-mail, where the deployment has it (Cloudflare Email Service, "Workers API"). */
export interface EmailBindings {
  readonly EMAIL?: SendEmail;
  readonly ALERT_EMAIL_FROM: string;
}

/** Whether alerts go out by e-mail: there is something that sends it, and somebody whom it is from. */
export function sendsEmail({ EMAIL, ALERT_EMAIL_FROM }: EmailBindings): boolean {
  return EMAIL !== undefined && ALERT_EMAIL_FROM !== "";
}
