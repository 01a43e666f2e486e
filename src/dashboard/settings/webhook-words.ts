import type { WebhookTest } from "../../client/index.ts";

type DeliveryError = NonNullable<WebhookTest["error"]>;

const WORDS: Readonly<Record<DeliveryError, string>> = {
  timeout: "it did not answer within ten seconds",
  connection: "no connection to it could be made",
  dns: "its name was not found",
  address: "its name leads to an address that is not public",
  redirect: "it answered with a redirect, which is not followed",
  status: "it did not answer with 2xx",
  gone: "it answered 410, so nothing more is sent to it until it is set again",
  email: "no e-mail could be sent",
};

interface Outcome {
  readonly delivered: boolean;
  readonly status: number | null;
  readonly error: DeliveryError | null;
}

/** What a receiver made of a message: `200 in 41 ms`, `Not delivered: its name was not found`. */
export function outcomeInWords({ delivered, status, error }: Outcome, durationMs?: number): string {
  const time = durationMs === undefined ? "" : ` in ${durationMs} ms`;
  if (delivered) return `${status ?? "Delivered"}${time}`;
  const reason = error === null ? "the reason is not known" : WORDS[error];
  return `Not delivered: ${reason}${status === null ? "" : ` (${status}${time})`}`;
}
