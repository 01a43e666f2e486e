import { readFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { ERRORS, type ServiceError } from "../../src/domain/errors.ts";
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
