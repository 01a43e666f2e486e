import type { IncomingMessage, ServerResponse } from "node:http";
import { NoPicture, Refusal } from "./refusal.ts";

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

/**
 * Answers with the refusal's status and `{reason, code?}`. Any other error is a fault of this program: it is logged and answered 500
 * without details.
 */
export function sendFailure(request: IncomingMessage, response: ServerResponse, error: unknown): void {
  if (!(error instanceof Refusal)) console.error(JSON.stringify({ event: "request failed", error: String(error) }));
  if (response.headersSent) {
    response.destroy();
    return;
  }
  const { status, message, retryAfterSeconds } =
    error instanceof Refusal ? error : { status: 500, message: "internal error", retryAfterSeconds: undefined };
  const headers = retryAfterSeconds === undefined ? {} : { "Retry-After": String(retryAfterSeconds) };
  const code = error instanceof NoPicture ? { code: error.code } : {};
  sendJson(response, status, { reason: message, ...code }, headers);
  drain(request);
}

/** Reads the rest of the request for a while, because closing the connection would lose the answer. */
function drain(request: IncomingMessage): void {
  if (request.complete) return;
  const timer = setTimeout(() => request.destroy(), DRAIN_TIMEOUT_MS);
  request.once("close", () => clearTimeout(timer));
  request.resume();
}
