import { existsSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

const REFERENCE = /`([\w/.-]+\.test\.ts)` "([^"]+)"/g;

const table = readFileSync("test/CONFORMANCE.md", "utf8");
const references = Array.from(table.matchAll(REFERENCE), ([, file = "", title = ""]) => ({ file, title }));

describe("the conformance table", () => {
  it("names a test for each clause, or says that there is none yet", () => {
    const rows = table.split("\n").filter((line) => line.startsWith("| ") && !/^\| (clause|-+) /.test(line));
    expect(rows.length).toBeGreaterThan(50);
    expect(rows.filter((row) => row.match(REFERENCE) === null && !row.includes("not built yet"))).toEqual([]);
  });

  it.each(references)("names what is there: $file, $title", ({ file, title }) => {
    const path = `test/${file}`;
    expect(existsSync(path)).toBe(true);
    expect(readFileSync(path, "utf8")).toContain(title);
  });
});
