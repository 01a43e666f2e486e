import { glob as listFiles, readFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { ERRORS, type ServiceError } from "../../src/domain/errors.ts";
import { METRICS } from "../../src/domain/metrics.ts";
import { errorTable, tierTable } from "../../src/domain/tables.ts";
import { limitTable } from "../../src/services/limit-table.ts";

it.each([
  ["tiers", tierTable],
  ["limits", limitTable],
  ["errors", errorTable],
])("README's table of %s is what the code's constants say", async (_, table) => {
  expect(await readFile("README.md", "utf8")).toContain(table());
});

it("the table of errors has every status that a client can be told of, in order", () => {
  const make = ERRORS as unknown as Record<string, (...facts: unknown[]) => ServiceError>;
  const told = new Set(Object.values(make).map((error) => error(1, 1).statusCode));
  const listed = Array.from(errorTable().matchAll(/^\| (\d{3}) /gm), ([, status]) => Number(status));
  expect(listed).toEqual([...told].sort((a, b) => a - b));
});

it("README names no metric that there is not, and has an alarm for each that the operator can do something about", async () => {
  const readme = await readFile("README.md", "utf8");
  const named = new Set(
    Array.from(readme.matchAll(/\bmedia_[a-z_]+/g), ([name]) => name.replace(/_(bucket|sum|count)$/, "")),
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

it("README names no event of the log that nothing writes", async () => {
  const readme = await readFile("README.md", "utf8");
  const events = Array.from(readme.matchAll(/event = "([a-z.-]+)"/g), ([, name]) => name ?? "");
  const files = await glob("src/**/*.ts");
  const sources = (await Promise.all(files.map((file) => readFile(file, "utf8")))).join();
  expect(events.length).toBeGreaterThan(3);
  for (const event of events) expect(sources).toContain(`toLogLine("${event}"`);
});

async function glob(pattern: string): Promise<string[]> {
  const found: string[] = [];
  for await (const file of listFiles(pattern)) found.push(file);
  return found;
}
