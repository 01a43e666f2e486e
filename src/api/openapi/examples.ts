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
  readonly examples?: object;
}

interface Operation {
  readonly operationId: string;
  readonly requestBody?: { readonly content: Readonly<Record<string, Media>> };
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, Media>> }>>;
}

/** Gives every request and response body of a description an example, unless it has its own. Changes the description. */
export function withExamples(description: Document): Document {
  const schemas = (description.components?.schemas ?? {}) as Readonly<Record<string, Schema>>;
  const operations = Object.values(description.paths ?? {}).flatMap((path) => Object.values(path) as Operation[]);
  for (const { operationId, requestBody, responses } of operations) {
    const bodies = [requestBody, ...Object.values(responses)];
    for (const media of bodies.flatMap((body) => Object.values(body?.content ?? {}))) {
      if (media.example === undefined && media.examples === undefined && media.schema !== undefined) {
        media.example = sample(media.schema, { schemas, owner: operationId, field: "" });
      }
    }
  }
  return description;
}

interface Place {
  readonly schemas: Readonly<Record<string, Schema>>;
  /** The named schema that has the field, or the operation of a body without one. */
  readonly owner: string;
  readonly field: string;
}

/** @throws Error if a text or number has no example */
function sample(schema: Schema, place: Place): unknown {
  if (schema.example !== undefined) return schema.example;
  if (schema.$ref !== undefined) {
    const owner = schema.$ref.slice(schema.$ref.lastIndexOf("/") + 1);
    return sample(place.schemas[owner] ?? {}, { ...place, owner });
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

/** The required fields, and the optional fields that have an example. */
function sampleFields({ properties = {}, required = [] }: Schema, place: Place): object {
  const shown = Object.entries(properties).filter(
    ([field, { example }]) => required.includes(field) || example !== undefined,
  );
  return Object.fromEntries(shown.map(([field, schema]) => [field, sample(schema, { ...place, field })]));
}

function sampleValue(schema: Schema, types: readonly string[], { owner, field }: Place): unknown {
  if (schema.const !== undefined) return schema.const;
  if (schema.enum !== undefined) return schema.enum[0];
  if (schema.default !== undefined) return schema.default;
  const known = FIELD_EXAMPLES[`${owner}.${field}`];
  if (known !== undefined) return known;
  if (types.includes("null")) return null;
  if (types.includes("boolean")) return true;
  const general = FIELD_EXAMPLES[field] ?? FIELD_EXAMPLES[schema.format ?? ""];
  if (general === undefined && types.length > 0) throw new Error(`${owner}.${field} has no example`);
  return general ?? {};
}
