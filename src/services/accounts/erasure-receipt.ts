import { createHmac } from "node:crypto";
import { isId } from "../../domain/ids.ts";
import type { SecretPair } from "../../domain/secret-pair.ts";
import { secretsEqual } from "../auth/secrets.ts";

/** Separates a receipt's signature from other signatures by the same secret. */
const PURPOSE = "erasure";

/**
 * The receipt of an erasure: `<account>.<mac>`. It is signed and not stored. A forged receipt reaches no object, and an account's id alone,
 * which every file's URL contains, reveals nothing.
 */
export async function signReceipt(accountId: string, { current }: Pick<SecretPair, "current">): Promise<string> {
  return `${accountId}.${createHmac("sha256", current).update(`${PURPOSE}\n${accountId}`).digest("base64url")}`;
}

/** The account of a receipt; undefined if the signature is wrong. */
export async function readReceipt(receipt: string, { accepted }: SecretPair): Promise<string | undefined> {
  const [accountId = ""] = receipt.split(".", 1);
  if (!isId(accountId)) return undefined;
  for (const current of accepted) {
    if (await secretsEqual(receipt, await signReceipt(accountId, { current }))) return accountId;
  }
  return undefined;
}
