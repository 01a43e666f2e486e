import { bytesOfBase64Url, toBase64Url } from "../base64url.ts";
import { canonicalQuery, type VariantParameters } from "./parameters.ts";

/**
 * Signatures of variants' URLs (VAR-9): `s=<key id>.<mac>`, the HMAC-SHA-256 of the path and of the parameters that choose the variant. A
 * key's secret is an HMAC of the service's own secret, so it is stored nowhere. The client's helpers use this file, too.
 */

export const SIGNATURE_PARAMETER = "s";

/** A signing key as its owner gets it. */
const KEY = /^service_signing_([0-9a-z]{26})_([\w-]{43})$/;
export const SIGNATURE = /^([0-9a-z]{26})\.([\w-]{43})$/;
const ALGORITHM = { name: "HMAC", hash: "SHA-256" };

const encoder = new TextEncoder();

export interface SigningKey {
  readonly id: string;
  /** 43 characters of base64url; its ASCII bytes are the HMAC's key. */
  readonly secret: string;
}

/** The URL's file and the parameters that choose its variant. */
export interface SignedContent {
  /** The decoded path, with its leading slash. */
  readonly path: string;
  readonly parameters: VariantParameters;
}

/** The secret of an account's signing key. @param serviceSecret `URL_SIGNING_SECRET` */
export async function deriveSigningKey(serviceSecret: string, accountId: string, id: string): Promise<SigningKey> {
  return { id, secret: await hmac(serviceSecret, `signing-key\n${accountId}\n${id}`) };
}

export function formatSigningKey({ id, secret }: SigningKey): string {
  return `service_signing_${id}_${secret}`;
}

/** @returns undefined if the text is no signing key */
export function parseSigningKey(text: string): SigningKey | undefined {
  const [, id, secret] = KEY.exec(text) ?? [];
  return id === undefined || secret === undefined ? undefined : { id, secret };
}

/** The value of the parameter `s`. */
export async function signContent(key: SigningKey, content: SignedContent): Promise<string> {
  return `${key.id}.${await hmac(key.secret, signedText(content))}`;
}

/** The id of the key that a signature names; undefined if the value is no signature. */
export function signatureKeyId(signature: string): string | undefined {
  return SIGNATURE.exec(signature)?.[1];
}

/** Whether a signature is genuine. Compares in constant time; never throws on bad signatures. */
export async function isSignedBy(key: SigningKey, signature: string, content: SignedContent): Promise<boolean> {
  const [, id, mac] = SIGNATURE.exec(signature) ?? [];
  if (id !== key.id || mac === undefined) return false;
  return isMacOf(await importKey(key.secret, "verify"), mac, signedText(content));
}

function signedText({ path, parameters }: SignedContent): string {
  return `variant\n${path}\n${canonicalQuery(parameters)}`;
}

/** HMAC-SHA-256 in base64url. */
export async function hmac(secret: string, text: string): Promise<string> {
  const mac = await crypto.subtle.sign("HMAC", await importKey(secret, "sign"), encoder.encode(text));
  return toBase64Url(String.fromCharCode(...new Uint8Array(mac)));
}

/** Whether a base64url HMAC is the text's. Compares in constant time. */
export function isMacOf(key: CryptoKey, mac: string, text: string): Promise<boolean> {
  const bytes = bytesOfBase64Url(mac);
  return crypto.subtle.verify("HMAC", key, bytes, encoder.encode(text));
}

export function importKey(secret: string, usage: "sign" | "verify"): Promise<CryptoKey> {
  return crypto.subtle.importKey("raw", encoder.encode(secret), ALGORITHM, false, [usage]);
}
