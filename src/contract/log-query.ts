import { z } from "@hono/zod-openapi";
import { OPERATION_CLASSES, OPERATION_TYPES } from "../domain/allowance.ts";
import { MAX_COUNTED_OPERATIONS } from "../domain/limits.ts";
import { Cursor, From, Limit, Page, parameter, To } from "./query-parameters.ts";

const Parameters = z.object({
  page: Page,
  limit: Limit,
  cursor: Cursor,
  keyId: parameter(z.string().max(64).optional()).openapi({
    type: "string",
    maxLength: 64,
    description: "Operations with this key. Views have no key; an unknown key has no operations",
  }),
  class: parameter(z.enum(OPERATION_CLASSES).optional()).openapi({
    description: "`A`: uploads and deletions; `B`: views",
  }),
  type: parameter(z.enum(OPERATION_TYPES).optional()).openapi({ description: "One kind of operation" }),
  from: From,
  to: To,
});

export const LogQuery = Parameters.superRefine(({ from, to, cursor, page, limit }, { addIssue }) => {
  const refuse = (name: string, message: string) => addIssue({ code: "custom", path: [name], message });
  if (from !== undefined && to !== undefined && from > to) refuse("from", "Must not be after `to`");
  if (cursor !== undefined && page > 1) refuse("cursor", "Not allowed with `page`");
  if (page * limit > MAX_COUNTED_OPERATIONS) {
    refuse("page", `More than ${MAX_COUNTED_OPERATIONS} operations: use \`cursor\` or fewer days`);
  }
});
