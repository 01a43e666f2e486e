import { askForProof } from "./proof-store.ts";
import { setSuspension } from "./suspension-store.ts";

/** The client's timeout for a response. */
const ANSWER_WITHIN_MS = 60_000;

/**
 * Judges a 403. Waits for the user's proof if the service wants one before a change, and records that the
 * account is suspended.
 * @returns the signal for sending the request again; undefined if the answer stays as it is
 */
export async function proveAgain(answer: Response): Promise<AbortSignal | undefined> {
  const body: { readonly code?: string; readonly details?: { readonly reason?: string } } = await answer
    .clone()
    .json()
    .catch(() => ({}));
  if (body.code === "account_suspended") setSuspension(toSentence(body.details?.reason ?? ""));
  if (body.code !== "reauthentication_required" || !(await askForProof())) return undefined;
  return AbortSignal.timeout(ANSWER_WITHIN_MS);
}

function toSentence(reason: string): string {
  return /[.!?]$/.test(reason) ? reason : `${reason}.`;
}
