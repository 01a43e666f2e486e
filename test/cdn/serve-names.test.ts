import { expect, it } from "vitest";
import { bytesOf, fetchFile, storeFile } from "./harness.ts";

it.each([
  "plain.jpg",
  "with space.jpg",
  "quotes \"double\" and 'single'.png",
  "100%.png",
  "%41 is not A.png",
  "%2f is not a slash.png",
  "%252f.png",
  "q?uery#fragment&amp;=.gif",
  "a+b is not a b.mp4",
  "semi;colon,comma:colon@at.webm",
  "back\\slash.mov",
  "<script>alert(1)<∕script>.avi",
  "naïve café.jpg",
  "cafe\u0301 is not café.jpg",
  "写真 Фото תמונה.webp",
  "🦊 👩‍👩‍👧‍👦 🇪🇺.mp4",
  "...dots...",
  "-",
  "thumbs",
  "é".repeat(450),
])("A file named %.60s is served", async (name) => {
  const bytes = new TextEncoder().encode(`content of ${name}`);
  const { url } = await storeFile(name, bytes, "image/png");
  const response = await fetchFile(url);
  expect(response.status).toBe(200);
  expect(await bytesOf(response)).toEqual(bytes);
});

it("Names that differ only in encoding are different files", async () => {
  const names = ["%20.png", " .png", "%2520.png", "+.png", "é.png", "e\u0301.png"];
  const files = await Promise.all(
    names.map(async (name) => ({ name, ...(await storeFile(name, new TextEncoder().encode(name), "image/png")) })),
  );
  for (const { name, url } of files) {
    expect(new TextDecoder().decode(await bytesOf(await fetchFile(url)))).toBe(name);
  }
});
