import { MAX_SEARCH_CHARACTERS } from "../../../domain/limits.ts";
import { MAX_TAGS, splitTags } from "../../../domain/tags.ts";
import type { UploadStatus } from "../../../domain/upload-status.ts";
import { VISIBILITIES, type Visibility } from "../../../domain/visibility.ts";
import { FILE_TYPES, type FileType } from "./file-types.ts";

/** The filters of the library, which are the search parameters of `/library` and `/trash`, and their path. */
export interface Filters {
  readonly status: UploadStatus;
  /** A folder's id, `root`, or `all` for the files of every folder. */
  readonly folder: string;
  readonly q: string;
  readonly type: FileType | undefined;
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
  readonly tags: readonly string[];
  readonly not: readonly string[];
}

export const NO_FILTERS: Filters = {
  status: "active",
  folder: "all",
  q: "",
  type: undefined,
  from: undefined,
  to: undefined,
  takenFrom: undefined,
  takenTo: undefined,
  min: undefined,
  max: undefined,
  fav: false,
  visibility: undefined,
  tags: [],
  not: [],
};

/** Reads the filters of an address. Unknown parameters and invalid values are ignored. */
export function parseFilters(search: string, status: UploadStatus = "active"): Filters {
  const given = new URLSearchParams(search);
  const text = (name: string) => given.get(name)?.trim() || undefined;
  const [from, to] = inOrder(toDay(text("from")), toDay(text("to")));
  const [takenFrom, takenTo] = inOrder(toDay(text("takenFrom")), toDay(text("takenTo")));
  const [min, max] = inOrder(toBytes(text("min")), toBytes(text("max")));
  const type = text("type");
  const tags = toTags(text("tags"));
  return {
    status,
    folder: toFolder(text("folder")),
    q: Array.from((text("q") ?? "").normalize("NFC"))
      .slice(0, MAX_SEARCH_CHARACTERS)
      .join(""),
    type: type !== undefined && Object.hasOwn(FILE_TYPES, type) ? (type as FileType) : undefined,
    from,
    to,
    takenFrom,
    takenTo,
    min,
    max,
    fav: given.get("fav") === "1",
    visibility: VISIBILITIES.find((visibility) => visibility === given.get("visibility")),
    tags,
    not: toTags(text("not")).filter((tag) => !tags.includes(tag)),
  };
}

/** Writes filters as an address, in a fixed order and without defaults. @returns "" or "?..." */
export function writeFilters(filters: Filters): string {
  const { folder, q, type, from, to, takenFrom, takenTo, min, max, fav, visibility, tags, not } = filters;
  const written = new URLSearchParams();
  const put = (name: string, value: string | number | undefined) => {
    if (value !== undefined && value !== "") written.set(name, String(value));
  };
  put("folder", folder === "all" ? undefined : folder);
  put("q", q);
  put("type", type);
  put("from", from);
  put("to", to);
  put("takenFrom", takenFrom);
  put("takenTo", takenTo);
  put("min", min);
  put("max", max);
  put("fav", fav ? 1 : undefined);
  put("visibility", visibility);
  put("tags", tags.join(","));
  put("not", not.join(","));
  return written.size === 0 ? "" : `?${written}`;
}

/** The filters as parameters of GET /images. */
export function toImageQuery(filters: Filters) {
  const { status, folder, q, type, from, to, takenFrom, takenTo, min, max, fav, visibility, tags, not } = filters;
  return {
    status,
    folderId: folder,
    q: q === "" ? undefined : q,
    mimePrefix: type === undefined ? undefined : FILE_TYPES[type].mimePrefix,
    from,
    to,
    takenFrom,
    takenTo,
    minSize: min,
    maxSize: max,
    favorite: fav ? true : undefined,
    visibility,
    tags: tags.length === 0 ? undefined : [...tags],
    excludeTags: not.length === 0 ? undefined : [...not],
  };
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
