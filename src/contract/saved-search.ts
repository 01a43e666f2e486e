import { z } from "@hono/zod-openapi";
import { MAX_SEARCH_ADDRESS_CHARACTERS, MAX_SEARCH_NAME_CHARACTERS } from "../domain/saved-search.ts";
import { NextPageSchema } from "./query-parameters.ts";
import { line, UNREADABLE } from "./text.ts";

const Name = line({ max: MAX_SEARCH_NAME_CHARACTERS, forbidden: UNREADABLE });

const ADDRESS = /^\/(?:library|trash)(?:\?[!-~]*)?$/;

const Address = z
  .string()
  .max(MAX_SEARCH_ADDRESS_CHARACTERS)
  .regex(ADDRESS, "Must begin with `/library` or `/trash`")
  .openapi({
    description: "The dashboard's address of the view, below `/dashboard`",
    example: "/library?type=png&alt=without",
  });

export const SavedSearchSchema = z
  .object({ _id: z.string(), name: z.string(), address: z.string() })
  .openapi("SavedSearch");

export const SavedSearchListSchema = z.object({ searches: z.array(SavedSearchSchema), pagination: NextPageSchema });

export const NewSavedSearchBody = z
  .strictObject({ name: Name, address: Address })
  .openapi("NewSavedSearch", { example: { name: "Without alt text", address: "/library?alt=without" } });

export const SavedSearchChangeBody = z
  .strictObject({ name: Name, address: Address })
  .partial()
  .openapi("SavedSearchChange", { example: { name: "PNG without alt text" } });
