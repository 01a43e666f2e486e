import { createHmac } from "node:crypto";
import { isId } from "../../domain/ids.ts";
import { secretsEqual } from "../auth/secrets.ts";

/** Keeps a receipt's signature from being one of anything else that the same secret signs. */
const PURPOSE = "erasure";

/**
 * The receipt of an erasure: `<account>.<mac>`. It is signed and nowhere stored, so that one that was made up asks no object of an account
 * that never was; an account's id alone, which every URL of a file names, tells nobody anything.
 */
export async function signReceipt(accountId: string, secret: string): Promise<string> {
  return `${accountId}.${createHmac("sha256", secret).update(`${PURPOSE}\n${accountId}`).digest("base64url")}`;
}

/** Which account a receipt is of; undefined where it is none of ours. */
export async function readReceipt(receipt: string, secret: string): Promise<string | undefined> {
  const [accountId = ""] = receipt.split(".", 1);
  if (!isId(accountId)) return undefined;
  return (await secretsEqual(receipt, await signReceipt(accountId, secret))) ? accountId : undefined;
}
