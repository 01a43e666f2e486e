import { srcset } from "../../client/sizes.ts";

export const COPY_FORMATS = ["url", "markdown", "html", "srcset", "bbcode"] as const;
export type CopyFormat = (typeof COPY_FORMATS)[number];

export const COPY_TITLES: Readonly<Record<CopyFormat, string>> = {
  url: "Link",
  markdown: "Markdown",
  html: "HTML",
  srcset: "srcset",
  bbcode: "BBCode",
};

/** A file that is written as text. */
export interface Copied {
  readonly url: string;
  /** Its original name. */
  readonly name: string;
  /** A description of the picture. In copied HTML and Markdown it replaces the name. */
  readonly alt?: string | null | undefined;
  readonly mimeType: string;
  /** Pixels; 0 until known. */
  readonly size: { readonly width: number; readonly height: number };
  readonly thumbnailUrl?: string | null | undefined;
}

/** Whether the service serves a file in other sizes: an image, unless it may be an animation, which would stop. */
export function hasSizes({ mimeType, size }: Pick<Copied, "mimeType" | "size">): boolean {
  return (mimeType === "image/jpeg" || mimeType === "image/png") && size.width > 0 && size.height > 0;
}

/** Returns the text that shows the file in this format, with its name escaped. For `srcset`, a file that has no other sizes gets the text of `html`. */
export function toCopied(file: Copied, format: CopyFormat): string {
  const isVideo = file.mimeType.startsWith("video/");
  switch (format) {
    case "url":
      return file.url;
    case "markdown":
      return isVideo ? videoMarkdown(file) : `![${toMarkdown(file.alt ?? file.name)}](${toMarkdownUrl(file.url)})`;
    case "html":
      return isVideo ? videoHtml(file) : imageHtml(file);
    case "srcset":
      return hasSizes(file) ? imageHtml(file, sizesOf(file)) : toCopied(file, "html");
    case "bbcode":
      return isVideo
        ? `[url=${toBbcodeUrl(file.url)}]${toBbcode(file.name)}[/url]`
        : `[img]${toBbcodeUrl(file.url)}[/img]`;
  }
}

/** Writes one file a line. */
export function toCopiedLines(files: readonly Copied[], format: CopyFormat): string {
  return files.map((file) => toCopied(file, format)).join("\n");
}

/** Writes a link, because Markdown has no video, with the thumbnail if there is one. */
function videoMarkdown({ url, name, thumbnailUrl }: Copied): string {
  const text = toMarkdown(name);
  const shown = thumbnailUrl ? `![${text}](${toMarkdownUrl(thumbnailUrl)})` : text;
  return `[${shown}](${toMarkdownUrl(url)})`;
}

function imageHtml(file: Copied, sizes = ""): string {
  return `<img src="${toHtml(file.url)}"${sizes} alt="${toHtml(file.alt ?? file.name)}"${pixels(file)}>`;
}

/** Sizes up to the image's own, in the format that the browser likes best. The page's author knows how wide the image is shown. */
function sizesOf({ url, size }: Copied): string {
  const set = srcset(url, { auto: "format", maxWidth: size.width, maxHeight: size.height });
  return set === "" ? "" : ` srcset="${toHtml(set)}" sizes="100vw"`;
}

function videoHtml(file: Copied): string {
  const poster = file.thumbnailUrl ? ` poster="${toHtml(file.thumbnailUrl)}"` : "";
  return `<video src="${toHtml(file.url)}"${poster}${pixels(file)} controls preload="metadata"></video>`;
}

function pixels({ size: { width, height } }: Copied): string {
  return width > 0 && height > 0 ? ` width="${width}" height="${height}"` : "";
}

/** CommonMark 0.31, 2.4: escapes every character that could end the text or begin markup, including tables, formulas and strikethrough. */
export function toMarkdown(text: string): string {
  return toLine(text).replace(/[\\`*[\]<>&|~$]|(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])/g, "\\$&");
}

/** CommonMark 0.31, 6.3: a destination has no spaces; its parentheses are percent-encoded. */
export function toMarkdownUrl(url: string): string {
  return toBareUrl(url).replace(/[()<>\\]/g, percent);
}

export function toHtml(text: string): string {
  return toLine(text).replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** BBCode has no escapes: brackets are replaced by look-alikes. */
function toBbcode(text: string): string {
  return toLine(text).replaceAll("[", "［").replaceAll("]", "］");
}

function toBbcodeUrl(url: string): string {
  return toBareUrl(url).replace(/[[\]"']/g, percent);
}

/** Encodes the characters that would end an address in text. */
function toBareUrl(url: string): string {
  return url.replace(/[\s"<>]/g, percent);
}

function percent(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`;
}

function toLine(text: string): string {
  return text.replace(/[\r\n\u2028\u2029]+/g, " ");
}
