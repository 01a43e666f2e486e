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

/** The text before a list's files, between them, and after them. */
export const LIST_FRAME: Readonly<Record<ListFormat, { before: string; between: string; after: string }>> = {
  // Spreadsheets recognise UTF-8 by the byte order mark.
  csv: { before: `\uFEFF${COLUMNS.join(",")}${SEPARATOR}`, between: SEPARATOR, after: SEPARATOR },
  json: { before: "[\n", between: ",\n", after: "\n]\n" },
};

/** A file as a line of CSV (RFC 4180) or as JSON. */
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

/** A cell of CSV. A text that a spreadsheet would run as a formula gets an apostrophe first: users choose file names and tags. */
function toCell(value: string | number | boolean): string {
  const text = typeof value === "string" && /^[=+\-@\t\r]/.test(value) ? `'${value}` : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Yields the files of an export and stops after the last. @throws Error if the export ends too early */
export async function* listFiles(lines: AsyncIterable<ExportLine>): AsyncGenerator<ExportedUpload> {
  for await (const line of lines) {
    if (line.type === "upload") yield line;
    if (line.type === "operation" || line.type === "end") return;
  }
  throw new Error("The export is incomplete");
}
