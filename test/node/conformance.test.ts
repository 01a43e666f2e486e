import { existsSync, globSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

const CLAUSE = /^- \*\*([A-Z]+-\d+)\*\*/gm;
const REFERENCE = /`([\w/.-]+\.test\.ts)` "([^"]+)"/g;
const NO_TEST = "not tested yet";
/** Names of standards that look like clauses. */
const STANDARDS = ["AES-256", "DC-007", "SHA-1", "SHA-256", "UTF-16", "UTF-8"];

const contract = readFileSync("docs/contract.md", "utf8");
const clauses = Array.from(contract.matchAll(CLAUSE), ([, id = ""]) => id);

const table = readFileSync("test/CONFORMANCE.md", "utf8");
const rows = table.split("\n").filter((line) => line.startsWith("| ") && !/^\| (id|-+) /.test(line));
const idOf = (row: string) => row.split("|")[1]?.trim() ?? "";
const references = Array.from(table.matchAll(REFERENCE), ([, file = "", title = ""]) => ({ file, title }));

describe("Conformance table", () => {
  it("The conformance table has a row for every clause of the contract, and no row for any other id", () => {
    expect(clauses.length).toBeGreaterThan(80);
    expect(new Set(clauses).size).toBe(clauses.length);
    expect([...new Set(rows.map(idOf))].toSorted()).toEqual(clauses.toSorted());
  });

  it("The conformance table names a test for each row, or marks it as not tested yet", () => {
    expect(rows.filter((row) => row.match(REFERENCE) === null && !row.includes(NO_TEST))).toEqual([]);
  });

  it.each(references)("The conformance table names an existing test: $file, $title", ({ file, title }) => {
    const path = `test/${file}`;
    expect(existsSync(path)).toBe(true);
    expect(readFileSync(path, "utf8")).toContain(title);
  });
});

it("The contract has every clause that the code cites", () => {
  const cited = globSync(["src/**/*.{ts,tsx,css,toml}", "container/**/*.ts", "*.toml"], {
    exclude: ["**/node_modules/**"],
  }).flatMap((path) =>
    Array.from(readFileSync(path, "utf8").matchAll(/\b[A-Z]{2,7}-\d+\b/g), ([id]) => ({ id, path })),
  );
  expect(cited.length).toBeGreaterThan(200);
  expect(cited.filter(({ id }) => !clauses.includes(id) && !STANDARDS.includes(id))).toEqual([]);
});
