import { z } from "@hono/zod-openapi";
import { findAddressedFile } from "../domain/file-address.ts";
import { MAX_SEARCH_CHARACTERS } from "../domain/limits.ts";
import { ORIENTATIONS } from "../domain/orientation.ts";
import { MAX_TAGS, normalizeTag, splitTags } from "../domain/tags.ts";
import { MAX_EXTERNAL_ID_CHARACTERS } from "../domain/upload-facts.ts";
import { UPLOAD_STATUSES } from "../domain/upload-status.ts";
import { VISIBILITIES } from "../domain/visibility.ts";
import { Cursor, From, integer, Limit, Page, parameter, To } from "./query-parameters.ts";
import { Sha256 } from "./sha256.ts";
import { countCharacters, exactText } from "./text.ts";

const Tags = z
  .string()
  .transform(splitTags)
  .pipe(z.array(z.string()).max(MAX_TAGS, `At most ${MAX_TAGS} tags`))
  .openapi({ type: "string", description: "Comma-separated" });

/** A percent-encoded name makes a URL longer than other search texts. */
const isAddress = (text: string) => findAddressedFile(text) !== undefined;

export const Search = z
  .string()
  .transform((text) => text.normalize("NFC").trim())
  .refine(
    (text) => isAddress(text) || countCharacters(text) <= MAX_SEARCH_CHARACTERS,
    `At most ${MAX_SEARCH_CHARACTERS} characters`,
  )
  .openapi({
    type: "string",
    description:
      "Words of a file name in any order and case, with or without accents, or a whole tag. A word of 8 characters or with a slash also matches part of an id or path. A file's path or URL finds that file",
  });

export const Status = parameter(z.enum([...UPLOAD_STATUSES, "all"]).default("active")).openapi({
  description: "Uploads in this state; `all` are both",
});

export const FolderId = parameter(z.string().optional()).openapi({
  type: "string",
  description:
    "A folder's id, `root` or `all`. Without it: Root for status `active` without `q` and `sha256`, else every folder",
});

/** More types than are stored. */
const MAX_PREFIXES = 10;
const MAX_PREFIX_CHARACTERS = 200;

export const MimePrefix = z
  .string()
  .refine((text) => countCharacters(text) <= MAX_PREFIX_CHARACTERS, `At most ${MAX_PREFIX_CHARACTERS} characters`)
  .refine((text) => /^\s*[^,\s]/.test(text), "Must name a type")
  .refine((text) => text.split(",").length <= MAX_PREFIXES, `At most ${MAX_PREFIXES} types`)
  .openapi({
    type: "string",
    maxLength: MAX_PREFIX_CHARACTERS,
    pattern: `^\\s*[^,\\s][^,]*(,[^,]*){0,${MAX_PREFIXES - 1}}$`,
    description:
      "Prefix of the MIME type (`image/`, `video/`, `image/pn`), or `other`: neither image nor video. Several, comma-separated: one of them",
    example: "image/png,video/",
  });

const MAX_CAMERA_CHARACTERS = 100;

export const Camera = exactText({ min: 1, max: MAX_CAMERA_CHARACTERS }).openapi({
  type: "string",
  maxLength: MAX_CAMERA_CHARACTERS,
  description: "A part of `camera`, without the case of A to Z. Files of an unknown camera do not match",
  example: "EOS R5",
});

export const OrientationSchema = z
  .enum(ORIENTATIONS)
  .openapi({ description: "The form of the picture as displayed. Files of unknown size do not match" });

const Flag = z.enum(["true", "false"]);

/** The parameters of GET /images (LIST-3). */
const Parameters = z.object({
  page: Page,
  limit: Limit,
  cursor: Cursor,
  status: Status,
  folderId: FolderId,
  q: parameter(Search.optional()),
  externalId: parameter(exactText({ max: MAX_EXTERNAL_ID_CHARACTERS }).optional()).openapi({
    type: "string",
    maxLength: MAX_EXTERNAL_ID_CHARACTERS,
    description: "Your own id of one file, in every folder unless `folderId` names one; not with `q`",
  }),
  from: From,
  to: To,
  takenFrom: From.openapi({ description: "The first day on which the picture was taken, in UTC" }),
  takenTo: To.openapi({ description: "The last day on which the picture was taken, in UTC" }),
  sort: parameter(z.enum(["createdAt", "name", "size", "takenAt"]).default("createdAt")).openapi({
    type: "string",
    enum: ["createdAt", "name", "size", "takenAt"],
    default: "createdAt",
    description: "`name` ignores the case of A to Z. Files without `takenAt` are last in both orders",
  }),
  order: parameter(z.enum(["desc", "asc"]).default("desc")).openapi({
    type: "string",
    enum: ["desc", "asc"],
    default: "desc",
    description: "The direction of `sort`",
  }),
  mimePrefix: parameter(MimePrefix.optional()),
  minSize: parameter(integer(0, Number.MAX_SAFE_INTEGER).optional()).openapi({
    type: "integer",
    minimum: 0,
    description: "Stored bytes, at least",
  }),
  maxSize: parameter(integer(0, Number.MAX_SAFE_INTEGER).optional()).openapi({
    type: "integer",
    minimum: 0,
    description: "Stored bytes, at most",
  }),
  favorite: parameter(Flag.optional()).openapi({ description: "Whether it is a favourite" }),
  visibility: parameter(z.enum(VISIBILITIES).optional()).openapi({
    description: "Whether everyone may open the file's URL",
  }),
  camera: parameter(Camera.optional()),
  orientation: parameter(OrientationSchema.optional()),
  expires: parameter(Flag.optional()).openapi({ description: "Whether it is deleted at a time (`expiresAt`)" }),
  expiresFrom: From.openapi({ description: "The first day on which it is deleted, in UTC" }),
  expiresTo: To.openapi({ description: "The last day on which it is deleted, in UTC" }),
  hasAlt: parameter(Flag.optional()).openapi({ description: "Whether it has an `alt` text" }),
  takenDown: parameter(Flag.optional()).openapi({ description: "Whether the operator took it down (`takedown`)" }),
  sha256: parameter(z.string().toLowerCase().pipe(Sha256).optional()).openapi({
    type: "string",
    pattern: "^[0-9a-fA-F]{64}$",
    description: "SHA-256 of the file's bytes, as stored or as uploaded, in hexadecimal; looks into every folder",
  }),
  tags: parameter(Tags.optional()),
  excludeTags: parameter(Tags.optional()),
  tag: parameter(z.string().transform(normalizeTag).optional()).openapi({
    type: "string",
    description: "One tag; an older form of `tags`",
  }),
});

export const ListQuery = Parameters.superRefine((query, { addIssue }) => {
  const refuse = (name: keyof typeof query, message: string) => addIssue({ code: "custom", path: [name], message });
  const { from, to, takenFrom, takenTo, expiresFrom, expiresTo, minSize, maxSize } = query;
  const { cursor, page, sort, order, q, externalId } = query;
  if (from !== undefined && to !== undefined && from > to) refuse("from", "Must not be after `to`");
  if (takenFrom !== undefined && takenTo !== undefined && takenFrom > takenTo)
    refuse("takenFrom", "Must not be after `takenTo`");
  if (expiresFrom !== undefined && expiresTo !== undefined && expiresFrom > expiresTo)
    refuse("expiresFrom", "Must not be after `expiresTo`");
  if (minSize !== undefined && maxSize !== undefined && minSize > maxSize)
    refuse("minSize", "Must not exceed `maxSize`");
  if (externalId !== undefined && q !== undefined) refuse("externalId", "Not allowed with `q`");
  const isUsual = sort === "createdAt" && order === "desc";
  if (cursor !== undefined && page > 1 && isUsual) refuse("cursor", "Not allowed with `page`");
});
