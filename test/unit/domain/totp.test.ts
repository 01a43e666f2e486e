import { expect, it } from "vitest";
import { findTotpStep, newTotpSecret, toBase32, totpCode, totpUri } from "../../../src/domain/totp.ts";

const RFC_SECRET = new TextEncoder().encode("12345678901234567890") as Uint8Array<ArrayBuffer>;

it.each([
  [59, "287082"],
  [1111111109, "081804"],
  [1111111111, "050471"],
  [1234567890, "005924"],
  [2000000000, "279037"],
  [20000000000, "353130"],
])("The code at second %i is the last six digits of RFC 6238's example: %s", async (seconds, code) => {
  expect(await totpCode(RFC_SECRET, seconds * 1000)).toBe(code);
});

it("A code is right in its own step, one before and one after", async () => {
  const now = 1_700_000_000_000;
  const code = await totpCode(RFC_SECRET, now);
  const step = Math.floor(now / 30_000);
  for (const late of [-30_000, 0, 30_000]) expect(await findTotpStep(RFC_SECRET, code, now + late)).toBe(step);
  for (const late of [-60_000, 60_000]) expect(await findTotpStep(RFC_SECRET, code, now + late)).toBeUndefined();
});

it("A secret has 160 bits, and its link names the account", () => {
  expect(toBase32(newTotpSecret())).toMatch(/^[A-Z2-7]{32}$/);
  expect(totpUri(RFC_SECRET, { issuer: "media.example", email: "a b@example.com" })).toBe(
    "otpauth://totp/media.example:a%20b%40example.com?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=media.example",
  );
});
