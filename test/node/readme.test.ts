import { readFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { errorTable, tierTable } from "../../src/domain/tables.ts";
import { limitTable } from "../../src/services/limit-table.ts";

it.each([
  ["tiers", tierTable],
  ["limits", limitTable],
  ["errors", errorTable],
])("README's table of %s is what the code's constants say", async (_, table) => {
  expect(await readFile("README.md", "utf8")).toContain(table());
});
