import { expect } from "vitest";
import { call } from "./api.ts";
import { isValid, type JsonSchema, withReferences } from "./json-schema.ts";

interface Media {
  readonly schema: JsonSchema;
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>;
}

export interface Answer {
  readonly headers?: Readonly<Record<string, { readonly schema?: JsonSchema; readonly $ref?: string }>>;
  readonly content?: Readonly<Record<string, Media>>;
}

interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly "x-access": string;
  readonly "x-confinable"?: boolean;
  readonly "x-recent-proof"?: true;
  readonly security?: object[];
  readonly parameters?: readonly { readonly name: string; readonly in: string; readonly description?: string }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, Media>> };
  /** By status; references to shared answers are resolved. */
  readonly responses: Readonly<Record<string, Answer>>;
}

interface Document {
  readonly servers: readonly { readonly url: string }[];
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, JsonSchema>>;
    readonly headers: Readonly<Record<string, { readonly schema: JsonSchema; readonly example: unknown }>>;
    readonly responses: Readonly<Record<string, Answer>>;
  };
}

export interface ApiDescription extends Document {
  /** By method and path, for example `GET /images/{id}`. */
  readonly operations: ReadonlyMap<string, Operation>;
  /** The schema with its references resolved. */
  resolve(schema: JsonSchema): JsonSchema;
}

/** The description that the service answers, read once. */
export function readDescription(): Promise<ApiDescription> {
  described ??= (async () => {
    const response = await call("/openapi.json");
    expect(response.status, "`npm run lint-openapi` has the reason").toBe(200);
    const document = await response.json<Document>();
    const { schemas, responses: shared } = document.components;
    const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => {
        const responses = Object.entries(operation.responses).map(([status, answer]) => {
          const { $ref } = answer as { readonly $ref?: string };
          return [status, $ref === undefined ? answer : shared[$ref.split("/").at(-1) ?? ""]] as const;
        });
        return [
          `${method.toUpperCase()} ${path}`,
          { ...operation, responses: Object.fromEntries(responses) } as Operation,
        ] as const;
      }),
    );
    return {
      ...document,
      operations: new Map(operations),
      resolve: (schema: JsonSchema) => withReferences(schema, schemas),
    };
  })();
  return described;
}

let described: Promise<ApiDescription> | undefined;

/** The examples of a body, by name. */
export function examplesOf({ example, examples = {} }: Media): [name: string, value: unknown][] {
  const named = Object.entries(examples).map(([name, { value }]) => [name, value] as [string, unknown]);
  return example === undefined ? named : [["the example", example], ...named];
}

/** Headers of the API's own, and those of HTTP that the API gives a meaning. */
const DESCRIBED_HEADERS =
  /^(x-(?!content-type-options|frame-options).*|retry-after|location|content-location|upload-.*|tus-.*|www-authenticate)$/;

/** Expects that the description has the status of an answer, its headers and its JSON body. */
export async function expectDescribed(operation: string, response: Response, text: string): Promise<void> {
  const description = await readDescription();
  const answer = description.operations.get(operation)?.responses[response.status];
  if (answer === undefined) return expect.fail(`${operation}: ${response.status} is not described: ${text}`);
  const names = Object.keys(answer.headers ?? {}).map((name) => name.toLowerCase());
  const sent = [...response.headers.keys()].filter((name) => DESCRIBED_HEADERS.test(name));
  expect(
    sent.filter((name) => !names.includes(name)),
    `undescribed headers of ${operation} ${response.status}`,
  ).toEqual([]);
  const type = response.headers.get("Content-Type")?.split(";", 1)[0];
  if (type !== "application/json" || text === "") return;
  const schema = answer.content?.[type]?.schema;
  if (schema === undefined) return expect.fail(`${operation}: a JSON answer ${response.status} is not described`);
  expect(isValid(description.resolve(schema), JSON.parse(text)), `${operation}: ${text}`).toBe(true);
}
