import { describe, expect, it } from "vitest";
import type { z } from "zod";
import { USAGE_HEADERS } from "../../src/api/middleware/every-request.ts";
import { describeOpenApi } from "../../src/api/openapi/serve-openapi.ts";
import { createApp } from "../../src/app.ts";
import { bearer, call, openAccount, upload } from "../support/api/api.ts";
import { examplesOf, expectDescribed, readDescription } from "../support/api/api-description.ts";
import { isValid, type JsonSchema } from "../support/api/json-schema.ts";
import { pick, type Random } from "../support/library/random-query.ts";
import { mp4, png } from "../support/media/samples.ts";
import { seeded } from "../support/uploads/multipart.ts";
import { create, head, metadata, patch, remove } from "../support/uploads/tus.ts";

interface Body {
  readonly name: string;
  readonly server: z.ZodType;
}

const ROUTES = createApp().openAPIRegistry.definitions.flatMap((definition) =>
  definition.type === "route" ? [definition.route] : [],
);

/** The parameters that the API accepts in the query of each route. */
const QUERIES = ROUTES.flatMap(({ method, path, request }) =>
  request?.query === undefined
    ? []
    : [{ name: `${method.toUpperCase()} ${path}`, server: request.query as unknown as z.ZodObject }],
);

/** Beginnings of the validator's own messages. */
const VALIDATORS_OWN = /^(Invalid |Too (small|big)|Unrecognized |Input not instance)/;

/** Every JSON body that the API accepts, from its routes. */
const BODIES: Body[] = ROUTES.flatMap(({ method, path, request }) => {
  const content = request?.body?.content["application/json"];
  const server = content !== undefined && "schema" in content ? content.schema : undefined;
  return server === undefined ? [] : [{ name: `${method.toUpperCase()} ${path}`, server: server as z.ZodType }];
});

/** The description's schema of a body, with its references resolved. */
async function schemaOf(name: string): Promise<JsonSchema> {
  const { operations, resolve } = await readDescription();
  return resolve(operations.get(name)?.requestBody?.content["application/json"]?.schema ?? {});
}

const DATE_TIMES = [
  ...["2099-02-28T00:00:00Z", "2096-02-29T23:59:59.123+05:30", "2099-02-29T00:00:00Z", "2099-02-28T00:00:00"],
  ...["2099-02-28", "2099-02-28T24:00:00Z"],
];
const LETTERS = ["a", "B", "7", " ", "é", "写", "🦊", "-", "@", ".", "/", "root", "\u0958"];
const ADDRESSES = ["/library", "/trash?q=a", "/library?q=a%20b", "/library?q=a b", "/library#a", "/usage", "library"];
const URLS = [
  ...["https://files.example.com/a.png", "http://files.example.com", "HTTPS://files.example.com?a=b#c"],
  ...["https://me:pw@files.example.com/", "ftp://files.example.com/", "https:// files.example.com/"],
];
const ODD_LETTERS = [",", "\n", "\0", "\u202e", "\ud83d", "\u0301", "\u00a0"];

/** Named alternatives: mostly one of them, else the fields of all. */
function drawVariant({ oneOf = [], ...rest }: JsonSchema, random: Random): JsonSchema {
  if (!oneOf.some(({ properties }) => properties !== undefined)) return { oneOf, ...rest };
  if (random(4) > 0) return pick(random, oneOf);
  return { ...rest, properties: Object.assign({}, ...oneOf.map(({ properties }) => properties)) };
}

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
/** One list in this number has a length at its bounds. Lists of up to a thousand values would otherwise take most of the time. */
const LONG_ONE_IN = { short: 3, long: 30 };
const LONG_LIST = 100;
/** About this many fields of a larger object are drawn. */
const USUAL_FIELDS = 6;
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
      if (schema.pattern?.includes("://") && random(3) > 0) return pick(random, URLS);
      if (schema.pattern?.includes("library|trash") && random(3) > 0) return pick(random, ADDRESSES);
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
      const oneIn = (schema.maxItems ?? 0) < LONG_LIST ? LONG_ONE_IN.short : LONG_ONE_IN.long;
      const isShort = random(oneIn) > 0 || drawn > MAX_VALUES;
      const length = isShort ? random(4) : sized(schema.minItems ?? 0, Math.min(schema.maxItems ?? 5, 1001));
      return Array.from({ length }, (_, at) => {
        const item = draw(schema.items ?? {}, random);
        return typeof item === "string" && schema.items?.enum === undefined
          ? `${at}${item.slice(String(at).length)}`
          : item;
      });
    }
    default: {
      const variant = drawVariant(schema, random);
      const { wanted, left } = drawBranch(variant, random);
      const properties = Object.entries(variant.properties ?? {});
      // Hardly any body with all of many fields would be valid.
      const isDrawn = () => random(Math.max(8, properties.length)) < USUAL_FIELDS;
      const entries = properties.filter(([name]) => wanted.includes(name) || (!left.includes(name) && isDrawn()));
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
      const { success: accepted, error } = server.safeParse(body);
      for (const { message } of error?.issues ?? []) expect(message).not.toMatch(VALIDATORS_OWN);
      if (accepted !== allowed && (allowed || isKept(body))) {
        expect.fail(`${allowed ? "refused" : "accepted"}: ${JSON.stringify(body)?.slice(0, 600)}`);
      }
    }
    expect(seen.valid).toBeGreaterThan(20);
    expect(seen.invalid).toBeGreaterThan(20);
  });
});

it.each(QUERIES)("No message about a parameter of $name is the validator's own", ({ server }) => {
  const wrong = ["", "x", "-1", "1.5", "9".repeat(30), "2026-02-30", "\0", "é".repeat(5000), ["a", "b"]];
  let refused = 0;
  for (const name of Object.keys(server.shape)) {
    for (const value of wrong) {
      const issues = server.safeParse({ [name]: value }).error?.issues ?? [];
      refused += issues.length;
      for (const { message } of issues) expect(message, `${name}=${value}`).not.toMatch(VALIDATORS_OWN);
    }
  }
  expect(refused).toBeGreaterThan(0);
});

describe("Description of the API", () => {
  it("Every body of a request or an answer has examples that its schema accepts", async () => {
    const { operations, resolve } = await readDescription();
    for (const [name, { requestBody, responses }] of operations) {
      const bodies = [["request", requestBody] as const, ...Object.entries(responses)];
      for (const [place, body] of bodies) {
        for (const [type, media] of Object.entries(body?.content ?? {})) {
          const examples = examplesOf(media);
          expect(examples, `${name} ${place} ${type}`).not.toEqual([]);
          for (const [example, value] of examples) {
            expect(isValid(resolve(media.schema), value), `${name} ${place} ${type}: ${example}`).toBe(true);
          }
        }
      }
    }
  });

  it.each(BODIES)("The server accepts the example of $name", async ({ name, server }) => {
    const { operations } = await readDescription();
    const media = operations.get(name)?.requestBody?.content["application/json"];
    for (const [, value] of media === undefined ? [] : examplesOf(media)) {
      expect(server.safeParse(value)).toMatchObject({ success: true });
    }
  });

  it("Every answer has the headers of limits and the request's id, and a refusal for a time has Retry-After", async () => {
    const { operations, components } = await readDescription();
    for (const [name, { responses }] of operations) {
      for (const [status, { headers = {} }] of Object.entries(responses)) {
        const names = Object.keys(headers);
        expect(names, `${name} ${status}`).toEqual(expect.arrayContaining([...USAGE_HEADERS, "X-Request-Id"]));
        if (["429", "503"].includes(status)) expect(names).toContain("Retry-After");
        for (const header of names) expect(headers[header]).toEqual({ $ref: `#/components/headers/${header}` });
      }
    }
    for (const [name, { schema, example }] of Object.entries(components.headers)) {
      expect(isValid(schema, example), name).toBe(true);
    }
  });

  it("Every operation, parameter and tag is described", async () => {
    const { operations, tags } = await readDescription();
    const described = tags.filter(({ description }) => description !== "").map(({ name }) => name);
    for (const [name, operation] of operations) {
      expect(operation.summary, name).toMatch(/./);
      // The callers follow the description after an empty line.
      expect(operation.description, name).toMatch(/^.+\n\nCallers: .+\.$/s);
      expect(operation.tags.length, name).toBe(1);
      expect(described, name).toEqual(expect.arrayContaining([...operation.tags]));
      for (const parameter of operation.parameters ?? []) {
        expect(parameter.description, `${name}: ${parameter.name}`).toMatch(/./);
      }
    }
  });

  it("A resumable upload is described with the headers of tus, and HEAD", async () => {
    const { operations } = await readDescription();
    const headersOf = (name: string) => {
      const parameters = operations.get(name)?.parameters ?? [];
      return parameters.filter((parameter) => parameter.in === "header").map((parameter) => parameter.name);
    };
    const creation = ["Tus-Resumable", "Upload-Length", "Upload-Defer-Length", "Upload-Metadata"];
    expect(headersOf("POST /images/upload")).toEqual(["Idempotency-Key", ...creation]);
    expect(headersOf("PATCH /images/upload/{id}")).toEqual(["Tus-Resumable", "Upload-Offset", "Upload-Length"]);
    for (const method of ["HEAD", "DELETE"]) {
      expect(headersOf(`${method} /images/upload/{id}`)).toEqual(["Tus-Resumable"]);
    }
    const answered = (name: string, status: number) =>
      Object.keys(operations.get(name)?.responses[status]?.headers ?? {});
    expect(answered("POST /images/upload", 201)).toEqual(expect.arrayContaining(["Location", "Upload-Offset"]));
    expect(answered("HEAD /images/upload/{id}", 200)).toEqual(
      expect.arrayContaining(["Upload-Offset", "Upload-Length", "Upload-Metadata", "Upload-Expires"]),
    );
    expect(answered("PATCH /images/upload/{id}", 204)).toContain("Upload-Offset");
  });

  it("Uploads and selections are unions of named schemas, and no schema hides JavaScript's Error", async () => {
    const { components } = await readDescription();
    const named = (name: string) => components.schemas[name]?.oneOf?.map(({ $ref }) => $ref?.split("/").at(-1));
    expect(named("UploadAnswer")).toEqual(["UploadResult", "UploadBatch"]);
    expect(named("ResumableUpload")).toEqual(["UploadResult", "UnfinishedUpload"]);
    expect(named("Selection")).toEqual(["SelectionByIds", "SelectionByFilter"]);
    const changes = ["BulkChangeByIds", "BulkChangeByFilter", "BulkVisibilityByIds", "BulkVisibilityByFilter"];
    expect(named("BulkChange")).toEqual(changes);
    expect(components.schemas).not.toHaveProperty("Error");
  });

  it("The server is the service's address, or relative if only this machine can read it", async () => {
    expect((await readDescription()).servers).toEqual([{ url: "https://media.example" }]);
    expect(describeOpenApi(createApp(), new URL("http://localhost:8787")).servers).toEqual([{ url: "/" }]);
  });

  it("Text answers are described beside JSON", async () => {
    const { operations } = await readDescription();
    const typesOf = (name: string, status: number) =>
      Object.keys(operations.get(name)?.responses[status]?.content ?? {});
    expect(typesOf("POST /images/upload", 201)).toEqual(["application/json", "text/plain"]);
    expect(typesOf("GET /metrics", 200)).toEqual(["text/plain", "application/openmetrics-text"]);
  });

  it("Uploads by form and by tus, lists and changes are answered as described", async () => {
    const { token } = await openAccount("business");
    const json = { "Content-Type": "application/json" };
    const expectAnswer = async (operation: string, answer: Promise<Response>, status: number) => {
      const response = await answer;
      const text = await response.text();
      expect(response.status, text).toBe(status);
      await expectDescribed(operation, response, text);
      return { headers: response.headers, body: text === "" ? {} : JSON.parse(text) };
    };
    const photo = { name: "photo.png", bytes: png(3, 2) };
    const film = { name: "film.mp4", bytes: mp4(2000) };
    const { body: stored } = await expectAnswer("POST /images/upload", upload(token, [photo]), 201);
    const notes = { name: "notes.txt", bytes: Buffer.from("text") };
    await expectAnswer("POST /images/upload", upload(token, [photo, film, notes]), 201);
    const listing = call("/images?folderId=all", { headers: bearer(token) });
    expect((await expectAnswer("GET /images", listing, 200)).body.images).toHaveLength(3);
    for (const body of [
      { ids: [stored._id], favorite: true },
      { filter: { folderId: "all" }, addTags: ["a"] },
    ]) {
      const init = { method: "POST", headers: { ...bearer(token), ...json }, body: JSON.stringify(body) };
      await expectAnswer("POST /images/bulk-update", call("/images/bulk-update", init), 200);
    }

    const length = {
      "Upload-Length": String(film.bytes.length),
      "Upload-Metadata": metadata({ filename: "film.mp4" }),
    };
    const { headers } = await expectAnswer("POST /images/upload", create(token, length), 201);
    const path = headers.get("Location") ?? "";
    await expectAnswer("PATCH /images/upload/{id}", patch(token, path, 0, film.bytes.slice(0, 900)), 204);
    await expectAnswer("HEAD /images/upload/{id}", head(token, path), 200);
    const state = () => call(path, { headers: bearer(token) });
    expect((await expectAnswer("GET /images/upload/{id}", state(), 200)).body.type).toBe("unfinished");
    await expectAnswer("GET /images/upload", call("/images/upload", { headers: bearer(token) }), 200);
    await expectAnswer("PATCH /images/upload/{id}", patch(token, path, 7, film.bytes.slice(900)), 409);
    const { body } = await expectAnswer(
      "PATCH /images/upload/{id}",
      patch(token, path, 900, film.bytes.slice(900)),
      200,
    );
    expect(body.type).toBe("upload");
    expect((await expectAnswer("GET /images/upload/{id}", state(), 200)).body.type).toBe("upload");
    const other = (await create(token, length)).headers.get("Location") ?? "";
    await expectAnswer("DELETE /images/upload/{id}", remove(token, other), 204);
    await expectAnswer("GET /account/export", call("/account/export", { headers: bearer(token) }).then(asText), 200);
  });
});

/** An answer whose body is not JSON. */
async function asText({ status, headers }: Response): Promise<Response> {
  return new Response(null, { status, headers });
}
