import { ERRORS, type ServiceError } from "../domain/errors.ts";
import type { FileRules } from "../domain/file-rules.ts";
import {
  deriveServiceKey,
  EXPIRES_PARAMETER,
  FILE_SIGNATURE_PARAMETER,
  signedFileText,
} from "../domain/file-signature.ts";
import { deriveSigningKey, importKey, isMacOf, SIGNATURE } from "../domain/variants/signed-url.ts";
import type { Visibility } from "../domain/visibility.ts";
import type { RequestedFile } from "./object-path.ts";

/** A request's right to private files. */
export interface Pass {
  /** The places in R2 that the request may read, the likelier one first. */
  readonly places: readonly Visibility[];
  /** The Unix second at which the signature ends; undefined for a request without a signature. */
  readonly expires?: number;
  /** Refuses the request if its file is private. */
  refusal(): ServiceError;
}

/** A request without a signature. */
export const NO_PASS: Pass = { places: ["public"], refusal: ERRORS.SignatureRequired };
/** A signed preview is the service's own request. Most files are public. */
export const PREVIEW_PASS: Pass = { places: ["public", "private"], refusal: ERRORS.FileNotFound };

const EXPIRES = /^\d{1,12}$/;

/** Imported keys, because deriving one takes longer than checking a signature with it. */
const MAX_KEYS = 1000;
const keys = new Map<string, CryptoKey>();

interface Signing {
  /** The values of `URL_SIGNING_SECRET` that are accepted. */
  readonly secrets: readonly string[];
  readonly rules: FileRules | Promise<FileRules>;
  readonly nowSeconds: number;
}

/** Whether a URL has the signature of a private file. */
export function isSignedForFile({ query }: Pick<RequestedFile, "query">): boolean {
  return query.includes(`${FILE_SIGNATURE_PARAMETER}=`) && new URLSearchParams(query).has(FILE_SIGNATURE_PARAMETER);
}

/**
 * The right that a URL's `exp` and `sig` give (PRIV-3). This reads no store: the account's rules have the ids of valid keys, and the secret of a
 * key is derived from its id. A bad signature gives no right, and does not refuse a public file.
 * @throws ServiceError 503 if the rules cannot be read
 */
export async function openPass(file: RequestedFile, { secrets, rules, nowSeconds }: Signing): Promise<Pass> {
  const { accountId, uploadId, query } = file;
  const parameters = new URLSearchParams(query);
  const until = parameters.get(EXPIRES_PARAMETER) ?? "";
  const [, keyId, mac] = SIGNATURE.exec(parameters.get(FILE_SIGNATURE_PARAMETER) ?? "") ?? [];
  if (keyId === undefined || mac === undefined || !EXPIRES.test(until)) return INVALID;
  const expires = Number(until);
  if (expires <= nowSeconds) return EXPIRED;
  const isService = keyId === accountId;
  if (!isService && !Object.hasOwn((await rules).signingKeys ?? {}, keyId)) return INVALID;
  const text = signedFileText({ accountId, uploadId, expires });
  for (const secret of secrets) {
    if (await isMacOf(await keyOf(secret, accountId, keyId), mac, text))
      return { places: ["private", "public"], expires, refusal: ERRORS.FileNotFound };
  }
  return INVALID;
}

const INVALID: Pass = { ...NO_PASS, refusal: ERRORS.InvalidSignature };
const EXPIRED: Pass = { ...NO_PASS, refusal: ERRORS.SignatureExpired };

/** A promise of another request is never kept, because it ends with that request. */
async function keyOf(secret: string, accountId: string, keyId: string): Promise<CryptoKey> {
  const name = `${secret}\n${accountId}\n${keyId}`;
  const known = keys.get(name);
  if (known !== undefined) return known;
  const isService = keyId === accountId;
  const signing = await (isService ? deriveServiceKey(secret, accountId) : deriveSigningKey(secret, accountId, keyId));
  const key = await importKey(signing.secret, "verify");
  keys.set(name, key);
  if (keys.size > MAX_KEYS) keys.delete(keys.keys().next().value ?? name);
  return key;
}
