import { expect, it } from "vitest";
import { downloadUrl } from "../../../src/domain/download-url.ts";
import { fileKey, toSafeFileName } from "../../../src/domain/object-key.ts";

const ACCOUNT = "01hzy3k8w2r9v5m7q4t6x1c0bd";
const UPLOAD = "01arz3ndektsv4rrffq69g5fav";

function query(uploaded: string, mimeType: "image/png" | "image/jpeg", originalFilename = uploaded): string {
  const objectKey = fileKey(ACCOUNT, UPLOAD, toSafeFileName(uploaded, mimeType));
  return new URL(downloadUrl("https://cdn.example", { objectKey, originalFilename, mimeType })).search;
}

it.each([
  ["a.png", "?download=1"],
  ["été 1.png", "?download=1"],
  ["no extension", "?download=1"],
  ["../x/photo.jpg", "?download=1"],
  [`${"x".repeat(300)}.png`, "?download=1"],
])("A file with the name of its upload, %.20j, is saved under its stored name", (name, expected) => {
  expect(query(name, name.endsWith("jpg") ? "image/jpeg" : "image/png")).toBe(expected);
});

it.each([
  ["b.png", "?download=b.png"],
  ["b", "?download=b.png"],
  ["b.exe", "?download=b.exe.png"],
  ["it's 100%.png", "?download=it%27s%20100%25.png"],
  ["写真.png", "?download=%E5%86%99%E7%9C%9F.png"],
  ["a&preview=x.png", "?download=a%26preview%3Dx.png"],
])("A file that was renamed to %j has the name in its URL", (name, expected) => {
  expect(query("a.png", "image/png", name)).toBe(expected);
});

it("A GIF that became a PNG is saved under its stored name", () => {
  const objectKey = fileKey(ACCOUNT, UPLOAD, "a.png");
  const file = { objectKey, originalFilename: "a.gif", mimeType: "image/png" };
  expect(new URL(downloadUrl("https://cdn.example", file)).search).toBe("?download=1");
});
