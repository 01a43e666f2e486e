import { html, raw } from "hono/html";
import { toHumanSize } from "../../domain/human-size.ts";
import { isVideo, toDownloadName } from "../../domain/media-types.ts";
import type { Upload } from "../../services/records.ts";
import type { SharedUrls } from "../../services/shares/shared-urls.ts";
import { type GuestUpload, guestUpload } from "./guest-upload.ts";
import { SHARE_STYLE } from "./share-style.ts";

/**
 * The pages of shares. `html` escapes every text that it is given, so that names and titles are text and nothing else. The script
 * (src/dashboard/share-page) reads the files from these elements.
 */

type Markup = ReturnType<typeof html>;

export interface SharedFile extends SharedUrls {
  readonly upload: Upload;
}

/** A picture for chats that show a page as a card. */
export interface CardPicture {
  readonly url: string;
  readonly width: number;
  readonly height: number;
}

/** The theme that a visitor has chosen. */
export type Theme = "light" | "dark" | undefined;

export interface SharePage {
  readonly title: string;
  /** The page's own address, without a cursor. */
  readonly url: string;
  readonly total: number;
  readonly files: readonly SharedFile[];
  readonly allowDownload: boolean;
  readonly isFirst: boolean;
  /** The address of the page that follows; null on the last one. */
  readonly nextUrl: string | null;
  readonly picture: CardPicture | undefined;
  readonly indexed: boolean;
  /** Undefined if guests upload nothing, and on later pages. */
  readonly guests: GuestUpload | undefined;
  readonly theme: Theme;
}

export function sharePage(page: SharePage): Markup {
  const { title, url, total, files, allowDownload, isFirst, nextUrl, picture, indexed, guests, theme } = page;
  const count = total === 1 ? "1 file" : `${total.toLocaleString("en")} files`;
  return document({
    title,
    indexed,
    theme,
    head: html`<meta property="og:type" content="website" />
      <meta property="og:title" content="${title}" />
      <meta property="og:description" content="${count}" />
      <meta property="og:url" content="${url}" />
      <meta name="description" content="${count}" />
      ${picture === undefined ? html`<meta name="twitter:card" content="summary" />` : cardTags(picture, title)}
      <link rel="canonical" href="${url}" />
      <link rel="alternate" type="application/json+oembed" href="${url}/oembed" title="${title}" />
      <script type="module" src="/share-page/page.js"></script>`,
    body: html`<header>
        <div class="heading">
          <h1 dir="auto">${title}</h1>
          <p>${count}</p>
        </div>
        <div class="actions" data-zip="${files.length > 0 && allowDownload ? "yes" : ""}"></div>
      </header>
      <main>
        ${guests === undefined ? "" : guestUpload(guests)}
        ${
          files.length === 0
            ? html`<div class="nothing">${raw(PICTURE_ICON)}<p>There are no files here.</p></div>`
            : html`<ul class="grid" role="list" data-total="${total}" data-first="${isFirst ? "yes" : ""}">
              ${files.map((file, place) => tile(file, { allowDownload, isLazy: place >= 12 }))}
            </ul>`
        }
        ${
          nextUrl === null && isFirst
            ? ""
            : html`<nav class="pages" aria-label="Pages">
              ${isFirst ? "" : html`<a class="button quiet" href="${url}">First page</a>`}
              ${nextUrl === null ? "" : html`<a class="button" rel="next" href="${nextUrl}">More files</a>`}
            </nav>`
        }
      </main>`,
  });
}

function cardTags({ url, width, height }: CardPicture, title: string): Markup {
  return html`<meta property="og:image" content="${url}" />
    <meta property="og:image:width" content="${width}" />
    <meta property="og:image:height" content="${height}" />
    <meta property="og:image:alt" content="${title}" />
    <meta name="twitter:card" content="summary_large_image" />`;
}

/** lucide's "image". */
const PICTURE_ICON =
  '<svg viewBox="0 0 24 24" aria-hidden="true"><rect width="18" height="18" x="3" y="3" rx="2"/><circle cx="9" cy="9" r="2"/><path d="m21 15-3.1-3.1a2 2 0 0 0-2.8 0L6 21"/></svg>';
/** lucide's "download". */
const DOWNLOAD_ICON =
  '<svg viewBox="0 0 24 24" aria-hidden="true"><path d="M12 15V3M21 15v4a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2v-4m4-5 5 5 5-5"/></svg>';

function tile(
  { upload, url, downloadUrl, previewUrl }: SharedFile,
  { allowDownload, isLazy }: { readonly allowDownload: boolean; readonly isLazy: boolean },
): Markup {
  const { id, originalFilename: name, mimeType, durationMs, sizeBytes, width, height, alt } = upload;
  const isFilm = isVideo(mimeType);
  const label = alt ?? (isFilm ? `Video ${name}` : name);
  const mark = durationMs === null ? "Video" : toClock(durationMs);
  const saved = toDownloadName(name, mimeType);
  return html`<li class="tile" id="${id}" data-type="${mimeType}" data-width="${width}" data-height="${height}" data-bytes="${sizeBytes}">
    <a class="shot" href="${url}">
      ${
        previewUrl === null
          ? html`<span class="none">${label}</span>`
          : html`<img src="${previewUrl}" alt="${label}" decoding="async" ${raw(isLazy ? 'loading="lazy"' : "")} />`
      }
      ${isFilm ? html`<span class="mark">${mark}</span>` : ""}
    </a>
    <div class="facts">
      <span class="name" title="${name}"><bdi>${name}</bdi></span>
      ${
        allowDownload
          ? html`<a class="save" href="${downloadUrl}" download="${saved}" aria-label="Download ${name}, ${toHumanSize(sizeBytes)}"
              >${raw(DOWNLOAD_ICON)}</a
            >`
          : ""
      }
    </div>
  </li>`;
}

/** A video's time: `0:42`, `1:02:03`. */
function toClock(milliseconds: number): string {
  const seconds = Math.round(milliseconds / 1000);
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  const shown = parts[0] === 0 ? parts.slice(1) : parts;
  return shown.map((part, place) => (place === 0 ? String(part) : String(part).padStart(2, "0"))).join(":");
}

/** The form for the password of a share. It shows nothing of the share. */
export function passwordPage({ wrong, theme }: { readonly wrong: boolean; readonly theme: Theme }): Markup {
  return document({
    title: "Enter the password",
    indexed: false,
    theme,
    head: "",
    body: html`<main>
      <form class="card" method="post">
        <h1>Enter the password</h1>
        <p class="about">The owner of these files has set a password.</p>
        <label
          >Password
          <input
            name="password"
            type="password"
            required
            autofocus
            autocomplete="off"
            maxlength="200"
            ${raw(wrong ? 'aria-invalid="true" aria-describedby="wrong"' : "")}
        /></label>
        ${wrong ? html`<p class="wrong" id="wrong" role="alert">This is not the password.</p>` : ""}
        <button class="button">Open</button>
      </form>
    </main>`,
  });
}

interface Message {
  readonly title: string;
  readonly text: string;
  readonly theme: Theme;
}

/** A page that says why there are no files. */
export function messagePage({ title, text, theme }: Message): Markup {
  return document({
    title,
    indexed: false,
    theme,
    head: "",
    body: html`<main>
      <div class="card">
        <h1>${title}</h1>
        <p class="about">${text}</p>
      </div>
    </main>`,
  });
}

interface Document {
  readonly title: string;
  readonly indexed: boolean;
  readonly theme: Theme;
  readonly head: Markup | "";
  readonly body: Markup;
}

function document({ title, indexed, theme, head, body }: Document): Markup {
  return html`<!doctype html>
    <html lang="en" ${raw(theme === undefined ? "" : `data-theme="${theme}"`)}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover" />
        <title>${title}</title>
        ${indexed ? "" : html`<meta name="robots" content="noindex" />`} ${head}
        <link rel="icon" href="/favicon.svg" />
        <style>${raw(SHARE_STYLE)}</style>
      </head>
      <body>
        ${body}
        <footer><a href="/report" rel="nofollow">Report a file</a></footer>
      </body>
    </html>`;
}
