import type { OpenAPIHono } from "@hono/zod-openapi";
import { FIELD_EXAMPLES } from "./field-examples.ts";

type Document = ReturnType<OpenAPIHono["getOpenAPI31Document"]>;

interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly example?: unknown;
  readonly default?: unknown;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly oneOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly format?: string;
}

interface Media {
  readonly schema?: Schema;
  example?: unknown;
  examples?: object;
}

interface Operation {
  readonly operationId: string;
  readonly requestBody?: { readonly content: Readonly<Record<string, Media>> };
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, Media>> }>>;
}

/**
 * Gives every request and response body of a description an example, unless it has its own. A body with named variants has an example of each.
 * Changes the description.
 */
export function withExamples(description: Document): Document {
  const schemas = (description.components?.schemas ?? {}) as Readonly<Record<string, Schema>>;
  const operations = Object.values(description.paths ?? {}).flatMap((path) => Object.values(path) as Operation[]);
  for (const { operationId, requestBody, responses } of operations) {
    const bodies = [requestBody, ...Object.values(responses)];
    for (const media of bodies.flatMap((body) => Object.values(body?.content ?? {}))) {
      if (media.example === undefined && media.examples === undefined && media.schema !== undefined) {
        Object.assign(media, toExamples(media.schema, { schemas, owner: operationId, path: "", field: "" }));
      }
    }
  }
  return description;
}

function toExamples(schema: Schema, place: Place): Pick<Media, "example" | "examples"> {
  const found = schema.$ref === undefined ? { schema, place } : referred(schema.$ref, place);
  const { example, oneOf = [] } = found.schema;
  const variants = oneOf.map((variant) => ({ variant, value: sample(variant, found.place) }));
  const named = variants.map(({ variant, value }) => [
    variant.$ref === undefined ? (value as { readonly type?: string }).type : nameOf(variant.$ref),
    { value },
  ]);
  if (example !== undefined || named.length === 0 || named.some(([name]) => name === undefined)) {
    return { example: sample(schema, place) };
  }
  return { examples: Object.fromEntries(named) };
}

interface Place {
  readonly schemas: Readonly<Record<string, Schema>>;
  /** The named schema that has the field, or the operation of a body without one. */
  readonly owner: string;
  /** The fields from the owner to this one, with points. */
  readonly path: string;
  /** The last of them. */
  readonly field: string;
}

const nameOf = (reference: string) => reference.slice(reference.lastIndexOf("/") + 1);

function referred(reference: string, place: Place): { readonly schema: Schema; readonly place: Place } {
  const owner = nameOf(reference);
  return { schema: place.schemas[owner] ?? {}, place: { ...place, owner, path: "" } };
}

/** @throws Error if a text or number has no example */
function sample(schema: Schema, place: Place): unknown {
  if (schema.example !== undefined) return schema.example;
  if (schema.$ref !== undefined) {
    const found = referred(schema.$ref, place);
    return ownExample(place) ?? sample(found.schema, found.place);
  }
  if (schema.allOf !== undefined) {
    return Object.assign({}, ...schema.allOf.map((part) => sample(part, place)), sampleFields(schema, place));
  }
  const [first] = schema.oneOf ?? schema.anyOf ?? [];
  if (first !== undefined) return sample(first, place);
  const types = [schema.type ?? []].flat();
  if (types.includes("object")) return sampleFields(schema, place);
  if (types.includes("array")) return schema.items === undefined ? [] : [sample(schema.items, place)];
  return sampleValue(schema, types, place);
}

/** The required fields, and the optional fields that have an example of their own. */
function sampleFields({ properties = {}, required = [] }: Schema, place: Place): object {
  const fields = Object.entries(properties).map(([field, schema]) => {
    const path = place.path === "" ? field : `${place.path}.${field}`;
    return { field, schema, place: { ...place, path, field } };
  });
  const shown = fields.filter(
    ({ field, schema, place }) =>
      required.includes(field) || schema.example !== undefined || ownExample(place) !== undefined,
  );
  return Object.fromEntries(shown.map(({ field, schema, place }) => [field, sample(schema, place)]));
}

function ownExample({ owner, path, field }: Place): unknown {
  const exact = FIELD_EXAMPLES[`${owner}.${path}`];
  return exact === undefined ? FIELD_EXAMPLES[`${owner}.${field}`] : exact;
}

function sampleValue(schema: Schema, types: readonly string[], place: Place): unknown {
  if (schema.const !== undefined) return schema.const;
  const own = ownExample(place);
  if (own !== undefined) return own;
  if (schema.enum !== undefined) return schema.enum[0];
  if (schema.default !== undefined) return schema.default;
  if (types.includes("null")) return null;
  if (types.includes("boolean")) return true;
  const general = FIELD_EXAMPLES[place.field] ?? FIELD_EXAMPLES[schema.format ?? ""];
  if (general === undefined && types.length > 0)
    throw new Error(`${place.owner}.${place.path} has no example: add one to FIELD_EXAMPLES`);
  return general ?? {};
}
