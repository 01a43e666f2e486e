import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Sharp } from "sharp";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type CompressingAccount, CompressionHost } from "../support/media/compression.ts";
import { fromPixels, photo } from "../support/media/pictures.ts";
import { Processor } from "../support/processor/processor.ts";

// The same file gives the same result in the Container and in the Codec Worker.

const QUALITY = 65;

let processor: Processor;
let host: CompressionHost;
let account: CompressingAccount;

beforeAll(async () => {
  [processor, host] = await Promise.all([Processor.start(), CompressionHost.start()]);
  account = await host.openAccount();
}, 120_000);

afterAll(async () => {
  await processor?.[Symbol.asyncDispose]();
  await host?.[Symbol.asyncDispose]();
});

const glass = (width: number, height: number) =>
  fromPixels(width, height, (x, y) => [(x * y) & 255, x & 255, y & 255, x % 50 < 25 ? 255 : (x + y) % 256]);

const FILES: readonly (readonly [label: string, make: () => Sharp])[] = [
  ["a photo", () => photo(560, 420).webp({ quality: 97 })],
  ["a photo of one pixel", () => photo(1, 1).webp({ quality: 97 })],
  ["a photo of odd sides", () => photo(301, 199).webp({ quality: 95 })],
  ["a photo with a profile", () => photo(200, 150).withIccProfile("p3").webp({ quality: 98 })],
  ["a photo that is turned", () => photo(200, 150).withMetadata({ orientation: 6 }).webp({ quality: 98 })],
  ["glass", () => glass(300, 200).webp({ quality: 97 })],
  ["glass with coarse alpha", () => glass(300, 200).webp({ quality: 97, alphaQuality: 40 })],
  ["a lossless photo", () => photo(160, 120).webp({ lossless: true, effort: 0 })],
  ["lossless glass", () => glass(150, 100).webp({ lossless: true, exact: true, effort: 0 })],
  ["a lossless photo with a profile", () => photo(99, 77).withIccProfile("p3").webp({ lossless: true, effort: 0 })],
];

describe.each(FILES)("%s", (_, make) => {
  it("A file becomes the same WebP in the Container as in the Codec Worker", async () => {
    const file = await make().toBuffer();
    const { result, bytes } = await account.store(file, "picture.webp");
    const answer = await processor.compress("image/webp", QUALITY, file);
    const fromContainer = Buffer.from(await answer.arrayBuffer());
    expect(answer.status).toBe(result.compressed ? 200 : 422);
    if (result.compressed) expect(fromContainer.equals(bytes)).toBe(true);
  });
});

it("The codec has the same version in both lock files", async () => {
  const [own, containers] = await Promise.all(
    ["../../package-lock.json", "../../container/package-lock.json"].map(async (path) => {
      const { packages } = JSON.parse(String(await readFile(join(import.meta.dirname, path))));
      return packages["node_modules/@jsquash/webp"] as { version: string; integrity: string };
    }),
  );
  expect(own?.version).toMatch(/^\d/);
  expect(containers?.integrity).toBe(own?.integrity);
});
