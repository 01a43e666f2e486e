import { describe, expect, it } from "vitest";
import { signPreview, verifyPreview } from "../../../src/domain/preview-token.ts";
import { onlySecret } from "../../../src/domain/secret-pair.ts";

const SECRET = "0123456789abcdef0123456789abcdef";
const KEY = "uploads/01hzy3v7k9q4r5s6t7v8w9x0ya/01hzy3v7k9q4r5s6t7v8w9x0yb-é.jpg";
const NOW = 1_800_000_000;

describe("Preview token", () => {
  it("A preview token is valid exactly until it expires", async () => {
    const token = await signPreview(SECRET, KEY, NOW + 60);
    expect(await verifyPreview(onlySecret(SECRET), KEY, token, NOW)).toBe(true);
    expect(await verifyPreview(onlySecret(SECRET), KEY, token, NOW + 59.999)).toBe(true);
    expect(await verifyPreview(onlySecret(SECRET), KEY, token, NOW + 60)).toBe(false);
    expect(await verifyPreview(onlySecret(SECRET), KEY, token, NOW + 61)).toBe(false);
  });

  it("A preview token needs no escaping in a query", async () => {
    for (let second = 0; second < 64; second++) {
      const token = await signPreview(SECRET, KEY, NOW + second);
      expect(token).toMatch(/^\d{10}\.[A-Za-z0-9_-]{43}$/);
      expect(await verifyPreview(onlySecret(SECRET), KEY, token, NOW - 1)).toBe(true);
    }
  });

  // printf '1800000060\nuploads/a' | openssl dgst -sha256 -hmac 0123456789abcdef0123456789abcdef -binary | base64
  it("A preview token is HMAC-SHA-256 of the expiry and the key", async () => {
    expect(await signPreview(SECRET, "uploads/a", 1_800_000_060)).toBe(
      "1800000060._YwGRq7XqkFeRmQ_qHpRysiZRemSMB27Kct9lRIANGA",
    );
  });

  it("A preview token is valid for one object, one expiry and one secret", async () => {
    const token = await signPreview(SECRET, KEY, NOW + 60);
    const [expires, mac] = token.split(".");
    expect(await verifyPreview(onlySecret(SECRET), `${KEY}x`, token, NOW)).toBe(false);
    expect(await verifyPreview(onlySecret(SECRET), KEY.replace("-é", "-e"), token, NOW)).toBe(false);
    expect(await verifyPreview(onlySecret(`${SECRET}x`), KEY, token, NOW)).toBe(false);
    expect(await verifyPreview(onlySecret(SECRET), KEY, `${NOW + 61}.${mac}`, NOW)).toBe(false);
    expect(await verifyPreview(onlySecret(SECRET), KEY, `0${expires}.${mac}`, NOW)).toBe(false);
  });

  it("A preview token is refused if any character of it is changed", async () => {
    const token = await signPreview(SECRET, KEY, NOW + 60);
    // The last character's low bits are padding; every other character counts.
    for (let position = 0; position < token.length - 1; position++) {
      const forged = token.slice(0, position) + (token[position] === "7" ? "8" : "7") + token.slice(position + 1);
      expect(await verifyPreview(onlySecret(SECRET), KEY, forged, NOW)).toBe(false);
    }
  });

  it.each([
    "",
    ".",
    "1",
    "1800000060",
    "1800000060.",
    ".AAAA",
    `1800000060.${"A".repeat(42)}`,
    `1800000060.${"A".repeat(43)}`,
    `1800000060.${"A".repeat(44)}`,
    `1800000060.${"=".repeat(43)}`,
    `1800000060.${"é".repeat(43)}`,
    `-1800000060.${"A".repeat(43)}`,
    `1.8e9.${"A".repeat(43)}`,
    `Infinity.${"A".repeat(43)}`,
    `${"9".repeat(13)}.${"A".repeat(43)}`,
    "x".repeat(1_000_000),
  ])("The text %.60s is no valid preview token", async (token) => {
    expect(await verifyPreview(onlySecret(SECRET), KEY, token, NOW)).toBe(false);
  });
});
