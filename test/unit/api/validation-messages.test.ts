import { z } from "@hono/zod-openapi";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { messageOf } from "../../../src/contract/validation-messages.ts";

beforeAll(() => z.config({ customError: messageOf }));
afterAll(() => z.config({ customError: undefined }));

describe("Messages of wrong values", () => {
  it.each([
    [z.object({ a: z.string() }), {}, "Required"],
    [z.object({ a: z.string() }), { a: 1 }, "Must be a string"],
    [z.object({ a: z.coerce.number().int().min(1) }), { a: "0" }, "Must be at least 1"],
    [z.object({ a: z.coerce.number().int() }), { a: "x" }, "Must be a number"],
    [z.object({ a: z.int() }), { a: 1.5 }, "Must be a whole number"],
    [z.object({ a: z.number().max(100) }), { a: 101 }, "Must be at most 100"],
    [z.object({ a: z.number().gt(1) }), { a: 1 }, "Must be more than 1"],
    [z.object({ a: z.string().max(1) }), { a: "abc" }, "Must have at most 1 character"],
    [z.object({ a: z.string().length(2) }), { a: "abc" }, "Must have exactly 2 characters"],
    [z.object({ a: z.array(z.string()).min(1) }), { a: [] }, "Must have at least 1 item"],
    [z.object({ a: z.enum(["x", "y", "z"]) }), { a: "w" }, "Must be `x`, `y` or `z`"],
    [z.object({ a: z.literal(true) }), { a: "w" }, "Must be true"],
    [z.object({ a: z.email() }), { a: "w" }, "Must be an email address"],
    [z.object({ a: z.url() }), { a: "w" }, "Must be a URL"],
    [z.object({ a: z.string().regex(/^x/) }), { a: "w" }, "Must be in the documented form"],
    [z.object({ a: z.number().multipleOf(5) }), { a: 7 }, "Must be a multiple of 5"],
    [z.object({ a: z.union([z.string(), z.null()]) }), { a: 7 }, "Must be one of the documented forms"],
    [z.strictObject({}), { b: 1 }, "Unknown field `b`"],
    [z.strictObject({}), { b: 1, ["c".repeat(99)]: 1 }, `Unknown fields \`b\`, \`${"c".repeat(64)}\``],
    [
      z.strictObject({ folderId: z.null() }).partial(),
      { folderid: null },
      "Unknown field `folderid`; did you mean `folderId`?",
    ],
    [
      z.strictObject({ tags: z.null(), q: z.null() }).partial(),
      { Tags: 1, b: 1 },
      "Unknown fields `Tags`, `b`; did you mean `tags`?",
    ],
    [z.object({ a: z.string().min(1, "Must not be empty") }), { a: "" }, "Must not be empty"],
  ])("A value has a message in the service's own words (case %#)", (schema, value, message) => {
    expect(schema.safeParse(value).error?.issues.map((issue) => issue.message)).toEqual([message]);
  });
});
