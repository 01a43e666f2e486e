import { ERRORS } from "../../domain/errors.ts";
import type { FileRules } from "../../domain/file-rules.ts";
import type { VariantParameters } from "../../domain/variants/parameters.ts";
import { deriveSigningKey, isSignedBy, SIGNATURE_PARAMETER, signatureKeyId } from "../../domain/variants/signed-url.ts";
import type { RequestedFile } from "../object-path.ts";

/**
 * Whether a URL is signed by one of the account's keys (VAR-9). This reads no store: the rules have the ids of valid keys, and the secret
 * of a key is derived from its id.
 * @throws ServiceError 403 if its signature is not valid, or its key unknown or revoked
 */
export async function hasSignature(
  { accountId, objectKey, query }: RequestedFile,
  parameters: VariantParameters,
  { signingKeys = {} }: FileRules,
  signingSecrets: readonly string[],
): Promise<boolean> {
  const signature = new URLSearchParams(query).get(SIGNATURE_PARAMETER);
  if (signature === null) return false;
  const keyId = signatureKeyId(signature);
  if (keyId === undefined || !Object.hasOwn(signingKeys, keyId)) throw ERRORS.InvalidSignature();
  for (const secret of signingSecrets) {
    const key = await deriveSigningKey(secret, accountId, keyId);
    if (await isSignedBy(key, signature, { path: `/${objectKey}`, parameters })) return true;
  }
  throw ERRORS.InvalidSignature();
}
