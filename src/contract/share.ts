import { z } from "@hono/zod-openapi";
import {
  type GuestLimits,
  MAX_SHARE_PASSWORD_CHARACTERS,
  MAX_SHARE_TITLE_CHARACTERS,
  MAX_SHARED_IDS,
} from "../domain/share.ts";
import { TOKEN_TYPES } from "../domain/upload-token.ts";
import { EXAMPLE_ID, folderField } from "./common.ts";
import { NextPageSchema } from "./query-parameters.ts";
import { FilterField, SELECTING_VARIANTS } from "./selection.ts";
import { exactText, line, nullableTime, orNull, UNREADABLE } from "./text.ts";
import { MaxBytes, MaxFiles, Types } from "./upload-token.ts";

const Title = orNull(line({ max: MAX_SHARE_TITLE_CHARACTERS, forbidden: UNREADABLE }));
const Password = exactText({ min: 1, max: MAX_SHARE_PASSWORD_CHARACTERS })
  .nullable()
  .openapi({ type: ["string", "null"], description: "The password that visitors have to type; null: none" });
const ExpiresAt = nullableTime("The page is gone from this time on; null: it stays").transform((time) =>
  time === null ? null : Date.parse(time),
);
const AllowDownload = z.boolean().openapi({ description: "Whether the page offers downloads" });
const Indexed = z.boolean().openapi({ description: "Whether search engines may list the page" });
const GUEST_LIMITS = { maxFiles: MaxFiles, maxBytes: MaxBytes, types: Types };
/** `true` or limits, as one type, because generated clients differ in unions. */
function describedLimits(more: Readonly<Record<string, { readonly type: "integer" }>> = {}) {
  const limit = { type: ["integer" as const, "null" as const], minimum: 1 };
  const items = { type: "string" as const, enum: [...TOKEN_TYPES] };
  const types = { type: "array" as const, items, maxItems: TOKEN_TYPES.length };
  return {
    type: ["boolean" as const, "object" as const],
    properties: { maxFiles: limit, maxBytes: limit, types, ...more },
    additionalProperties: false,
  };
}
const NO_LIMITS: GuestLimits = { maxFiles: null, maxBytes: null, types: [] };
/** Read as the limits; null: guests upload nothing. */
const AllowUpload = z
  .union(
    [
      z.boolean(),
      z.strictObject({ maxFiles: MaxFiles.default(null), maxBytes: MaxBytes.default(null), types: Types.default([]) }),
    ],
    "Must be true, false, or limits",
  )
  .transform((given): GuestLimits | null => (typeof given === "boolean" ? (given ? NO_LIMITS : null) : given))
  .openapi({
    ...describedLimits(),
    description: "Whether guests may upload into the folder, or their limits: only for a share of a folder",
  });
const SharedFilterField = FilterField.omit({ status: true }).openapi("SharedFilter", {
  description: "The parameters of `GET /images` that match many files, as the page is opened",
  example: { folderId: "all", mimePrefix: "video/" },
});

const TERMS = {
  title: Title.default(null),
  password: Password.default(null),
  expiresAt: ExpiresAt.default(null),
  allowDownload: AllowDownload.default(true),
  indexed: Indexed.default(false),
};

const GUESTS = { allowUpload: AllowUpload.optional() };

const FILES = {
  folderId: folderField("The files of this folder, without the folders below it; null or `root` is Root"),
  ids: z
    .array(exactText({ max: 64 }))
    .min(1)
    .max(MAX_SHARED_IDS)
    .openapi({ description: "These files, in this order" }),
  filter: SharedFilterField,
};

/** Clients may send the default. */
const NO_GUESTS = {
  allowUpload: z.literal(false).optional().openapi({ description: "Guests upload only into folders" }),
};

const VARIANTS = [
  ["NewShareOfFolder", { folderId: FILES.folderId, ...GUESTS }, { folderId: "root", title: "Summer" }],
  ["NewShareOfIds", { ids: FILES.ids, ...NO_GUESTS }, { ids: [EXAMPLE_ID], title: "Summer" }],
  ["NewShareOfFilter", { filter: FILES.filter, ...NO_GUESTS }, { filter: { tags: ["beach"] }, title: "Summer" }],
] as const;
for (const [name, files, example] of VARIANTS)
  SELECTING_VARIANTS.set(name, z.strictObject({ ...files, ...TERMS }).openapi({ example }));

const ONLY_FOLDERS = "Only for a share of a folder";

/** A new share (SHARE-1). It is described as three schemas and validated as one, whose messages name the wrong field. */
export const NewShareBody = z
  .strictObject({
    folderId: FILES.folderId.optional(),
    ids: FILES.ids.optional(),
    filter: FILES.filter.optional(),
    ...TERMS,
    ...GUESTS,
  })
  .superRefine(({ folderId, ids, filter, allowUpload }, { addIssue }) => {
    const given = Object.entries({ folderId, ids, filter }).filter(([, value]) => value !== undefined);
    const [, second] = given;
    if (given.length === 0)
      addIssue({ code: "custom", path: ["folderId"], message: "`folderId`, `ids` or `filter` is required" });
    if (second !== undefined)
      addIssue({ code: "custom", path: [second[0]], message: "Only one of `folderId`, `ids` and `filter`" });
    if (allowUpload && folderId === undefined && second === undefined && given.length > 0)
      addIssue({ code: "custom", path: ["allowUpload"], message: ONLY_FOLDERS });
  })
  .openapi("NewShare", {
    type: "object",
    oneOf: VARIANTS.map(([name]) => ({ $ref: `#/components/schemas/${name}` })),
  });

export const ShareChangeBody = z
  .strictObject({
    title: Title,
    password: Password,
    expiresAt: ExpiresAt,
    allowDownload: AllowDownload,
    indexed: Indexed,
    allowUpload: AllowUpload,
  })
  .partial()
  .openapi("ShareChange", { example: { password: "open sesame" } });

export const ShareSchema = z
  .object({
    _id: z.string(),
    url: z.string().openapi({ description: "The page, for everyone who has this address" }),
    folderId: z.string().nullable().optional().openapi({ description: "Only for a share of a folder; null is Root" }),
    ids: z.array(z.string()).optional().openapi({ description: "Only for a share of files" }),
    filter: SharedFilterField.optional(),
    title: z.string().nullable(),
    hasPassword: z.boolean(),
    createdAt: z.string().datetime(),
    expiresAt: z.string().datetime().nullable(),
    allowDownload: z.boolean(),
    indexed: z.boolean(),
    views: z.number().int().openapi({ description: "The number of times that the page was opened" }),
    allowUpload: z
      .union([
        z.literal(false),
        z.object({ ...GUEST_LIMITS, usedFiles: z.number().int(), usedBytes: z.number().int() }),
      ])
      .openapi({
        ...describedLimits({ usedFiles: { type: "integer" }, usedBytes: { type: "integer" } }),
        description: "False, or the limits of guests, with the files and bytes that they have stored",
        example: false,
      }),
  })
  .openapi("Share");

export const SharePageSchema = z.object({ shares: z.array(ShareSchema), pagination: NextPageSchema });
