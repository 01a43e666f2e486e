import { afterAll, expect } from "vitest";
import { leaks, watched } from "./watched-env.ts";

// The answer may hide that a statement failed.
afterAll(() => {
  expect(leaks).toEqual([]);
  console.log(`statements watched: ${watched.statements}, with rows: ${watched.withIds}`);
});
