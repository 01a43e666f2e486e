import type { z } from "zod";

/** The used part of a schema's internals (zod 4, `_zod.def`). */
interface Def {
  readonly type: string;
  readonly shape: Readonly<Record<string, z.core.$ZodType>>;
  readonly element: z.core.$ZodType;
  readonly innerType: z.core.$ZodType;
  readonly options: readonly z.core.$ZodType[];
  readonly valueType: z.core.$ZodType;
  readonly values: readonly unknown[];
  readonly entries: Readonly<Record<string, string>>;
  readonly in: z.core.$ZodType;
  readonly out: z.core.$ZodType;
}

type Direction = "input" | "output";

const IMPORT = /import type \{([^}]*)\} from "(\.\.\/contract\/[^"]+)";\n/g;
const INFERRED = /z\.(input|output)<typeof (\w+)>/g;

/**
 * The client's `types.ts` without its imports: types that are inferred from schemas are written out.
 * @throws Error for an unknown kind of schema
 */
export async function printTypes(source: string): Promise<string> {
  const schemas: Record<string, z.core.$ZodType> = {};
  for (const [, names = "", path = ""] of source.matchAll(IMPORT)) {
    const contract = (await import(`../${path}`)) as typeof schemas;
    for (const name of names.split(",").map((text) => text.trim())) {
      if (contract[name] !== undefined) schemas[name] = contract[name];
    }
  }
  return source
    .replace(IMPORT, "")
    .replace(/import type \{ z \}[^\n]*\n/, "")
    .replace(INFERRED, (_, direction: Direction, name: string) => {
      const schema = schemas[name];
      if (schema === undefined) throw new Error(`The contract has no ${name}`);
      return print(schema, direction);
    });
}

function print(schema: z.core.$ZodType, direction: Direction): string {
  const def = schema._zod.def as unknown as Def;
  const inner = (other: z.core.$ZodType) => print(other, direction);
  switch (def.type) {
    case "string":
    case "number":
    case "boolean":
    case "unknown":
    case "any":
      return def.type;
    case "literal":
      return def.values.map((value) => JSON.stringify(value)).join(" | ");
    case "enum":
      return Object.values(def.entries)
        .map((value) => JSON.stringify(value))
        .join(" | ");
    case "array":
      return `(${inner(def.element)})[]`;
    case "nullable":
      return `${inner(def.innerType)} | null`;
    case "optional":
      return `${inner(def.innerType)} | undefined`;
    case "default":
      return direction === "input" ? `${inner(def.innerType)} | undefined` : inner(def.innerType);
    case "union":
      return def.options.map(inner).join(" | ");
    case "record":
      return `Record<string, ${inner(def.valueType)}>`;
    case "object":
      return printObject(def.shape, direction);
    case "pipe": {
      // A transformed text is printed as a text. The package's test would detect a mistake.
      const side = direction === "input" || typeOf(def.out) === "transform" ? def.in : def.out;
      return typeOf(side) === "transform" ? "unknown" : inner(side);
    }
    default:
      throw new Error(`No type is known for zod's ${def.type}`);
  }
}

function printObject(shape: Def["shape"], direction: Direction): string {
  const fields = Object.entries(shape).map(([name, field]) => {
    const { optin, optout } = field._zod;
    const isOptional = (direction === "input" ? optin : optout) !== undefined;
    return `${JSON.stringify(name)}${isOptional ? "?" : ""}: ${print(field, direction)}`;
  });
  return `{ ${fields.join("; ")} }`;
}

function typeOf(schema: z.core.$ZodType): string {
  return schema._zod.def.type;
}
