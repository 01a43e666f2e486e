import sharp from "sharp";
import { expect, it } from "vitest";
import { webpEngine } from "../../support/previews/engines.ts";

// Encoder and decoder are reused for small pictures. An earlier picture must not influence the next.

const OPTIONS = { quality: 70, lossless: false, effort: 1 };

async function picture(width: number, height: number, seed: number) {
  const drawn = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect width="100%" height="70%" fill="hsl(${seed * 47},60%,50%)"/><circle cx="40" cy="50" r="${20 + seed}" fill="#fd5" opacity="0.6"/></svg>`;
  const data = await sharp(Buffer.from(drawn)).ensureAlpha().raw().toBuffer();
  return { data: new Uint8Array(data), width, height };
}

it("The WebP encoder encodes a picture the same after, during and between other pictures", async () => {
  const pictures = await Promise.all([1, 2, 3, 4].map((seed) => picture(100 * seed, 90 + seed, seed)));
  const fresh: Uint8Array[] = [];
  for (const one of pictures) fresh.push(await (await webpEngine()).webpEngine.encode(one, OPTIONS));
  const { webpEngine: used } = await webpEngine();
  // A picture that has more pixels than the instance is kept for.
  const large = await picture(800, 600, 5);
  for (let round = 0; round < 3; round++) {
    const made = await Promise.all(pictures.map((one) => used.encode(one, OPTIONS)));
    for (const [at, file] of made.entries()) expect(Buffer.compare(file, fresh[at] ?? new Uint8Array())).toBe(0);
    await used.encode(large, OPTIONS);
    await used.encode(large, { ...OPTIONS, lossless: true });
  }
});

it("The WebP decoder decodes a picture the same after, during and between other pictures and damaged files", async () => {
  const { webpEngine: used } = await webpEngine();
  const sizes = [...[1, 2, 3].map((seed) => [100 * seed, 90 + seed, seed] as const), [800, 600, 5] as const];
  const pictures = await Promise.all(sizes.map((size) => picture(...size)));
  const files = await Promise.all(pictures.map((one) => used.encode(one, { ...OPTIONS, lossless: true })));
  for (let round = 0; round < 3; round++) {
    const decoded = await Promise.all(files.map((file) => used.decode(new Uint8Array(file))));
    for (const [at, one] of decoded.entries())
      expect(Buffer.compare(Buffer.from(one?.data ?? []), Buffer.from(pictures[at]?.data ?? []))).toBe(0);
    const damaged = new Uint8Array(files[round] ?? []).fill(0x55, 40);
    expect(await used.decode(damaged)).toBeUndefined();
  }
});
