import { z } from "@hono/zod-openapi";
import {
  MAX_ALT_CHARACTERS,
  MAX_EXTERNAL_ID_CHARACTERS,
  MAX_FACTS_BYTES,
  MAX_FACTS_DEPTH,
  type Reading,
  readAlt,
  readExternalId,
  readMetadata,
} from "../domain/upload-facts.ts";
import { toFocalCoordinate } from "../domain/variants/focal-point.ts";
import { CONTROLS, nullableTime, without } from "./text.ts";

/** The client's own facts about an upload, in bodies (EDIT-1). */

type Issues = { addIssue(issue: { code: "custom"; message: string }): void };

/** @returns the value as it is stored; null, with an issue, if it is not valid */
function judged<Value>(reading: Reading<Value>, { addIssue }: Issues): Value | null {
  if ("value" in reading) return reading.value;
  addIssue({ code: "custom", message: reading.problem });
  return null;
}

const NULLABLE_TEXT: ["string", "null"] = ["string", "null"];

export const ExternalIdField = z
  .string()
  .transform((given, issues) => judged(readExternalId(given), issues))
  .nullable()
  .openapi({
    type: NULLABLE_TEXT,
    minLength: 1,
    maxLength: MAX_EXTERNAL_ID_CHARACTERS,
    pattern: `^${without(CONTROLS)}$`,
    description: "Your own id of the file, unique in the account",
  });

export const AltField = z
  .string()
  .transform((given, issues) => judged(readAlt(given), issues))
  .nullable()
  .openapi({
    type: NULLABLE_TEXT,
    maxLength: MAX_ALT_CHARACTERS,
    pattern: `^${without(CONTROLS)}$`,
    description: "A description for people who do not see the picture",
  });

/** The text of the stored JSON. */
export const MetadataField = z
  .unknown()
  .transform((given, issues) => (given === null ? null : judged(readMetadata(given), issues)))
  .openapi({
    type: ["object", "null"],
    additionalProperties: true,
    description: `Your own facts: a JSON object of at most ${MAX_FACTS_BYTES} bytes and ${MAX_FACTS_DEPTH} levels, replaced as a whole`,
  });

const Coordinate = z.number().min(0).max(1);

/** EDIT-4. */
export const FocalPointField = z
  .strictObject({ x: Coordinate.transform(toFocalCoordinate), y: Coordinate.transform(toFocalCoordinate) })
  .nullable()
  .openapi({
    description: "The point that crops keep, from the left and the top edge, kept to four decimals; null for none",
    example: { x: 0.31, y: 0.42 },
  });

/** The service judges whether the time is in the future. */
export const ExpiresAtField = nullableTime("The time at which the file is deleted, within five years; null for never");

/** The facts in an answer. */
export const factFields = {
  externalId: z.string().nullable().openapi({ description: "Your own id of the file" }),
  alt: z.string().nullable().openapi({ description: "A description for people who do not see the picture" }),
  metadata: z.record(z.string(), z.unknown()).nullable().openapi({ description: "Your own facts" }),
  focalPoint: z
    .object({ x: z.number(), y: z.number() })
    .nullable()
    .openapi({
      description: "The point that crops keep: `fp-x` and `fp-y` of a URL. From 0 to 1; null if none is set",
      example: { x: 0.31, y: 0.42 },
    }),
  expiresAt: z.string().datetime().nullable().openapi({ description: "The time at which the file is deleted" }),
  takenAt: z.string().datetime().nullable().openapi({
    description: "The time of the picture by its camera; a clock without an offset is read as UTC; null if unknown",
  }),
  camera: z.string().nullable().openapi({ description: "Maker and model", example: "Canon EOS R5" }),
  lens: z.string().nullable().openapi({ example: "RF24-70mm F2.8 L IS USM" }),
  exposure: z
    .object({
      shutterSeconds: z.number().nullable(),
      aperture: z.number().nullable().openapi({ description: "The f-number" }),
      iso: z.number().nullable(),
      focalLengthMm: z.number().nullable(),
    })
    .nullable()
    .openapi({
      description: "The exposure by the camera, with null for facts that it did not write; null if it wrote none",
      example: { shutterSeconds: 0.004, aperture: 2.8, iso: 400, focalLengthMm: 35 },
    }),
  location: z
    .object({ latitude: z.number().min(-90).max(90), longitude: z.number().min(-180).max(180) })
    .nullable()
    .openapi({
      description:
        "The place in the stored file, in signed degrees (WGS 84); null if the file has none, or was uploaded before the service read it",
      example: { latitude: 59.9139, longitude: 10.7522 },
    }),
};
