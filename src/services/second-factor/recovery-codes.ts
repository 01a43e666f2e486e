import { toBase32 } from "../../domain/totp.ts";
import { hashSecret } from "../auth/secrets.ts";

const COUNT = 10;
/** A code has 80 bits, so a plain hash is enough. */
const BYTES = 10;

/** New recovery codes, `abcd-efgh-ijkl-mnop`, and the hashes that are stored. */
export async function makeRecoveryCodes(accountId: string): Promise<{ codes: string[]; hashes: string[] }> {
  const codes = Array.from({ length: COUNT }, () => {
    const text = toBase32(crypto.getRandomValues(new Uint8Array(BYTES))).toLowerCase();
    return (text.match(/.{4}/g) ?? []).join("-");
  });
  return { codes, hashes: await Promise.all(codes.map((code) => hashRecoveryCode(accountId, code))) };
}

/** Spaces, hyphens and case make no difference. */
export function hashRecoveryCode(accountId: string, code: string): Promise<string> {
  return hashSecret(`${accountId} ${code.toLowerCase().replace(/[\s-]/g, "")}`);
}
