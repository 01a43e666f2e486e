import type { OpenAPIHono } from "@hono/zod-openapi";
import type { Context } from "hono";
import { bodyLimit } from "hono/body-limit";
import { getCookie, setCookie } from "hono/cookie";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import { ERRORS, ServiceError } from "../../domain/errors.ts";
import { previewSize } from "../../domain/preview-size.ts";
import { MAX_SHARE_PASSWORD_CHARACTERS, SHARE_PASS_SECONDS } from "../../domain/share.ts";
import { guestToken } from "../../services/shares/guest-token.ts";
import { listSharedFiles } from "../../services/shares/list-shared-files.ts";
import { type OpenShare, openShare, type ShareOpening } from "../../services/shares/open-share.ts";
import { openSharedUrls } from "../../services/shares/shared-urls.ts";
import { unlockShare } from "../../services/shares/unlock-share.ts";
import type { AppEnv } from "../app-env.ts";
import { publicOrigin } from "../tool-files.ts";
import type { GuestUpload } from "./guest-upload.ts";
import { sendGuestFiles } from "./send-guest-files.ts";
import { shareHeaders } from "./share-headers.ts";
import { type CardPicture, messagePage, passwordPage, type SharedFile, sharePage, type Theme } from "./share-html.ts";

type ShareContext = Context<AppEnv, "/s/:token">;
type Markup = ReturnType<typeof messagePage>;

/** A form with a password of the longest kind, percent-encoded. */
const MAX_FORM_BYTES = 4096;
const UNTITLED = "Shared files";
/** The script sets it (src/dashboard/share-page/index.ts). A cookie, so that a dark page is never light first. */
const THEME_COOKIE = "share-theme";

/** The pages of shares (SHARE-3). They need no account and no JavaScript. They are not part of the described API. */
export function serveSharePage(app: OpenAPIHono<AppEnv>): void {
  app.get("/s/:token", async (c) => answering(c, () => showShare(c)));
  app.post("/s/:token", bodyLimit({ maxSize: MAX_FORM_BYTES, onError: tooLarge }), async (c) =>
    answering(c, () => takePassword(c)),
  );
  // The body is read as a stream by the upload endpoint, which limits it.
  app.post("/s/:token/files", async (c) => answering(c, () => takeFiles(c, app)));
  app.get("/s/:token/oembed", async (c) => {
    // oEmbed lets a provider have one format. Its 501 for the other one would be a 5xx because of a client (ERR-6).
    if (!["json", ""].includes(c.req.query("format") ?? "")) throw ERRORS.InvalidQuery({ format: "Must be json" });
    const { title, picture } = await describe(c, await openedOf(c));
    const thumbnail = picture && {
      thumbnail_url: picture.url,
      thumbnail_width: picture.width,
      thumbnail_height: picture.height,
    };
    c.header("Cache-Control", "private, no-store");
    return c.json({ version: "1.0", type: "link", title, provider_name: "Media host", ...thumbnail });
  });
}

function tooLarge(): never {
  throw ERRORS.BodyTooLarge(MAX_FORM_BYTES);
}

/** @throws ServiceError 404 for every share that is not open */
async function openedOf(c: Context<AppEnv, "/s/:token/oembed">): Promise<OpenShare> {
  const { services, client } = c.var;
  const opening = await openShare(services, client, { token: c.req.param("token"), pass: undefined });
  if (opening.outcome !== "open") throw ERRORS.ShareNotFound();
  return opening.opened;
}

async function showShare(c: ShareContext): Promise<Response> {
  const cursor = c.req.query("after") || undefined;
  const opening = await openShare(c.var.services, c.var.client, {
    token: c.req.param("token"),
    pass: getCookie(c, cookieName(c)),
    isView: cursor === undefined && c.req.method === "GET" && !isOfScript(c),
  });
  if (opening.outcome !== "open") return refuse(c, opening);
  const { opened } = opening;
  const { title, url, total, files, nextCursor, picture } = await describe(c, opened, cursor);
  const { indexed, allowDownload } = opened.share;
  if (!indexed) c.header("X-Robots-Tag", "noindex");
  const isFirst = cursor === undefined;
  const guests = isFirst ? await guestsOf(c, opened, url) : undefined;
  const nextUrl = nextCursor === null ? null : `${url}?after=${encodeURIComponent(nextCursor)}`;
  const page = {
    title,
    url,
    total,
    files,
    allowDownload,
    isFirst,
    nextUrl,
    picture,
    indexed,
    guests,
    theme: themeOf(c),
  };
  return show(c, sharePage(page), 200);
}

async function guestsOf(c: ShareContext, opened: OpenShare, url: string): Promise<GuestUpload | undefined> {
  const token = await guestToken(c.var.services, opened);
  if (token === undefined) return undefined;
  return { origin: publicOrigin(c.req.url), url, token, types: opened.share.guests?.types ?? [] };
}

/** Stores the files of a guest whose browser runs no scripts (SHARE-8). */
async function takeFiles(c: Context<AppEnv, "/s/:token/files">, app: OpenAPIHono<AppEnv>): Promise<Response> {
  const { services, client } = c.var;
  const pass = getCookie(c, cookieName(c));
  const opening = await openShare(services, client, { token: c.req.param("token"), pass });
  if (opening.outcome !== "open") return refuse(c, opening);
  const token = await guestToken(services, opening.opened);
  if (token === undefined) return show(c, say(c, "No uploads here", "The owner of this page takes no files."), 403);
  const { status, problems } = await sendGuestFiles(c.req.raw, token, (request) =>
    app.fetch(request, c.env, c.executionCtx),
  );
  if (problems.length === 0) return c.redirect(new URL(c.req.url).pathname.replace(/\/files$/, ""), 303);
  return show(c, say(c, "Not every file was stored", problems.join(" ")), status as ContentfulStatusCode);
}

async function takePassword(c: ShareContext): Promise<Response> {
  const { services, client } = c.var;
  const opening = await openShare(services, client, { token: c.req.param("token"), pass: undefined });
  const password = await readPassword(c);
  if (opening.outcome === "open") return c.redirect(new URL(c.req.url).pathname, 303);
  if (opening.outcome !== "locked") return refuse(c, opening);
  if (password.length > 2 * MAX_SHARE_PASSWORD_CHARACTERS)
    return show(c, passwordPage({ wrong: true, theme: themeOf(c) }), 403);
  const pass = await unlockShare(services, client, { ...opening, password });
  if (pass === undefined) return show(c, passwordPage({ wrong: true, theme: themeOf(c) }), 403);
  const path = new URL(c.req.url).pathname;
  const secure = isSecure(c);
  setCookie(c, cookieName(c), pass, { path, maxAge: SHARE_PASS_SECONDS, httpOnly: true, sameSite: "Lax", secure });
  return c.redirect(path, 303);
}

/** The form's password; empty if the body is no form. */
async function readPassword(c: ShareContext): Promise<string> {
  const { password } = await c.req.parseBody().catch((error: unknown) => {
    if (error instanceof TypeError) return { password: "" };
    throw error;
  });
  return typeof password === "string" ? password : "";
}

interface Described {
  readonly title: string;
  readonly url: string;
  readonly total: number;
  readonly files: readonly SharedFile[];
  readonly nextCursor: string | null;
  /** Undefined if no file of the page has a picture of its own. */
  readonly picture: CardPicture | undefined;
}

async function describe(c: Context<AppEnv>, opened: OpenShare, cursor?: string): Promise<Described> {
  const { services } = c.var;
  const { rows, total, nextCursor } = await listSharedFiles(services, opened, cursor);
  const urlsOf = await openSharedUrls(services, opened);
  const files = await Promise.all(rows.map(async (upload) => ({ upload, ...(await urlsOf(upload)) })));
  const path = new URL(c.req.url).pathname.replace(/\/oembed$/, "");
  return {
    title: opened.share.title ?? UNTITLED,
    url: publicOrigin(c.req.url) + path,
    total,
    files,
    nextCursor,
    picture: pictureOf(files),
  };
}

/** The first file with a known size. */
function pictureOf(files: readonly SharedFile[]): CardPicture | undefined {
  const file = files.find(({ previewUrl, upload }) => previewUrl !== null && upload.width > 0);
  if (file === undefined || file.previewUrl === null) return undefined;
  return { url: file.previewUrl, ...previewSize(file.upload) };
}

function refuse(c: Context<AppEnv>, { outcome }: Exclude<ShareOpening, { outcome: "open" }>): Promise<Response> {
  switch (outcome) {
    case "locked":
      return show(c, passwordPage({ wrong: false, theme: themeOf(c) }), 403);
    case "expired":
      return show(c, say(c, "This page has ended", "The time for which these files were shared is over."), 410);
    case "suspended":
      return show(c, say(c, "This page is closed", "The operator has suspended the account."), 403);
    case "unknown":
      return show(c, say(c, "There is no such page", "Its owner may have ended it."), 404);
  }
}

/** Answers errors as pages. Failures of the service are answered as everywhere. */
async function answering(c: Context<AppEnv>, work: () => Promise<Response>): Promise<Response> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof ServiceError) || error.statusCode >= 500) throw error;
    for (const [name, value] of Object.entries(error.headers)) c.header(name, value);
    if (error.code === "folder_not_found") return refuse(c, { outcome: "unknown" });
    return show(c, say(c, "This did not work", `${error.message}.`), error.statusCode as ContentfulStatusCode);
  }
}

async function show(c: Context<AppEnv>, markup: Markup, status: ContentfulStatusCode): Promise<Response> {
  for (const [name, value] of Object.entries(await shareHeaders(c.var.services.config.cdnUrl))) c.header(name, value);
  if (status !== 200) c.header("X-Robots-Tag", "noindex");
  return c.html(markup, status);
}

function say(c: Context<AppEnv>, title: string, text: string): Markup {
  return messagePage({ title, text, theme: themeOf(c) });
}

/** Whether the page's script asks for the page again (SHARE-9). Fetch Metadata: a page that a user opens has the destination `document`. */
function isOfScript(c: ShareContext): boolean {
  return c.req.header("Sec-Fetch-Dest") === "empty";
}

function themeOf(c: Context<AppEnv>): Theme {
  const theme = getCookie(c, THEME_COOKIE);
  return theme === "light" || theme === "dark" ? theme : undefined;
}

/** The cookie is limited to the share's path, so no other page gets it. */
function cookieName(c: Context<AppEnv>): string {
  return isSecure(c) ? "__Secure-share" : "share";
}

function isSecure(c: Context<AppEnv>): boolean {
  return new URL(c.req.url).protocol === "https:";
}
