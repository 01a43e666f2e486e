import { picture, src, srcset } from "../../../client/sizes.ts";
import { toHtml, toMarkdown, toMarkdownUrl } from "../copy-formats.ts";
import { type FileFacts, isVideo } from "../file-facts.ts";
import { type Choice, type Planned, queryOf, sourceSize, toLook, widthsFor } from "./choice.ts";

/** A text to copy. */
export interface Output {
  readonly id: string;
  readonly title: string;
  readonly code: string;
}

export interface OutputOf {
  readonly file: FileFacts;
  /** The file's URL: signed, if the file is private. */
  readonly url: string;
  /** The URL of a video's thumbnail: signed, if the file is private. */
  readonly thumbnailUrl: string | null;
  readonly choice: Choice;
  readonly planned: Planned;
}

/** The texts that show the chosen variant in a page. */
export function outputsOf(of: OutputOf): Output[] {
  const { file } = of;
  const address = src(baseOf(of), of.planned.sizing);
  const alt = file.alt ?? file.prompt;
  const link = `![${toMarkdown(alt)}](${toMarkdownUrl(address)})`;
  const poster = `<video src="${toHtml(of.url)}" poster="${toHtml(address)}" controls preload="metadata"></video>`;
  return [
    { id: "url", title: "URL", code: address },
    ...(isVideo(file) ? [{ id: "video", title: "video", code: poster }] : []),
    { id: "img", title: "img", code: toImg(of, address) },
    ...(of.choice.preset === undefined ? [{ id: "picture", title: "picture", code: toPicture(of) }] : []),
    { id: "markdown", title: "Markdown", code: isVideo(file) ? `[${link}](${toMarkdownUrl(of.url)})` : link },
    ...(hasUnpic(of) ? [{ id: "unpic", title: "unpic", code: toUnpic(of) }] : []),
  ];
}

/** unpic's URLs have neither the name of a preset, nor a video's frame, nor the signature of a private file. */
function hasUnpic({ choice: { preset, frame }, file }: OutputOf): boolean {
  return preset === undefined && frame === undefined && file.visibility === "public";
}

/** The code that signs the chosen variant on a server (VAR-9). */
export function signingCode({ file, planned }: Pick<OutputOf, "file" | "planned">): string {
  const values = Object.entries(planned.sizing).filter(([, value]) => value !== undefined);
  const options = values.map(([name, value]) => `${name}: ${JSON.stringify(value)}`).join(", ");
  return `import { signUrl, src } from "edge-media-host-client/images";

const url = src(${JSON.stringify(file.url)}, { ${options} });
const signed = await signUrl(url, process.env.SIGNING_KEY);`;
}

/** A video's thumbnail has a URL of its own, and its frames have the video's. */
function baseOf({ url, thumbnailUrl, file, choice }: OutputOf): string {
  return isVideo(file) && choice.frame === undefined && thumbnailUrl !== null ? thumbnailUrl : url;
}

/** `sizes` for a picture that is as wide as the page, up to its chosen width. */
function sizesOf({ planned }: OutputOf): string {
  const { width } = planned.geometry.canvas;
  return `(min-width: ${width}px) ${width}px, 100vw`;
}

function attributes({ file, planned }: OutputOf): string {
  const { width, height } = planned.geometry.canvas;
  return `alt="${toHtml(file.alt ?? file.prompt)}" width="${width}" height="${height}" loading="lazy"`;
}

function toImg(of: OutputOf, address: string): string {
  const { preset } = of.choice;
  const set = preset === undefined ? srcset(baseOf(of), toSet(of)) : srcset(baseOf(of), { preset });
  const sizes = preset === undefined && set !== "" ? `\n  sizes="${sizesOf(of)}"` : "";
  const more = set === "" ? "" : `\n  srcset="${toHtml(set)}"${sizes}`;
  return `<img\n  src="${toHtml(address)}"${more}\n  ${attributes(of)}\n>`;
}

function toPicture(of: OutputOf): string {
  const { format: _, auto: __, ...set } = toSet(of);
  const { sources, img } = picture(baseOf(of), { ...set, sizes: sizesOf(of) });
  const lines = sources.map(
    (each) => `  <source type="${each.type}" srcset="${toHtml(each.srcset)}" sizes="${each.sizes}">`,
  );
  const own = img.srcset === "" ? "" : ` srcset="${toHtml(img.srcset)}" sizes="${img.sizes}"`;
  return `<picture>\n${lines.join("\n")}\n  <img src="${toHtml(img.src)}"${own} ${attributes(of)}>\n</picture>`;
}

/** unpic's component with its provider for imgix, which writes the size and replaces the URL's own query. */
function toUnpic(of: OutputOf): string {
  const { width, height } = of.planned.geometry.canvas;
  const { fit: _, auto: __, ...look } = toLook(of.choice, of.file.focalPoint);
  const operations = Object.fromEntries(new URLSearchParams(queryOf(look)));
  const words = [
    `src=${JSON.stringify(baseOf(of))}`,
    `cdn="imgix"`,
    `layout="constrained"`,
    `width={${width}}`,
    `height={${height}}`,
    `alt={${JSON.stringify(of.file.alt ?? of.file.prompt)}}`,
    ...(Object.keys(operations).length === 0 ? [] : [`operations={{ imgix: ${JSON.stringify(operations)} }}`]),
  ];
  return `import { Image } from "@unpic/react";\n\n<Image\n  ${words.join("\n  ")}\n/>`;
}

/** The sizes of the picture up to its own. A crop keeps its shape in all of them. */
function toSet({ file, choice, planned }: OutputOf) {
  const { width, height } = planned.geometry.canvas;
  const source = sourceSize(file, choice);
  return {
    ...toLook(choice, file.focalPoint),
    widths: widthsFor(width),
    maxWidth: source.width,
    ...(choice.fit === "crop" && { aspectRatio: width / height, maxHeight: source.height }),
  };
}
