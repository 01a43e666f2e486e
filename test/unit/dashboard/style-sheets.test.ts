import { glob, readFile } from "node:fs/promises";
import { expect, it } from "vitest";

it("No style sheet composes a class of another file, because Vite could not resolve the file's addresses", async () => {
  for await (const path of glob("src/dashboard/**/*.css")) {
    expect(await readFile(path, "utf8"), path).not.toMatch(/composes:[^;]*from\s*["']/);
  }
});
