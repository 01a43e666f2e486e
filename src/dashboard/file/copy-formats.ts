/** What a link can be copied as. */
export const COPY_FORMATS = ["url", "markdown", "html", "bbcode"] as const;
export type CopyFormat = (typeof COPY_FORMATS)[number];

export const COPY_TITLES: Readonly<Record<CopyFormat, string>> = {
  url: "Link",
  markdown: "Markdown",
  html: "HTML",
  bbcode: "BBCode",
};

/** A file as texts show it. */
export interface Copied {
  readonly url: string;
  /** Its original name. */
  readonly name: string;
  readonly mimeType: string;
  /** Pixels; 0 while not known. */
  readonly size: { readonly width: number; readonly height: number };
  readonly thumbnailUrl?: string | null | undefined;
}

/** Writes a file's address so that a text of that format shows the file, whatever its name. */
export function toCopied(file: Copied, format: CopyFormat): string {
  const isVideo = file.mimeType.startsWith("video/");
  switch (format) {
    case "url":
      return file.url;
    case "markdown":
      return isVideo ? videoMarkdown(file) : `![${toMarkdown(file.name)}](${toMarkdownUrl(file.url)})`;
    case "html":
      return isVideo ? videoHtml(file) : `<img src="${toHtml(file.url)}" alt="${toHtml(file.name)}"${pixels(file)}>`;
    case "bbcode":
      return isVideo
        ? `[url=${toBbcodeUrl(file.url)}]${toBbcode(file.name)}[/url]`
        : `[img]${toBbcodeUrl(file.url)}[/img]`;
  }
}

/** Several files, one a line. */
export function toCopiedLines(files: readonly Copied[], format: CopyFormat): string {
  return files.map((file) => toCopied(file, format)).join("\n");
}

/** Markdown has no video: a link, with the thumbnail where there is one. */
function videoMarkdown({ url, name, thumbnailUrl }: Copied): string {
  const text = toMarkdown(name);
  const shown = thumbnailUrl ? `![${text}](${toMarkdownUrl(thumbnailUrl)})` : text;
  return `[${shown}](${toMarkdownUrl(url)})`;
}

function videoHtml(file: Copied): string {
  const poster = file.thumbnailUrl ? ` poster="${toHtml(file.thumbnailUrl)}"` : "";
  return `<video src="${toHtml(file.url)}"${poster}${pixels(file)} controls preload="metadata"></video>`;
}

function pixels({ size: { width, height } }: Copied): string {
  return width > 0 && height > 0 ? ` width="${width}" height="${height}"` : "";
}

/** CommonMark 0.31, 2.4: what would end the text or begin something in it is escaped, also for tables, formulas and strikethrough. */
function toMarkdown(text: string): string {
  return toLine(text).replace(/[\\`*[\]<>&|~$]|(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])/g, "\\$&");
}

/** CommonMark 0.31, 6.3: a destination without spaces, its parentheses escaped as URLs escape them. */
function toMarkdownUrl(url: string): string {
  return toBareUrl(url).replace(/[()<>\\]/g, percent);
}

function toHtml(text: string): string {
  return toLine(text).replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** BBCode knows no escapes: what looks like a tag is written with brackets that only look alike. */
function toBbcode(text: string): string {
  return toLine(text).replaceAll("[", "［").replaceAll("]", "］");
}

function toBbcodeUrl(url: string): string {
  return toBareUrl(url).replace(/[[\]"']/g, percent);
}

/** An address of which nothing ends the text around it. */
function toBareUrl(url: string): string {
  return url.replace(/[\s"<>]/g, percent);
}

function percent(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`;
}

function toLine(text: string): string {
  return text.replace(/[\r\n\u2028\u2029]+/g, " ");
}
