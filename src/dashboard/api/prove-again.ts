import { askForProof } from "./proof-store.ts";
import { setSuspension } from "./suspension-store.ts";

/** The client's timeout for a response. */
const ANSWER_WITHIN_MS = 60_000;

/**
 * Handles a 403. If the service wants a proof before a change, it waits for the user's proof. It also records that the account is
 * suspended.
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
