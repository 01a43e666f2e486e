import type { UploadResult } from "../api/api.ts";
import type { Query } from "./api.ts";

/** The expected listing, written as plainly as possible: one predicate per parameter of LIST-3. */

export interface LibraryItem {
  readonly _id: string;
  readonly filename: string;
  readonly originalFilename: string;
  readonly mimeType: string;
  readonly fileSize: number;
  readonly createdAt: string;
  readonly folderId: string | null;
  readonly tags: readonly string[];
  readonly favorite: boolean;
  readonly status: "active" | "trash";
}

export function toLibraryItem(result: UploadResult): LibraryItem {
  const { _id, filename, originalFilename, mimeType, fileSize, createdAt, folderId, tags } = result;
  return {
    _id,
    filename,
    originalFilename,
    mimeType,
    fileSize,
    createdAt,
    folderId,
    tags,
    favorite: false,
    status: "active",
  };
}

const NO_FILTERS = ["page", "limit", "cursor", "status"];

/** @param items newest first, as they are shown */
export function expectedItems(items: readonly LibraryItem[], query: Query): LibraryItem[] {
  const given = Object.entries(query).filter(([name, value]) => value !== undefined && !NO_FILTERS.includes(name));
  const status = query.status ?? "active";
  const searching = typeof query.q === "string" && query.q.trim() !== "";
  const rules = given.map(([name, value]) => ruleFor(name, String(value)));
  if (status === "active" && query.folderId === undefined && !searching) rules.push(ruleFor("folderId", "root"));
  return items.filter((item) => (status === "all" || item.status === status) && rules.every((rule) => rule(item)));
}

type Rule = (item: LibraryItem) => boolean;

function ruleFor(name: string, value: string): Rule {
  const day = (item: LibraryItem) => item.createdAt.slice(0, 10);
  const tags = value.split(",").map((tag) => tag.trim().normalize("NFC"));
  const rules: Record<string, Rule> = {
    folderId: ({ folderId }) => value === "all" || folderId === (value === "root" ? null : value),
    q: (item) => matchesSearch(item, value),
    from: (item) => day(item) >= value,
    to: (item) => day(item) <= value,
    mimePrefix: ({ mimeType }) => (value === "other" ? !/^(image|video)\//.test(mimeType) : mimeType.startsWith(value)),
    minSize: ({ fileSize }) => fileSize >= Number(value),
    maxSize: ({ fileSize }) => fileSize <= Number(value),
    favorite: ({ favorite }) => String(favorite) === value,
    tags: (item) => tags.every((tag) => item.tags.includes(tag)),
    tag: (item) => tags.every((tag) => item.tags.includes(tag)),
    excludeTags: (item) => !tags.some((tag) => item.tags.includes(tag)),
  };
  const rule = rules[name];
  if (rule === undefined) throw new Error(`GET /images has no parameter ${name}`);
  return rule;
}

/** A word of this length is also searched for in ids and paths. */
const PATH_CHARACTERS = 8;
/** The part of a stored file's path before the name: `uploads/`, two ids, a slash and a dash. */
const BEFORE_NAME = "uploads/".length + 26 + 1 + 26 + 1;

/** A text of more words counts as one word. */
const MAX_WORDS = 8;

/** Each word is a substring of the stored or original file name without case and accents, or of the path; or the text is a tag. */
function matchesSearch({ filename, originalFilename, tags }: LibraryItem, q: string): boolean {
  const wanted = fold(q.trim());
  if (wanted === "") return true;
  const words = wanted.split(" ").filter((word) => word !== "");
  const isFound = (word: string) => {
    const isPath = [...word].length >= PATH_CHARACTERS || word.includes("/");
    const texts = [filename.slice(BEFORE_NAME), originalFilename, ...(isPath ? [filename] : [])];
    return texts.some((text) => fold(text).includes(word));
  };
  const isNamed = new Set(words).size > MAX_WORDS ? isFound(wanted) : words.every(isFound);
  return isNamed || tags.includes(q.trim().normalize("NFC"));
}

/** Drops case and accents, for the letters that the tests use. */
function fold(text: string): string {
  const bare = text.normalize("NFD").replace(/[\u0300-\u036f]/g, "");
  return bare.toLowerCase().replaceAll("ß", "ss").replaceAll("ς", "σ").normalize("NFC");
}
