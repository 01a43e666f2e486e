import { glob as listFiles, readFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { errorTable } from "../../src/domain/error-table.ts";
import { ERRORS, type ServiceError } from "../../src/domain/errors.ts";
import { METRICS } from "../../src/domain/metrics.ts";
import { tierTable } from "../../src/domain/tier-table.ts";
import { limitTable } from "../../src/services/limit-table.ts";

const RUNBOOK = "docs/operating/runbook.md";

it.each([
  ["docs/using/limits.md", "tiers", tierTable],
  ["docs/using/limits.md", "limits", limitTable],
  ["docs/using/errors.md", "errors", errorTable],
])("%s has the table of %s that the code's constants give", async (page, _, table) => {
  expect(await readFile(page, "utf8")).toContain(table());
});

it("The table of errors has the status of each code", () => {
  const make = ERRORS as unknown as Record<string, (...facts: unknown[]) => ServiceError>;
  const listed = Array.from(
    errorTable().matchAll(/^\| (\d{3}) +\| `(\w+)` /gm),
    ([, status, code]) => `${status} ${code}`,
  );
  const answered = new Set(
    Object.values(make)
      .map((error) => error(1, 1))
      .map(({ statusCode, code }) => `${statusCode} ${code}`),
  );
  expect(listed.toSorted()).toEqual([...answered].toSorted());
});

it("The runbook names only existing metrics, and has an alarm for each that an operator can act on", async () => {
  const runbook = await readFile(RUNBOOK, "utf8");
  const named = new Set(
    Array.from(runbook.matchAll(/\bmedia_[a-z_]+/g), ([name]) => name.replace(/_(bucket|sum|count)$/, "")),
  );
  for (const name of named) expect(Object.keys(METRICS)).toContain(name);
  const figures = [
    ...["media_uploads_total", "media_upload_bytes_total", "media_images_compressed_total"],
    "media_compression_saved_bytes_total",
  ];
  expect(
    Object.keys(METRICS)
      .filter((name) => !named.has(name))
      .sort(),
  ).toEqual(figures.sort());
});

it("The runbook names only events that the code logs", async () => {
  const runbook = await readFile(RUNBOOK, "utf8");
  const events = Array.from(runbook.matchAll(/event = "([a-z.-]+)"/g), ([, name]) => name ?? "");
  const files = await glob("src/**/*.ts");
  const sources = (await Promise.all(files.map((file) => readFile(file, "utf8")))).join();
  expect(events.length).toBeGreaterThan(3);
  for (const event of events) expect(sources).toContain(`toLogLine("${event}"`);
});

it("The page of the stores has every table that the code makes", async () => {
  const page = await readFile("docs/internals/stores.md", "utf8");
  const sources = await Promise.all((await glob("src/**/*.ts")).map((file) => readFile(file, "utf8")));
  const tables = sources.flatMap((source) =>
    Array.from(
      source.matchAll(/CREATE TABLE (?:IF NOT EXISTS )?(?:(\w+)|\$\{(\w+)\}) \(|sqliteTable\(\s*"(\w+)"/g),
      ([, name, constant, ofSchema]) =>
        name ?? ofSchema ?? new RegExp(`const ${constant} = "(\\w+)"`).exec(source)?.[1],
    ),
  );
  expect(tables.length).toBeGreaterThan(70);
  expect(tables.filter((table) => !page.includes(`\`${table}\``))).toEqual([]);
});

async function glob(pattern: string): Promise<string[]> {
  const found: string[] = [];
  for await (const file of listFiles(pattern)) found.push(file);
  return found;
}
