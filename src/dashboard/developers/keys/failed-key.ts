import { isUnconfirmed } from "../../design/is-unconfirmed.ts";

/** The title of a key's failed creation. The service may have made the key if its answer was lost. */
export function titleOfFailedKey(error: unknown): string {
  return isUnconfirmed(error)
    ? "The key was not confirmed. If it was made, revoke it on the page Keys, because it cannot be shown again."
    : "The key could not be created";
}
