import type { IncomingMessage, ServerResponse } from "node:http";
import { Refusal } from "./refusal.ts";

const DRAIN_TIMEOUT_MS = 5000;

export function sendJson(response: ServerResponse, status: number, body: object, headers: object = {}): void {
  const text = JSON.stringify(body);
  response.writeHead(status, {
    "Content-Type": "application/json",
    "Content-Length": Buffer.byteLength(text),
    "Cache-Control": "no-store",
    ...headers,
  });
  response.end(text);
}

/** Answers with the refusal's status and `{reason}`; anything else is a fault of ours, logged and answered 500 without details. */
export function sendFailure(request: IncomingMessage, response: ServerResponse, error: unknown): void {
  if (!(error instanceof Refusal)) console.error(JSON.stringify({ event: "request failed", error: String(error) }));
  if (response.headersSent) {
    response.destroy();
    return;
  }
  const { status, message, retryAfterSeconds } =
    error instanceof Refusal ? error : { status: 500, message: "internal error", retryAfterSeconds: undefined };
  const headers = retryAfterSeconds === undefined ? {} : { "Retry-After": String(retryAfterSeconds) };
  sendJson(response, status, { reason: message }, headers);
  drain(request);
}

/** Reads what the client still sends, for a while: a closed connection would take the answer with it. */
function drain(request: IncomingMessage): void {
  if (request.complete) return;
  const timer = setTimeout(() => request.destroy(), DRAIN_TIMEOUT_MS);
  request.once("close", () => clearTimeout(timer));
  request.resume();
}
