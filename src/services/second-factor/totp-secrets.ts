import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";
import type { SecretPair } from "../../domain/secret-pair.ts";

const IV_BYTES = 12;
const TAG_BYTES = 16;

/** Encrypts an authenticator's secret for the directory: AES-256-GCM, bound to its account. */
export function sealTotpSecret(
  totpSecret: Uint8Array,
  accountId: string,
  { current }: Pick<SecretPair, "current">,
): string {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv("aes-256-gcm", keyOf(current), iv).setAAD(Buffer.from(accountId));
  const sealed = Buffer.concat([cipher.update(totpSecret), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString("base64url");
}

export interface OpenedTotpSecret {
  readonly totpSecret: Uint8Array<ArrayBuffer>;
  /** The secret, encrypted again with the value that signs now; undefined if it already is. */
  readonly resealed: string | undefined;
}

/** @returns undefined if it was sealed with neither value of the Worker's secret */
export function openTotpSecret(sealed: string, accountId: string, secret: SecretPair): OpenedTotpSecret | undefined {
  for (const value of secret.accepted) {
    const totpSecret = openWith(value, sealed, accountId);
    if (totpSecret === undefined) continue;
    return {
      totpSecret,
      resealed: value === secret.current ? undefined : sealTotpSecret(totpSecret, accountId, secret),
    };
  }
  return undefined;
}

function openWith(value: string, sealed: string, accountId: string): Uint8Array<ArrayBuffer> | undefined {
  const bytes = Buffer.from(sealed, "base64url");
  const decipher = createDecipheriv("aes-256-gcm", keyOf(value), bytes.subarray(0, IV_BYTES))
    .setAAD(Buffer.from(accountId))
    .setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
  const opened = decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES));
  try {
    return new Uint8Array(Buffer.concat([opened, decipher.final()]));
  } catch {
    return undefined;
  }
}

function keyOf(signInSecret: string): Buffer {
  return Buffer.from(hkdfSync("sha256", signInSecret, "", "totp", 32));
}
