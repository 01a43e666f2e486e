import type { ExportLine } from "../../client/index.ts";

export type ExportedUpload = Extract<ExportLine, { type: "upload" }>;
export type ListFormat = "csv" | "json";

const COLUMNS = [
  "id",
  "url",
  "name",
  "type",
  "bytes",
  "originalBytes",
  "width",
  "height",
  "folderId",
  "tags",
  "favorite",
  "status",
  "createdAt",
] as const;

const SEPARATOR = "\r\n";

/** What stands before, between and after the files of a list. */
export const LIST_FRAME: Readonly<Record<ListFormat, { before: string; between: string; after: string }>> = {
  // Spreadsheets take a file for UTF-8 by its first character.
  csv: { before: `\uFEFF${COLUMNS.join(",")}${SEPARATOR}`, between: SEPARATOR, after: SEPARATOR },
  json: { before: "[\n", between: ",\n", after: "\n]\n" },
};

/** One file of the list: a line of CSV (RFC 4180), or its JSON. */
export function toListItem(upload: ExportedUpload, format: ListFormat): string {
  if (format === "json") {
    const { type: _, ...file } = upload;
    return JSON.stringify(file);
  }
  const cells = [
    upload._id,
    upload.url,
    upload.originalFilename,
    upload.mimeType,
    upload.fileSize,
    upload.originalFileSize,
    upload.size.width,
    upload.size.height,
    upload.folderId ?? "",
    upload.tags.join(","),
    upload.favorite,
    upload.status,
    upload.createdAt,
  ];
  return cells.map(toCell).join(",");
}

/** A text that a spreadsheet would run as a formula gets an apostrophe before it: names are chosen by whoever uploads. */
function toCell(value: string | number | boolean): string {
  const text = typeof value === "string" && /^[=+\-@\t\r]/.test(value) ? `'${value}` : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Lists the files of an export. What is behind the files is not read. @throws Error where it broke off before them all */
export async function* listFiles(lines: AsyncIterable<ExportLine>): AsyncGenerator<ExportedUpload> {
  for await (const line of lines) {
    if (line.type === "upload") yield line;
    if (line.type === "operation" || line.type === "end") return;
  }
  throw new Error("The export broke off before its end");
}
