import { readFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join, normalize } from "node:path";
import { drawPicture, isIcon } from "./draw-picture.ts";
import { SEEDED_TAGS, type SeededFile, seededFile, seededFolders, seededMonths } from "./seeded-library.ts";

/** `npm run build` puts the dashboard here. */
const ASSETS = ".assets/dashboard";
const PREVIEWS = 48;
const MOST_COUNTED = 10_000;
const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript",
  ".css": "text/css",
  ".woff2": "font/woff2",
  ".svg": "image/svg+xml",
};
/** The real shell's policy, except the CDN's address. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; img-src 'self' blob:; media-src 'self' blob:; " +
  "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'";

/** Tiles of a page without scripts, which measure the cost of the content itself. */
export const STATIC_TILES = 24;
const STATIC_PAGE = `<!doctype html><title>Tiles</title>
<style>main { display: grid; grid-template-columns: repeat(6, 1fr); gap: 12px } img { width: 100%; height: 150px; object-fit: cover }</style>
<main>${Array.from({ length: STATIC_TILES }, (_, at) => `<figure><img src="/previews/${at}" alt=""><figcaption>IMG_${at}.jpg</figcaption></figure>`).join("")}</main>`;

const PAGING = ["page", "limit", "cursor"];

interface Delays {
  readonly previewMs: number;
  readonly pageMs: number;
}

/** The dashboard and an API with a library of any size, as fast as configured. Changes last until it stops. */
export class SeededApi {
  readonly #files: number;
  readonly #delays: Delays;
  readonly #previews: Buffer[];
  readonly #changed = new Map<string, SeededFile | undefined>();
  readonly #server: Server;
  /** The number of requests by their first path segment. */
  readonly requests = new Map<string, number>();
  readonly #lists = new Map<string, number[]>();

  private constructor(files: number, delays: Delays, previews: Buffer[]) {
    this.#files = files;
    this.#delays = delays;
    this.#previews = previews;
    this.#server = createServer((request, response) => {
      // A page that is closed aborts its requests.
      this.#answer(request, response).catch(() => response.destroy());
    });
  }

  static async start(files: number, delays: Delays = { previewMs: 8, pageMs: 35 }): Promise<SeededApi> {
    const previews = await Promise.all(
      Array.from({ length: PREVIEWS }, (_, at) => drawPicture(at).webp({ quality: 70 }).toBuffer()),
    );
    const api = new SeededApi(files, delays, previews);
    await new Promise<void>((resolve) => api.#server.listen(0, "127.0.0.1", resolve));
    return api;
  }

  get url(): string {
    return `http://localhost:${(this.#server.address() as AddressInfo).port}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve));
    this.#server.closeAllConnections();
    await closed;
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? "/", "http://localhost");
    const [, first = ""] = url.pathname.split("/");
    this.requests.set(first, (this.requests.get(first) ?? 0) + 1);
    if (first === "dashboard" || first === "favicon.svg") return sendAsset(url.pathname, response);
    if (first === "previews") {
      await wait(this.#delays.previewMs);
      const picture = this.#previews[previewNumber(url.pathname)];
      response.writeHead(200, { "Content-Type": "image/webp", "Cache-Control": "private, max-age=86400" }).end(picture);
      return;
    }
    if (first === "static") {
      const words = "Words of a page. ".repeat(Number(url.searchParams.get("bytes") ?? 0) / 17);
      return void response.writeHead(200, { "Content-Type": "text/html" }).end(`${STATIC_PAGE}<p>${words}</p>`);
    }
    await wait(this.#delays.pageMs);
    const body = await readBody(request);
    const answer = this.#call(request.method ?? "GET", url, body);
    response.writeHead(answer === undefined ? 404 : 200, {
      "Content-Type": "application/json",
      "X-RateLimit-Limit": "1000",
      "X-RateLimit-Remaining": "900",
      "X-RateLimit-Reset": "60",
    });
    response.end(JSON.stringify(answer ?? { error: "Not found", code: "not_found", statusCode: 404 }));
  }

  #call(method: string, { pathname, searchParams }: URL, body: Record<string, unknown>): unknown {
    switch (`${method} ${pathname}`) {
      case "GET /images":
        return this.#list(searchParams);
      case "GET /images/timeline":
        return this.#timeline(searchParams);
      case "GET /tags":
        return { tags: SEEDED_TAGS.map((tag, at) => ({ tag, count: Math.round(this.#files / (30 * (at + 1))) })) };
      case "GET /folders":
        return { folders: seededFolders((id) => Math.round(this.#files / 12) - (id.length % 7)) };
      case "GET /account":
        return {
          _id: "acc",
          email: "ines@example.com",
          name: "Ines Kallevik",
          tier: "business",
          createdAt: "2020-01-01",
          emailVerification: "verified",
        };
      case "GET /stats/overview":
        return overview(this.#files);
      case "GET /settings":
        return { autoCompress: false, compressionQuality: 65, variants: "open" };
      case "POST /images/bulk-delete":
        return this.#delete(body.ids as string[]);
      case "POST /images/bulk-trash":
        return this.#change(body.ids as string[], () => ({ status: "trash" }));
      case "POST /images/bulk-restore":
        return this.#change(body.ids as string[], () => ({ status: "active" }));
      case "POST /images/bulk-update":
        return this.#change(body.ids as string[], (file) => ({
          favorite: (body.favorite as boolean | undefined) ?? file.favorite,
          folderId: body.folderId === undefined ? file.folderId : (body.folderId as string | null),
          tags: [...new Set([...file.tags, ...((body.addTags as string[]) ?? [])])].filter(
            (tag) => !((body.removeTags as string[]) ?? []).includes(tag),
          ),
        }));
      default:
        return method === "GET" && pathname.startsWith("/images/") ? this.#fileToView(toNumber(pathname)) : undefined;
    }
  }

  #file(number: number): SeededFile | undefined {
    const file = seededFile(number, this.#files);
    return this.#changed.has(file._id) ? this.#changed.get(file._id) : file;
  }

  /** The file with the URL of its preview in place of the URL of its bytes. */
  #fileToView(number: number) {
    const file = this.#file(number);
    return file && { ...file, viewUrl: file.previewUrl };
  }

  #change(ids: string[], change: (file: SeededFile) => Partial<SeededFile>) {
    for (const id of ids) {
      const file = this.#file(toNumber(id));
      if (file !== undefined) this.#changed.set(id, { ...file, ...change(file) } as SeededFile);
    }
    this.#lists.clear();
    return { updated: ids.length };
  }

  #delete(ids: string[]) {
    for (const id of ids) this.#changed.set(id, undefined);
    this.#lists.clear();
    return { deleted: ids.length, failed: [] };
  }

  #list(query: URLSearchParams) {
    const [page, limit] = [Number(query.get("page") ?? 1), Number(query.get("limit") ?? 50)];
    // Counting the matches of a large library would take longer than the rest of a test.
    if (limit === 1 && this.#files > MOST_COUNTED) {
      return { images: [], pagination: { page, limit, total: this.#files >> 3, totalPages: 1, nextCursor: null } };
    }
    const isSorted = query.has("sort");
    const matching = isSorted ? this.#sorted(query) : this.#matching(query);
    const total = matching?.length ?? this.#files;
    // As in the service, pages count from the start or a cursor, and only the first thousand files of an order.
    if (isSorted && page * limit > 1000) return undefined;
    const from = Number(query.get("cursor")?.slice(1) ?? 0) + (page - 1) * limit;
    const numbers =
      matching?.slice(from, from + limit) ??
      Array.from({ length: Math.max(0, Math.min(limit, total - from)) }, (_, at) => from + at);
    const pagination = {
      page,
      limit,
      total,
      totalPages: Math.ceil(total / limit),
      nextCursor: isSorted && from + limit < total ? `c${from + limit}` : null,
    };
    return { images: numbers.map((number) => this.#file(number)), pagination };
  }

  /** The numbers of the files that match a query, in its order. */
  #sorted(query: URLSearchParams): number[] {
    const sorting = ["sort", "order"];
    const key = String(new URLSearchParams([...query].filter(([name]) => !PAGING.includes(name))));
    const known = this.#lists.get(key);
    if (known !== undefined) return known;
    const plain = new URLSearchParams([...query].filter(([name]) => !sorting.includes(name)));
    const numbers = this.#matching(plain) ?? Array.from({ length: this.#files }, (_, at) => at);
    const sorted = sortSeeded(
      numbers.map((number) => ({ number, ...(this.#file(number) as SeededFile) })),
      query.get("sort"),
    );
    if (query.get("order") !== "asc") sorted.reverse();
    this.#lists.set(key, sorted);
    return sorted;
  }

  /** The numbers of the files that match a query; undefined for all. */
  #matching(query: URLSearchParams): number[] | undefined {
    const filter = new URLSearchParams([...query].filter(([name]) => !PAGING.includes(name)));
    const isAll =
      filter.get("folderId") === "all" && filter.get("status") !== "trash" && [...filter.keys()].every(isPlace);
    if (isAll && this.#changed.size === 0) return undefined;
    const key = String(filter);
    const known = this.#lists.get(key);
    if (known !== undefined) return known;
    const found: number[] = [];
    for (let number = 0; number < this.#files; number += 1) {
      if (isMatch(this.#file(number), filter)) found.push(number);
    }
    this.#lists.set(key, found);
    return found;
  }

  #timeline(query: URLSearchParams) {
    const numbers = this.#matching(query);
    if (numbers === undefined) return { total: this.#files, buckets: seededMonths(this.#files) };
    const counts = new Map<string, number>();
    for (const number of numbers) {
      const month = seededFile(number, this.#files).createdAt.slice(0, 7);
      counts.set(month, (counts.get(month) ?? 0) + 1);
    }
    return { total: numbers.length, buckets: [...counts].map(([key, count]) => ({ key, count })) };
  }
}

function isMatch(file: SeededFile | undefined, filter: URLSearchParams): boolean {
  if (file === undefined || file.status !== (filter.get("status") ?? "active")) return false;
  const folder = filter.get("folderId") ?? "all";
  const tags = filter.get("tags")?.split(",") ?? [];
  return (
    (folder === "all" || file.folderId === (folder === "root" ? null : folder)) &&
    file.mimeType.startsWith(filter.get("mimePrefix") ?? "") &&
    file.prompt.toLowerCase().includes((filter.get("q") ?? "").toLowerCase()) &&
    (filter.get("favorite") !== "true" || file.favorite) &&
    filter.get("takenDown") !== "true" &&
    tags.every((tag) => file.tags.includes(tag)) &&
    !(filter.get("excludeTags")?.split(",") ?? []).some((tag) => file.tags.includes(tag)) &&
    file.fileSize >= Number(filter.get("minSize") ?? 0)
  );
}

/** @returns the files' numbers, ascending by the order; later uploads are the greater ones */
function sortSeeded(files: (SeededFile & { readonly number: number })[], by: string | null): number[] {
  const keyOf = ({ prompt, fileSize }: SeededFile) =>
    by === "name" ? prompt.toLowerCase() : by === "size" ? fileSize : 0;
  const keyed = files.map((file) => ({ key: keyOf(file), number: file.number }));
  keyed.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : b.number - a.number));
  return keyed.map(({ number }) => number);
}

function overview(files: number) {
  const GB = 1024 ** 3;
  return {
    tier: "business",
    storage: { used: 131.4 * GB, limit: 200 * GB, percent: 65.7, images: 83 * GB, videos: 46 * GB, trash: 2.4 * GB },
    operations: {
      used: 1_200_000,
      limit: 5_000_000,
      percent: 24,
      classA: 100,
      classB: 100,
      resetAt: "2026-12-01T00:00:00.000Z",
    },
    rateLimit: { perMinute: 1000 },
    files: { total: files + 36, images: files, videos: 0, trashed: 36, trashedBytes: 2.4 * GB },
    upload: { maxBytes: 104_857_600, maxFiles: 50 },
    folders: 8,
    variants: { count: 96_000, bytes: 5.2 * GB },
  };
}

function toNumber(pathOrId: string): number {
  return Number.parseInt(/01item([0-9a-z]{20})/.exec(pathOrId)?.[1] ?? "0", 36);
}

/** Whether a file's preview is a transparent icon. */
export function isTransparent({ previewUrl }: SeededFile): boolean {
  return isIcon(previewNumber(String(previewUrl)));
}

function previewNumber(path: string): number {
  return Number(path.split("/")[2]) % PREVIEWS;
}

async function sendAsset(path: string, response: ServerResponse): Promise<void> {
  const name = normalize(path).replace(/^\/dashboard\/?/, "");
  const isFile = extname(name) !== "";
  const content = await readFile(join(ASSETS, isFile ? name : "index.html")).catch(() => undefined);
  if (content === undefined) return void response.writeHead(404).end();
  const headers = { "Content-Type": TYPES[isFile ? extname(name) : ".html"] ?? "application/octet-stream" };
  response.writeHead(200, isFile ? headers : { ...headers, "Content-Security-Policy": POLICY }).end(content);
}

async function readBody(request: IncomingMessage): Promise<Record<string, unknown>> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece as Buffer);
  return pieces.length === 0 ? {} : (JSON.parse(Buffer.concat(pieces).toString()) as Record<string, unknown>);
}

function wait(ms: number): Promise<void> {
  return ms === 0 ? Promise.resolve() : new Promise((resolve) => setTimeout(resolve, ms));
}

/** Parameters that exclude no file if all files match. */
function isPlace(name: string): boolean {
  return ["folderId", "status", "by"].includes(name);
}
