import { describe, expect, it } from "vitest";
import { hashPassword, verifyPassword } from "../../../src/services/auth/passwords.ts";
import { hashSecret, isKeySecret, newKeySecret, secretsEqual } from "../../../src/services/auth/secrets.ts";

describe("Keys", () => {
  it("A key has its kind's prefix and 43 base62 characters, each equally likely", () => {
    const seen = new Map<string, number>();
    for (let i = 0; i < 500; i++) {
      const key = newKeySecret(i % 2 === 0 ? "upload" : "api");
      expect(key).toMatch(i % 2 === 0 ? /^service_upload_[0-9A-Za-z]{43}$/ : /^service_live_[0-9A-Za-z]{43}$/);
      expect(isKeySecret(key)).toBe(true);
      for (const char of key.slice(-43)) seen.set(char, (seen.get(char) ?? 0) + 1);
    }
    const expected = (500 * 43) / 62;
    expect(seen.size).toBe(62);
    // Seven standard deviations: the bias of a byte modulo 62 would be 25 %.
    for (const count of seen.values()) expect(Math.abs(count - expected)).toBeLessThan(7 * Math.sqrt(expected));
  });

  it("A key is looked up by its SHA-256", async () => {
    expect(await hashSecret("abc")).toBe("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  });

  it("Two keys compare equal only if they are the same", async () => {
    expect(await secretsEqual("same", "same")).toBe(true);
    for (const other of ["sam", "same ", "", "Same"]) expect(await secretsEqual(other, "same")).toBe(false);
  });
});

describe("Passwords", () => {
  it("Passwords are salted: two hashes of the same password differ", async () => {
    const [first, second] = [await hashPassword("hunter2 hunter2"), await hashPassword("hunter2 hunter2")];
    expect(first).not.toBe(second);
    expect(await verifyPassword("hunter2 hunter2", first)).toBe(true);
    expect(await verifyPassword("hunter2 hunter3", first)).toBe(false);
  });

  it("A password matches whichever way the keyboard composes an accent", async () => {
    expect(await verifyPassword("caf\u00e9 caf\u00e9", await hashPassword("cafe\u0301 cafe\u0301"))).toBe(true);
  });

  it("No password matches if none is stored", async () => {
    expect(await verifyPassword("", undefined)).toBe(false);
    expect(await verifyPassword("", "")).toBe(false);
  });
});
