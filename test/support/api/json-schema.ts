/** The part of JSON Schema (2020-12) that the API's description uses for bodies. */
export interface JsonSchema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly dependentRequired?: Readonly<Record<string, readonly string[]>>;
  /** The value has to be valid by exactly one of these. */
  readonly oneOf?: readonly JsonSchema[];
  /** The value has to be valid by each of these. */
  readonly allOf?: readonly JsonSchema[];
  readonly additionalProperties?: boolean | JsonSchema;
  readonly items?: JsonSchema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly format?: string;
  readonly minimum?: number;
  readonly maximum?: number;
}

/** Keywords without effect on validity. */
const SILENT = ["description", "example", "default", "deprecated", "format", "discriminator"];
const KNOWN = new Set([
  ...["type", "enum", "properties", "required", "dependentRequired", "oneOf", "allOf", "additionalProperties", "items"],
  ...["minItems", "maxItems", "minLength", "maxLength", "pattern", "minimum", "maximum", ...SILENT],
]);

/** A schema of the API's description, with its references resolved. */
export function withReferences(schema: JsonSchema, schemas: Readonly<Record<string, JsonSchema>>): JsonSchema {
  const referred = (value: JsonSchema): JsonSchema =>
    typeof value?.$ref === "string"
      ? withReferences(schemas[value.$ref.split("/").at(-1) ?? ""] ?? {}, schemas)
      : value;
  return referred(JSON.parse(JSON.stringify(schema), (_, value) => referred(value)));
}

/** @returns whether a value is valid @throws Error for an unsupported keyword, so that none is ignored */
export function isValid(schema: JsonSchema, value: unknown): boolean {
  requireKnown(schema);
  if (schema.type !== undefined && ![schema.type].flat().some((type) => isOfType(type, value))) return false;
  if (schema.enum !== undefined && !schema.enum.includes(value)) return false;
  if (schema.oneOf !== undefined && schema.oneOf.filter((one) => isValid(one, value)).length !== 1) return false;
  if (schema.allOf !== undefined && !schema.allOf.every((one) => isValid(one, value))) return false;
  if (typeof value === "string") return isValidText(schema, value);
  if (typeof value === "number") {
    return value >= (schema.minimum ?? -Infinity) && value <= (schema.maximum ?? Infinity);
  }
  if (Array.isArray(value)) {
    const { items, minItems = 0, maxItems = Infinity } = schema;
    return (
      value.length >= minItems &&
      value.length <= maxItems &&
      value.every((item) => items === undefined || isValid(items, item))
    );
  }
  return typeof value !== "object" || value === null || isValidObject(schema, value);
}

const checked = new WeakSet<JsonSchema>();

function requireKnown(schema: JsonSchema): void {
  if (checked.has(schema)) return;
  for (const word of Object.keys(schema)) if (!KNOWN.has(word)) throw new Error(`${word} is not known`);
  checked.add(schema);
}

/** The compiled patterns: a test checks millions of values by a few of them. */
const expressions = new Map<string, RegExp>();

function matches(pattern: string, text: string): boolean {
  const expression = expressions.get(pattern) ?? new RegExp(pattern, "u");
  expressions.set(pattern, expression);
  return expression.test(text);
}

function isValidText({ minLength = 0, maxLength = Infinity, pattern }: JsonSchema, text: string): boolean {
  const length = Array.from(text).length;
  return length >= minLength && length <= maxLength && (pattern === undefined || matches(pattern, text));
}

function isValidObject(schema: JsonSchema, value: object): boolean {
  const { properties = {}, required = [], dependentRequired = {}, additionalProperties = true } = schema;
  const names = Object.keys(value);
  const needed = [...required, ...names.flatMap((name) => dependentRequired[name] ?? [])];
  if (needed.some((name) => !names.includes(name))) return false;
  return Object.entries(value).every(([name, field]) => {
    const property = properties[name];
    if (property !== undefined) return isValid(property, field);
    return typeof additionalProperties === "boolean" ? additionalProperties : isValid(additionalProperties, field);
  });
}

function isOfType(type: string, value: unknown): boolean {
  switch (type) {
    case "null":
      return value === null;
    case "array":
      return Array.isArray(value);
    case "object":
      return typeof value === "object" && value !== null && !Array.isArray(value);
    case "integer":
      return Number.isInteger(value);
    default:
      return typeof value === type;
  }
}
