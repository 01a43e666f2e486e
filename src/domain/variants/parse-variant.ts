import { type Given, readParameters, type VariantParameters } from "./parameters.ts";
import {
  type Crop,
  type Fit,
  type Flip,
  MIDDLE,
  type Rect,
  type VariantFormat,
  type VariantRequest,
} from "./variant-request.ts";

/** Longer values are always wrong. */
const MAX_VALUE_LENGTH = 64;

const FITS: Readonly<Record<string, Fit>> = {
  clip: "clip",
  crop: "crop",
  max: "max",
  min: "min",
  scale: "scale",
  fill: "fill",
  // Cloudflare's.
  "scale-down": "max",
  contain: "clip",
  cover: "crop",
  pad: "fill",
};
const FORMATS: Readonly<Record<string, VariantFormat>> = {
  jpg: "jpg",
  jpeg: "jpg",
  pjpg: "jpg",
  png: "png",
  webp: "webp",
  avif: "avif",
};
const FLIPS: Readonly<Record<string, Flip>> = { h: "h", v: "v", hv: "hv", vh: "hv" };
/** The point of each word of `crop`; a word sets one axis. */
const EDGES: Readonly<Record<string, { readonly x?: number; readonly y?: number }>> = {
  left: { x: 0 },
  right: { x: 1 },
  top: { y: 0 },
  bottom: { y: 1 },
  center: {},
};
/** imgix's corrections of `auto` that this service does not make. They change nothing, as for a picture that needs no correction. */
const AUTO_WORDS = new Set(["format", "compress", "enhance", "redeye"]);

/** A day. */
const MAX_FRAME_SECONDS = 86_400;

const NUMBER = /^\d{1,12}(?:\.\d{1,4})?$/;
const COLOUR = /^#?(?:[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})$/i;

/** The message for each wrong parameter, by its name as the client wrote it. */
export type VariantErrors = Readonly<Record<string, string>>;

/** Reads the variant that a query asks for. Unknown parameters are ignored, as they are for files. @returns undefined if it has none */
export function parseVariant(query: string): ParsedVariant | undefined {
  const parameters = readParameters(query);
  return parameters.size === 0 ? undefined : toVariantRequest(parameters);
}

/** `errors` has a message for each wrong value. */
export type ParsedVariant = { readonly request: VariantRequest } | { readonly errors: VariantErrors };

/** Reads the values of a variant's parameters. A preset's name has no meaning here. */
export function toVariantRequest(parameters: VariantParameters): ParsedVariant {
  const values = new Values(parameters);
  const crop = readCrop(values);
  const auto = values.read("auto", readAuto, "Must be format, compress, or both with a comma");
  const format = values.read("fm", readFormat, "Must be jpg, png, webp, avif or auto");
  const request: VariantRequest = {
    ...given("width", values.read("w", readLength, "Must be a number of pixels over 0")),
    ...given("height", values.read("h", readLength, "Must be a number of pixels over 0")),
    dpr: values.read("dpr", numberFrom(1, 3), "Must be a number from 1 to 3") ?? 1,
    fit:
      values.read("fit", (value) => entryOf(FITS, value), `Must be one of ${Object.keys(FITS).join(", ")}`) ?? "clip",
    crop,
    ...given("rect", values.read("rect", readRect, "Must be left,top,width,height in pixels")),
    ...given("quality", values.read("q", numberFrom(1, 100), "Must be a number from 1 to 100")),
    ...given("format", format === "auto" ? undefined : format),
    autoFormat: format === "auto" || auto?.has("format") === true,
    autoCompress: auto?.has("compress") === true,
    flip: values.read("flip", (value) => entryOf(FLIPS, value), "Must be h, v or hv") ?? "",
    rotation: values.read("rot", readRotation, "Must be 0, 90, 180 or 270") ?? 0,
    blur: values.read("blur", numberFrom(0, 2000), "Must be a number from 0 to 2000") ?? 0,
    ...given("background", values.read("bg", readColour, "Must be a colour such as fff, 8f8, ff8800 or ff880080")),
    ...given(
      "frame",
      values.read("frame", numberFrom(0, MAX_FRAME_SECONDS), "Must be a number of seconds up to 86400"),
    ),
  };
  return values.errors === undefined ? { request } : { errors: values.errors };
}

/** Reads values, and collects the errors of wrong values. */
class Values {
  readonly #values: ReadonlyMap<string, Given>;
  #errors: Record<string, string> | undefined;

  constructor(values: ReadonlyMap<string, Given>) {
    this.#values = values;
  }

  get errors(): VariantErrors | undefined {
    return this.#errors;
  }

  /** @param parse returns undefined for a wrong value */
  read<T>(parameter: string, parse: (value: string) => T | undefined, message: string): T | undefined {
    const found = this.#values.get(parameter);
    if (found === undefined) return undefined;
    const parsed = found.value.length > MAX_VALUE_LENGTH ? undefined : parse(found.value);
    if (parsed === undefined) {
      this.#errors ??= {};
      this.#errors[found.name] = message;
    }
    return parsed;
  }
}

function given<Name extends string, T>(name: Name, value: T | undefined): { readonly [key in Name]?: T } {
  return value === undefined ? {} : ({ [name]: value } as { readonly [key in Name]?: T });
}

/** A table's entry. Inherited properties, such as `constructor`, are not entries. */
function entryOf<T>(table: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}

function readNumber(value: string): number | undefined {
  return NUMBER.test(value) ? Number(value) : undefined;
}

function numberFrom(least: number, most: number): (value: string) => number | undefined {
  return (value) => {
    const number = readNumber(value);
    return number !== undefined && number >= least && number <= most ? number : undefined;
  };
}

function readLength(value: string): number | undefined {
  const number = readNumber(value);
  return number !== undefined && number > 0 ? number : undefined;
}

function readFormat(value: string): VariantFormat | "auto" | undefined {
  return value === "auto" ? "auto" : entryOf(FORMATS, value);
}

function readAuto(value: string): ReadonlySet<string> | undefined {
  const words = value.split(",");
  return words.every((word) => AUTO_WORDS.has(word)) ? new Set(words) : undefined;
}

function readRotation(value: string): 0 | 90 | 180 | 270 | undefined {
  const degrees = readNumber(value);
  return ([0, 90, 180, 270] as const).find((each) => each === degrees);
}

function readRect(value: string): Rect | undefined {
  const [left, top, width, height, ...more] = value.split(",").map(readNumber);
  if (left === undefined || top === undefined || !width || !height || more.length > 0) return undefined;
  return { left, top, width, height };
}

/** Writes a colour as `rrggbbaa`. */
function readColour(value: string): string | undefined {
  if (!COLOUR.test(value)) return undefined;
  const digits = value.replace("#", "").toLowerCase();
  const long = digits.length < 6 ? digits.replace(/./g, "$&$&") : digits;
  // imgix writes alpha first in colours of four and eight digits.
  if (long.length === 6) return `${long}ff`;
  return long.slice(2) + long.slice(0, 2);
}

function readCrop(values: Values): Crop {
  const x = values.read("fp-x", numberFrom(0, 1), "Must be a number from 0 to 1");
  const y = values.read("fp-y", numberFrom(0, 1), "Must be a number from 0 to 1");
  const words = values.read(
    "crop",
    (value) => {
      const parts = value.split(",");
      const isKnown = parts.every((word) => Object.hasOwn(EDGES, word)) || (parts.length === 1 && isSingle(value));
      return isKnown ? parts : undefined;
    },
    "Must be edges such as top,left, or center, focalpoint or entropy",
  );
  if (words?.[0] === "entropy") return { by: "entropy" };
  if (words === undefined || words[0] === "focalpoint") return { by: "point", x: x ?? 0.5, y: y ?? 0.5 };
  return { ...MIDDLE, ...Object.assign({}, ...words.map((word) => EDGES[word])) };
}

function isSingle(word: string): boolean {
  return word === "focalpoint" || word === "entropy";
}
