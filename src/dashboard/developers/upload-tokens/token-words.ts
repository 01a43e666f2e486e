import type { UploadToken } from "../../../client/types.ts";
import type { TokenType } from "../../../domain/upload-token.ts";
import { formatBytes, formatCount, formatPlural } from "../../design/format.ts";

const MIB = 1024 * 1024;
const SECONDS = { hour: 3600, day: 86_400 } as const;

/** The choices for a new token's types. */
export const TYPES = [
  { value: "all", title: "All types", types: [] },
  { value: "images", title: "Images", types: ["image/*"] },
  { value: "videos", title: "Videos", types: ["video/*"] },
] as const satisfies readonly { value: string; title: string; types: readonly TokenType[] }[];

/** The choices for the time after which a new token expires, in seconds. */
export const LIFETIMES = [
  { value: "900", title: "In 15 minutes" },
  { value: String(SECONDS.hour), title: "In an hour" },
  { value: String(SECONDS.day), title: "In a day" },
  { value: String(7 * SECONDS.day), title: "In 7 days" },
] as const;

/** A field's number; null if it is empty. @param unit the number of bytes or files of 1 */
export function readLimit(text: string, unit = 1): number | null {
  return text.trim() === "" ? null : Math.round(Number(text) * unit);
}

export const readMegabytes = (text: string) => readLimit(text, MIB);

/** A token's limits in a line, such as `3 files, 50 MB, image/*`. */
export function limitsInWords({ maxFiles, maxBytes, types }: UploadToken): string {
  const words = [
    maxFiles === null ? "Any number of files" : formatPlural(maxFiles, "file"),
    ...(maxBytes === null ? [] : [formatBytes(maxBytes)]),
    ...types.map((type) => ({ "image/*": "images", "video/*": "videos" })[type as string] ?? type),
  ];
  return words.join(", ");
}

/** The used part of a token, such as `1 of 3 files, 4.1 MB`. */
export function usedInWords({ maxFiles, usedFiles, usedBytes }: UploadToken): string {
  if (usedFiles === 0) return "Not used yet";
  const files =
    maxFiles === null
      ? formatPlural(usedFiles, "file")
      : `${formatCount(usedFiles)} of ${formatPlural(maxFiles, "file")}`;
  return `${files} used, ${formatBytes(usedBytes)}`;
}

/** Whether a token can store nothing more. */
export function isUsedUp({ maxFiles, maxBytes, usedFiles, usedBytes }: UploadToken): boolean {
  return (maxFiles !== null && usedFiles >= maxFiles) || (maxBytes !== null && usedBytes >= maxBytes);
}

/** The end of a token's id, because a token has no name. */
export function nameOf({ _id }: Pick<UploadToken, "_id">): string {
  return `…${_id.slice(-6)}`;
}
