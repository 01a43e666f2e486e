import { isIP } from "node:net";
import { ERRORS } from "../../domain/errors.ts";
import { toLogLine } from "../../domain/log-line.ts";
import { TURNSTILE_ACTION } from "../../domain/registration.ts";
import type { TurnstileConfig } from "../read-config.ts";

const TIMEOUT_MS = 5000;
const RETRY_AFTER_SECONDS = 5;
/** The most bytes of an answer. Answers have a few hundred. */
const MAX_ANSWER_CHARACTERS = 16_384;
/** Siteverify's codes about the client's token. Its other codes are faults of the configuration or of Turnstile. */
const CLIENT_ERRORS = ["missing-input-response", "invalid-input-response", "timeout-or-duplicate"];

interface SiteverifyAnswer {
  readonly success: boolean;
  readonly "error-codes"?: readonly string[];
  readonly hostname?: string;
  readonly action?: string;
}

/**
 * Asks Turnstile whether a token comes from a recent solution of the registration form's challenge (Turnstile
 * documentation, "Validate the token"). A token is valid for one request; a lost request is repeated with the same
 * idempotency key.
 * @param request `hostname`: the request's host; `address`: the client's, if it is known
 * @throws ServiceError 400 without a token, 403 for an invalid one, 503 if Turnstile gives no verdict
 */
export async function verifyTurnstile(
  turnstile: TurnstileConfig,
  token: string | undefined,
  request: { readonly hostname: string; readonly address: string | undefined },
): Promise<void> {
  if (token === undefined)
    throw ERRORS.InvalidRequest({ turnstileToken: "Required: the token of the form's anti-bot check" });
  const question = {
    secret: turnstile.secretKey,
    response: token,
    idempotency_key: crypto.randomUUID(),
    // Neither an IPv6 network of 64 bits nor a Worker's zone is an address.
    ...(isIP(request.address ?? "") === 0 ? {} : { remoteip: request.address }),
  };
  const answer = (await ask(turnstile.verifyUrl, question)) ?? (await ask(turnstile.verifyUrl, question));
  if (answer === undefined) throw ERRORS.Unavailable(RETRY_AFTER_SECONDS);
  const codes = answer["error-codes"] ?? [];
  if (!answer.success) {
    if (codes.includes("timeout-or-duplicate")) throw ERRORS.ChallengeFailed("used or expired: get a new token");
    if (codes.some((code) => CLIENT_ERRORS.includes(code))) throw ERRORS.ChallengeFailed("not valid");
    console.error(toLogLine("turnstile.refused-us", { codes: codes.slice(0, 5).join().slice(0, 200) }));
    throw ERRORS.Unavailable(RETRY_AFTER_SECONDS);
  }
  const hostnames = turnstile.hostnames.length === 0 ? [request.hostname] : turnstile.hostnames;
  const isOfOurPage = hostnames.includes(answer.hostname?.toLowerCase() ?? "") && answer.action === TURNSTILE_ACTION;
  if (!isOfOurPage) throw ERRORS.ChallengeFailed("for another page or form");
}

/** @returns undefined without a readable answer in time */
async function ask(url: string, question: object): Promise<SiteverifyAnswer | undefined> {
  try {
    const response = await fetch(url, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(question),
      redirect: "manual",
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const answer: unknown = JSON.parse((await response.text()).slice(0, MAX_ANSWER_CHARACTERS));
    if (isAnswer(answer)) return answer;
    console.error(toLogLine("turnstile.unknown-answer", { status: response.status }));
  } catch (error) {
    console.error(toLogLine("turnstile.no-answer", {}, error));
  }
  return undefined;
}

function isAnswer(answer: unknown): answer is SiteverifyAnswer {
  if (typeof answer !== "object" || answer === null) return false;
  const { success, "error-codes": codes = [] } = answer as Partial<Record<keyof SiteverifyAnswer, unknown>>;
  if (typeof success !== "boolean" || !Array.isArray(codes)) return false;
  // Internal errors of Turnstile are transient.
  return !codes.includes("internal-error");
}
