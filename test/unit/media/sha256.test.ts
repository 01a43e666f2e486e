import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { Sha256Engine, StorableSha256 } from "../../../src/media/sha256/storable-sha256.ts";
import { readModule } from "../../support/codecs/read-module.ts";
import { seeded } from "../../support/uploads/multipart.ts";

const engine = new Sha256Engine(await readModule("src/media/sha256/engine/sha256-engine.wasm"));
const begin = (text?: string) => new StorableSha256(engine, text);
const native = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");

function randomBytes(length: number, seed: number): Uint8Array {
  const below = seeded(seed);
  return Uint8Array.from({ length }, () => below(256));
}

describe("A SHA-256 whose state can be stored", () => {
  // The padding needs a second block from 56 bytes after a block on.
  it.each([0, 1, 3, 55, 56, 63, 64, 65, 119, 120, 127, 128, 129, 1000])("%d bytes have node's hash", (length) => {
    const bytes = randomBytes(length, length);
    const hash = begin();
    hash.update(bytes);
    expect(hash.hex()).toBe(native(bytes));
  });

  it("Bytes in pieces of any size have node's hash, also if the state was stored between them", () => {
    const below = seeded(7);
    for (let round = 0; round < 300; round++) {
      const bytes = randomBytes(below(700), round);
      let hash = begin();
      for (let at = 0; at < bytes.length; ) {
        const size = below(150);
        hash.update(bytes.subarray(at, at + size));
        at += size;
        if (below(2) === 0) hash = begin(hash.text);
      }
      expect(hash.hex(), `round ${round}`).toBe(native(bytes));
    }
  });

  it("Bytes beyond the memory of the engine have node's hash", () => {
    const bytes = randomBytes(200_000, 1);
    const hash = begin();
    hash.update(bytes.subarray(0, 30));
    hash.update(bytes.subarray(30));
    expect(hash.hex()).toBe(native(bytes));
  });

  it("Two hashes may take turns", () => {
    const [one, other] = [begin(), begin()];
    for (const byte of [1, 2, 3]) {
      one.update(new Uint8Array(1000).fill(byte));
      other.update(new Uint8Array(1000).fill(byte + 100));
    }
    const all = (first: number) => native(Buffer.concat([0, 1, 2].map((more) => Buffer.alloc(1000, first + more))));
    expect([one.hex(), other.hex()]).toEqual([all(1), all(101)]);
  });

  it("The hash can be read between two pieces, and a copy continues alone", () => {
    const hash = begin();
    hash.update(Buffer.from("abc"));
    expect(hash.hex()).toBe("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    const copy = hash.copy();
    copy.update(Buffer.from("def"));
    expect(copy.hex()).toBe(native(Buffer.from("abcdef")));
    hash.update(Buffer.from("xyz"));
    expect(hash.hex()).toBe(native(Buffer.from("abcxyz")));
  });

  it("The length counts beyond 32 bits", () => {
    const bytes = new Uint8Array(64 * 1024);
    const hash = begin();
    hash.update(bytes);
    // The state of 512 MiB of zeros, by its length alone, differs from the state without the carry.
    const long = JSON.parse(hash.text) as { length: number };
    const beyond = begin(JSON.stringify({ ...long, length: 2 ** 29 + 64 * 1024 }));
    const within = begin(JSON.stringify({ ...long, length: 64 * 1024 }));
    expect(beyond.hex()).not.toBe(within.hex());
    expect(within.hex()).toBe(native(bytes));
  });
});
