import { expect, it } from "vitest";
import { bytesOf } from "../../support/media/samples.ts";
import { type BodyPart, inChunks, multipartBody, readParts, seeded, utf8 } from "../../support/uploads/multipart.ts";

/** The platform's own parser, which holds the whole body: an independent reference. */
async function parseWithPlatform(body: Uint8Array<ArrayBuffer>, boundary: string): Promise<BodyPart[]> {
  const headers = { "Content-Type": `multipart/form-data; boundary="${boundary}"` };
  const form = await new Response(body, { headers }).formData();
  const parts: BodyPart[] = [];
  for (const [name, value] of form as unknown as Iterable<[string, File | string]>) {
    if (typeof value === "string") parts.push({ name, filename: undefined, content: utf8(value) });
    else parts.push({ name, filename: value.name, content: new Uint8Array(await value.arrayBuffer()) });
  }
  return parts;
}

const NAME_ALPHABET = [..."abc XYZ.-_é写🦊'()&;=%:,"];

/** The delimiter. The platform takes a bare LF before the boundary as well; RFC 2046, 5.1.1 says CRLF. */
function hasDelimiter(content: Uint8Array, boundary: string): boolean {
  return `\n${Buffer.from(content).toString("latin1")}`.includes(`\n--${boundary}`);
}

function randomParts(random: (below: number) => number, boundary: string): BodyPart[] {
  const pieces = ["\r\n", "\r", "\n", "--", "-", `\r\n--${boundary.slice(0, -1)}`, `--${boundary}`, "\0", "a", "é"];
  const text = () => Array.from({ length: random(12) }, () => pieces[random(pieces.length)]).join("");
  const name = () => Array.from({ length: 1 + random(12) }, () => NAME_ALPHABET[random(NAME_ALPHABET.length)]).join("");
  return Array.from({ length: 1 + random(6) }, () => {
    if (random(2) === 0) return { name: name(), filename: undefined, content: utf8(text()) };
    const bytes = Array.from({ length: random(40) }, () => random(256));
    return { name: name(), filename: name(), content: bytesOf(utf8(text()), bytes, utf8(text())) };
  }).filter(({ content }) => !hasDelimiter(content, boundary));
}

/** A form that a failing test prints on one line. */
function show(parts: readonly BodyPart[]): unknown[] {
  return parts.map(({ name, filename, content }) => [name, filename, Buffer.from(content).toString("latin1")]);
}

it("Random bodies in random chunks are parsed like the platform does", async () => {
  const random = seeded(20261121);
  let compared = 0;
  for (let round = 0; round < 400; round++) {
    const boundary = `b${"x-".repeat(random(12))}${random(1000)}`;
    const parts = randomParts(random, boundary);
    const body = multipartBody(boundary, parts);
    const expected = await parseWithPlatform(body, boundary);
    const chunkBytes = 1 + random(2 * boundary.length + 8);
    expect(show(await readParts(inChunks(body, chunkBytes), boundary)), `round ${round}`).toEqual(show(expected));
    expect(show(expected), `round ${round}`).toEqual(show(parts));
    compared += parts.length;
  }
  expect(compared).toBeGreaterThan(800);
});
