import { REQUEST_ID_HEADER, USAGE_HEADERS } from "../middleware/every-request.ts";

type Header = {
  description: string;
  schema: { type: "integer" | "number" | "string"; format?: string };
  example: number | string;
};

const integer = (description: string, example: number): Header => ({
  description,
  schema: { type: "integer" },
  example,
});

const text = (description: string, example: string, format?: string): Header => ({
  description,
  schema: format === undefined ? { type: "string" } : { type: "string", format },
  example,
});

/** The headers of answers, as `#/components/headers`. */
export const RESPONSE_HEADERS = {
  "X-RateLimit-Limit": integer("Requests that the account or the address may make in a minute", 300),
  "X-RateLimit-Remaining": integer("Requests left in this minute", 299),
  "X-RateLimit-Reset": integer("When the minute ends, in Unix seconds", 1_795_687_260),
  "X-Operations-Used": {
    description: "Operations of this month; a view is a tenth of one. 0 without an account",
    schema: { type: "number" },
    example: 1204.3,
  },
  "X-Operations-Limit": integer("Operations that the tier allows in a month; 0 without an account", 1_000_000),
  "X-Storage-Used": integer("Stored bytes; 0 without an account", 734_003_200),
  "X-Storage-Limit": integer("Bytes that the tier allows; 0 without an account", 10_737_418_240),
  "X-Request-Id": text("The request's id, for reports of errors", "8f2b1c0d4e5a6978-FRA"),
  "Retry-After": integer("Seconds after which a repeat may succeed", 12),
  "WWW-Authenticate": text("The scheme of credentials, if the request had none or an invalid one", "Bearer"),
  Location: text(
    "The path of a new resumable upload (tus); absent for other uploads",
    "/images/upload/01arz3ndektsv4rrffq69g5fav",
    "uri-reference",
  ),
  "Content-Location": text(
    "The URL of the file that a resumable upload has stored",
    "https://cdn.example.com/uploads/01hzy3k8w2r9v5m7q4t6x1c0bd/01arz3ndektsv4rrffq69g5fav-photo.jpg",
    "uri",
  ),
  "Content-Disposition": text("The name under which browsers save the answer", 'attachment; filename="photo.jpg"'),
  "Upload-Offset": integer("Bytes of the resumable upload that are received (tus)", 1_048_576),
  "Upload-Length": integer("Bytes of the whole resumable upload, once the client has declared them (tus)", 5_242_880),
  "Upload-Defer-Length": integer("1 until the client declares the length (tus)", 1),
  "Upload-Metadata": text("The metadata of the upload's creation (tus)", "filename cGhvdG8uanBn"),
  "Upload-Expires": text(
    "When the unfinished upload is dropped unless more bytes arrive (tus)",
    "Fri, 27 Nov 2026 12:00:00 GMT",
  ),
  "Tus-Resumable": text("The version of tus, if the request for an upload names one", "1.0.0"),
  "Tus-Version": text("The versions of tus that are supported", "1.0.0"),
  "X-Original-Size": integer("Bytes of the image before compression", 2_417_664),
} satisfies Record<string, Header>;

export type ResponseHeader = keyof typeof RESPONSE_HEADERS;

/** Headers of every answer of the API (LIM-7). */
export const ON_EVERY_ANSWER: readonly ResponseHeader[] = [...USAGE_HEADERS, REQUEST_ID_HEADER];

/** The headers as references to the components. */
export function headersOf(names: readonly ResponseHeader[]): Record<string, { readonly $ref: string }> {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
