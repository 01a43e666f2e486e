import { describe, expect, it } from "vitest";
import type { z } from "zod";
import { createApp } from "../../src/app.ts";
import { call } from "../support/api/api.ts";
import { isValid, type JsonSchema } from "../support/api/json-schema.ts";
import { pick, type Random } from "../support/library/random-query.ts";
import { seeded } from "../support/uploads/multipart.ts";

interface Body {
  readonly name: string;
  readonly server: z.ZodType;
}

/** Every JSON body that the API accepts, from its routes. */
const BODIES: Body[] = createApp().openAPIRegistry.definitions.flatMap((definition) => {
  if (definition.type !== "route") return [];
  const { method, path, request } = definition.route;
  const content = request?.body?.content["application/json"];
  const server = content !== undefined && "schema" in content ? content.schema : undefined;
  return server === undefined ? [] : [{ name: `${method.toUpperCase()} ${path}`, server: server as z.ZodType }];
});

interface Description {
  readonly paths: Record<string, Record<string, { requestBody: { content: Record<string, { schema: JsonSchema }> } }>>;
  readonly components: { readonly schemas: Record<string, JsonSchema> };
}

let described: Description | undefined;

/** The description's schema of a body, with its references resolved. */
async function schemaOf(name: string): Promise<JsonSchema> {
  described ??= await (await call("/openapi.json")).json<Description>();
  const { paths, components } = described;
  const [method = "", path = ""] = name.split(" ");
  const schema = paths[path]?.[method.toLowerCase()]?.requestBody.content["application/json"]?.schema ?? {};
  return JSON.parse(JSON.stringify(schema), (_, value) =>
    typeof value?.$ref === "string" ? components.schemas[value.$ref.split("/").at(-1) ?? ""] : value,
  ) as JsonSchema;
}

const DATE_TIMES = [
  ...["2099-02-28T00:00:00Z", "2096-02-29T23:59:59.123+05:30", "2099-02-29T00:00:00Z", "2099-02-28T00:00:00"],
  ...["2099-02-28", "2099-02-28T24:00:00Z"],
];
const LETTERS = ["a", "B", "7", " ", "é", "写", "🦊", "-", "@", ".", "/", "root", "\u0958"];
const ODD_LETTERS = [",", "\n", "\0", "\u202e", "\ud83d", "\u0301", "\u00a0"];

/** Mostly one of the alternatives: its fields, and the fields of the others, with the fields that they require. */
function drawBranch({ oneOf = [], dependentRequired = {} }: JsonSchema, random: Random) {
  if (oneOf.length === 0 || random(4) === 0) return { wanted: [], left: [] };
  const chosen = pick(random, oneOf);
  const others = oneOf.filter((branch) => branch !== chosen).flatMap(({ required = [] }) => required);
  const needing = Object.entries(dependentRequired).filter(([, needed]) =>
    needed.some((name) => others.includes(name)),
  );
  return { wanted: chosen.required ?? [], left: [...others, ...needing.map(([name]) => name)] };
}

/** A body of more values than this has no further long lists: the server would take a second to read it. */
const MAX_VALUES = 3000;
let drawn = 0;

/** Values at the bounds of a schema, within them and beyond them, and some of another type. */
function draw(schema: JsonSchema, random: Random): unknown {
  drawn += 1;
  if (random(12) === 0) return pick(random, [null, 7, "x", true, [], {}, [null], 50.5]);
  const types = [schema.type ?? []].flat();
  if (types.includes("null") && random(4) === 0) return null;
  if (schema.enum !== undefined) return pick(random, schema.enum);
  const type = types.find((candidate) => candidate !== "null");
  const sized = (min: number, max: number) =>
    pick(
      random,
      [min - 1, min, min + 1, 3, max - 1, max, max + 1].filter((n) => n >= 0),
    );
  switch (type) {
    case "string": {
      if (schema.format === "date") return pick(random, ["2026-02-28", "2024-02-29", "2026-2-28", "2026-02-28T00:00Z"]);
      if (schema.format === "date-time") return pick(random, DATE_TIMES);
      if (schema.pattern?.includes("@") && random(2) === 0)
        return pick(random, ["a@example.com", "A.b+c@Example.org", "a@b", "@b.de"]);
      const letters = random(6) === 0 ? [...LETTERS, ...ODD_LETTERS] : LETTERS;
      const length = sized(schema.minLength ?? 0, Math.min(schema.maxLength ?? 30, 300));
      return Array.from({ length }, () => pick(random, letters)).join("");
    }
    case "number":
    case "integer":
      return sized(schema.minimum ?? 0, schema.maximum ?? 10);
    case "boolean":
      return random(2) === 0;
    case "array": {
      const isShort = random(3) > 0 || drawn > MAX_VALUES;
      const length = isShort ? random(4) : sized(schema.minItems ?? 0, Math.min(schema.maxItems ?? 5, 1001));
      return Array.from({ length }, (_, at) => {
        const item = draw(schema.items ?? {}, random);
        return typeof item === "string" && schema.items?.enum === undefined
          ? `${at}${item.slice(String(at).length)}`
          : item;
      });
    }
    default: {
      const { wanted, left } = drawBranch(schema, random);
      const entries = Object.entries(schema.properties ?? {}).filter(
        ([name]) => wanted.includes(name) || (!left.includes(name) && random(4) > 0),
      );
      const more = random(10) === 0 ? { unknown: 1 } : {};
      return { ...Object.fromEntries(entries.map(([name, property]) => [name, draw(property, random)])), ...more };
    }
  }
}

/**
 * Text that the server keeps unchanged. The server may accept more of other text (spaces around it, decomposed letters) than it describes.
 */
function isKept(value: unknown): boolean {
  if (typeof value === "string") return value === value.trim().normalize("NFC");
  if (typeof value !== "object" || value === null) return true;
  return Object.values(value).every(isKept) && (!Array.isArray(value) || new Set(value).size === value.length);
}

it("The API has bodies to compare", () => {
  expect(BODIES.length).toBeGreaterThan(12);
});

describe.each(BODIES)("Body of $name", ({ name, server }) => {
  it("A body's description matches the server: described values are accepted, others at its bounds refused", async () => {
    const schema = await schemaOf(name);
    const random = seeded(name.length);
    const seen = { valid: 0, invalid: 0 };
    for (let round = 0; round < 8000; round++) {
      drawn = 0;
      const body = draw(schema, random);
      const allowed = isValid(schema, body);
      seen[allowed ? "valid" : "invalid"] += 1;
      const accepted = server.safeParse(body).success;
      if (accepted !== allowed && (allowed || isKept(body))) {
        expect.fail(`${allowed ? "refused" : "accepted"}: ${JSON.stringify(body)?.slice(0, 600)}`);
      }
    }
    expect(seen.valid).toBeGreaterThan(20);
    expect(seen.invalid).toBeGreaterThan(20);
  });
});
