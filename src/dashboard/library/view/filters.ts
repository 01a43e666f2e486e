import { MAX_SEARCH_CHARACTERS } from "../../../domain/limits.ts";
import { ORIENTATIONS, type Orientation } from "../../../domain/orientation.ts";
import { MAX_TAGS, splitTags } from "../../../domain/tags.ts";
import type { UploadStatus } from "../../../domain/upload-status.ts";
import { VISIBILITIES, type Visibility } from "../../../domain/visibility.ts";
import { FILE_TYPES, type FileType } from "./file-types.ts";

const NAMES = Object.keys(FILE_TYPES) as FileType[];
/** The service's longest (LIST-3). */
const MAX_CAMERA = 100;

/** The filters of the library, which are the search parameters of `/library` and `/trash`, and their path. */
export interface Filters {
  readonly status: UploadStatus;
  /** A folder's id, `root`, or `all` for the files of every folder. */
  readonly folder: string;
  readonly q: string;
  /** A file of one of these types; empty for every type. */
  readonly types: readonly FileType[];
  /** Whole days, YYYY-MM-DD, UTC. */
  readonly from: string | undefined;
  readonly to: string | undefined;
  /** Days on which the picture was taken. */
  readonly takenFrom: string | undefined;
  readonly takenTo: string | undefined;
  /** Bytes. */
  readonly min: number | undefined;
  readonly max: number | undefined;
  readonly fav: boolean;
  readonly visibility: Visibility | undefined;
  /** A part of the camera's name; empty for every camera. */
  readonly camera: string;
  readonly orientation: Orientation | undefined;
  readonly expiry: Expiry | undefined;
  readonly alt: Alt | undefined;
  readonly tags: readonly string[];
  readonly not: readonly string[];
}

/** Files that are deleted within 7 or 30 days, at any time, or never. */
export const EXPIRIES = ["week", "month", "any", "never"] as const;
export type Expiry = (typeof EXPIRIES)[number];
const ALTS = ["with", "without"] as const;
type Alt = (typeof ALTS)[number];

export const NO_FILTERS: Filters = {
  status: "active",
  folder: "all",
  q: "",
  types: [],
  from: undefined,
  to: undefined,
  takenFrom: undefined,
  takenTo: undefined,
  min: undefined,
  max: undefined,
  fav: false,
  visibility: undefined,
  camera: "",
  orientation: undefined,
  expiry: undefined,
  alt: undefined,
  tags: [],
  not: [],
};

/** Reads the filters of an address. Unknown parameters and invalid values are ignored. */
export function parseFilters(search: string, status: UploadStatus = "active"): Filters {
  const given = new URLSearchParams(search);
  const text = (name: string) => given.get(name)?.trim() || undefined;
  const oneOf = <Value extends string>(values: readonly Value[], name: string) =>
    values.find((value) => value === given.get(name));
  const [from, to] = inOrder(toDay(text("from")), toDay(text("to")));
  const [takenFrom, takenTo] = inOrder(toDay(text("takenFrom")), toDay(text("takenTo")));
  const [min, max] = inOrder(toBytes(text("min")), toBytes(text("max")));
  const tags = toTags(text("tags"));
  return {
    status,
    folder: toFolder(text("folder")),
    q: Array.from((text("q") ?? "").normalize("NFC"))
      .slice(0, MAX_SEARCH_CHARACTERS)
      .join(""),
    types: NAMES.filter((name) => text("type")?.split(",").includes(name)),
    from,
    to,
    takenFrom,
    takenTo,
    min,
    max,
    fav: given.get("fav") === "1",
    visibility: oneOf(VISIBILITIES, "visibility"),
    camera: (text("camera") ?? "").slice(0, MAX_CAMERA),
    orientation: oneOf(ORIENTATIONS, "orientation"),
    expiry: oneOf(EXPIRIES, "expires"),
    alt: oneOf(ALTS, "alt"),
    tags,
    not: toTags(text("not")).filter((tag) => !tags.includes(tag)),
  };
}

/** Writes filters as an address, in a fixed order and without defaults. @returns "" or "?..." */
export function writeFilters(filters: Filters): string {
  const { folder, q, types, from, to, takenFrom, takenTo, min, max, fav, tags, not } = filters;
  const { visibility, camera, orientation, expiry, alt } = filters;
  const written = new URLSearchParams();
  const put = (name: string, value: string | number | undefined) => {
    if (value !== undefined && value !== "") written.set(name, String(value));
  };
  put("folder", folder === "all" ? undefined : folder);
  put("q", q);
  put("type", types.join(","));
  put("from", from);
  put("to", to);
  put("takenFrom", takenFrom);
  put("takenTo", takenTo);
  put("min", min);
  put("max", max);
  put("fav", fav ? 1 : undefined);
  put("visibility", visibility);
  put("camera", camera);
  put("orientation", orientation);
  put("expires", expiry);
  put("alt", alt);
  put("tags", tags.join(","));
  put("not", not.join(","));
  return written.size === 0 ? "" : `?${written}`;
}

/** The filters as parameters of GET /images. */
export function toImageQuery(filters: Filters) {
  const { status, folder, q, types, from, to, takenFrom, takenTo, min, max, fav, tags, not } = filters;
  const { visibility, camera, orientation, expiry, alt } = filters;
  return {
    status,
    folderId: folder,
    q: q === "" ? undefined : q,
    mimePrefix: types.map((type) => FILE_TYPES[type].mimePrefix).join() || undefined,
    from,
    to,
    takenFrom,
    takenTo,
    minSize: min,
    maxSize: max,
    favorite: fav ? true : undefined,
    visibility,
    camera: camera || undefined,
    orientation,
    expires: expiry === "any" ? true : expiry === "never" ? false : undefined,
    expiresTo: expiry === "week" ? dayIn(7) : expiry === "month" ? dayIn(30) : undefined,
    hasAlt: alt === undefined ? undefined : alt === "with",
    tags: tags.length === 0 ? undefined : [...tags],
    excludeTags: not.length === 0 ? undefined : [...not],
  };
}

function dayIn(days: number): string {
  return new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
}

/** Whether any filter besides the place (folder and status) is set. */
export function isNarrowed(filters: Filters): boolean {
  return writeFilters({ ...filters, folder: "all" }) !== "";
}

/** Parse an address's parameters. An invalid value is undefined or the default. */

function inOrder<Bound extends string | number>(low: Bound | undefined, high: Bound | undefined) {
  const isWrong = low !== undefined && high !== undefined && low > high;
  return [low, isWrong ? undefined : high] as const;
}

function toFolder(given: string | undefined): string {
  return given !== undefined && /^[0-9a-z]{1,64}$/.test(given) ? given : "all";
}

function toDay(given: string | undefined): string | undefined {
  if (given === undefined || !/^[0-9]{4}-[0-9]{2}-[0-9]{2}$/.test(given)) return undefined;
  const at = Date.parse(given);
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(given) ? given : undefined;
}

function toBytes(given: string | undefined): number | undefined {
  if (given === undefined || !/^[0-9]{1,15}$/.test(given)) return undefined;
  return Number(given);
}

function toTags(given: string | undefined): string[] {
  return given === undefined ? [] : splitTags(given).slice(0, MAX_TAGS);
}
