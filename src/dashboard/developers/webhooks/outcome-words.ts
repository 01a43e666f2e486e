import type { WebhookTest } from "../../../client/types.ts";

const REASONS: Readonly<Record<NonNullable<WebhookTest["error"]>, string>> = {
  timeout: "no response within ten seconds",
  connection: "the connection failed",
  dns: "the host name was not found",
  address: "the host name has no public address",
  redirect: "the receiver redirected, which is not followed",
  status: "the status was not 2xx",
  gone: "the receiver answered 410, so the webhook is disabled",
  email: "the e-mail could not be sent",
};

/** The result of a delivery: `200 in 41 ms`, `Not delivered: the host name was not found`. */
export function outcomeInWords({ delivered, status, error, durationMs }: WebhookTest): string {
  const time = ` in ${durationMs} ms`;
  if (delivered) return `${status ?? "Delivered"}${time}`;
  const reason = error === null ? "unknown reason" : REASONS[error];
  return `Not delivered: ${reason}${status === null ? "" : ` (${status}${time})`}`;
}
