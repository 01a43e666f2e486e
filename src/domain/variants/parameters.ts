/** The parameters of a variant in a file's query. The client's helpers use this file, too, so it imports nothing. */

/** Cloudflare's names of imgix's parameters. */
const ALIASES: Readonly<Record<string, string>> = { width: "w", height: "h", quality: "q", format: "fm" };

const KNOWN: ReadonlySet<string> = new Set([
  "w",
  "h",
  "dpr",
  "fit",
  "crop",
  "fp-x",
  "fp-y",
  "rect",
  "q",
  "fm",
  "auto",
  "flip",
  "rot",
  "blur",
  "bg",
  "frame",
  "p",
]);

/** A value and the name that the client wrote for its parameter. */
export interface Given {
  readonly name: string;
  readonly value: string;
}

/** The first value of each known parameter, by imgix's name. */
export type VariantParameters = ReadonlyMap<string, Given>;

/** Reads a query's parameters of a variant. All others, and those without a value (SVC-8), are ignored. @param query without the question mark */
export function readParameters(query: string | URLSearchParams): VariantParameters {
  const parameters = new Map<string, Given>();
  for (const [name, value] of new URLSearchParams(query)) {
    const known = knownName(name);
    if (known !== undefined && value !== "" && !parameters.has(known)) parameters.set(known, { name, value });
  }
  return parameters;
}

/** imgix's name of a parameter; undefined if the parameter is not one of a variant. */
export function knownName(name: string): string | undefined {
  const known = Object.hasOwn(ALIASES, name) ? ALIASES[name] : name;
  return known !== undefined && KNOWN.has(known) ? known : undefined;
}

/** The parameters as a query in a fixed order, with fixed names. */
export function canonicalQuery(parameters: VariantParameters): string {
  return [...parameters]
    .map(([name, { value }]) => `${name}=${encodeURIComponent(value)}`)
    .sort()
    .join("&");
}
