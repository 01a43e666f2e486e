import { generate as unpic } from "unpic/providers/imgix";
import { describe, expect, it } from "vitest";
import type { FileFacts } from "../../../../src/dashboard/file/file-facts.ts";
import {
  type Choice,
  firstChoice,
  plan,
  queryOf,
  toSizing,
  widthsFor,
} from "../../../../src/dashboard/file/sizes/choice.ts";
import { outputsOf, signingCode } from "../../../../src/dashboard/file/sizes/variant-code.ts";

const URL_OF_FILE = "https://cdn.example.com/uploads/u/1-a.jpg";

const photo = {
  url: URL_OF_FILE,
  thumbnailUrl: null,
  prompt: '<b>"Sunset" & [sea].jpg',
  alt: null,
  mimeType: "image/jpeg",
  visibility: "public",
  size: { width: 2400, height: 1600 },
  focalPoint: { x: 0.2, y: 0.3 },
} as FileFacts;
const clip = {
  ...photo,
  mimeType: "video/mp4",
  thumbnailUrl: `${URL_OF_FILE}.thumb`,
  size: { width: 3840, height: 2160 },
} as FileFacts;

const PRESETS = [{ name: "card", parameters: "w=300&h=301&fit=crop" }];
const SQUARE: Choice = { width: 640, height: 640, fit: "crop", format: "auto", quality: 75 };

function codesOf(file: FileFacts, choice: Choice, url = file.url): Readonly<Record<string, string>> {
  const planned = plan(file, choice, { presets: PRESETS, isSigned: false });
  if (planned === undefined) return {};
  const outputs = outputsOf({ file, url, thumbnailUrl: file.thumbnailUrl, choice, planned });
  return Object.fromEntries(outputs.map(({ id, code }) => [id, code]));
}

describe("the chosen size", () => {
  it.each([
    [2400, 1280],
    [1000, 960],
    [200, 200],
  ])("A picture %i pixels wide is first offered at %i pixels", (width, offered) => {
    expect(firstChoice({ size: { width, height: 100 } }).width).toBe(offered);
  });

  it("A crop needs a width and a height, and has the file's focal point", () => {
    expect(toSizing({ ...SQUARE, height: undefined }, null)).toBeUndefined();
    expect(queryOf(toSizing(SQUARE, photo.focalPoint) ?? {})).toBe(
      "w=640&h=640&fit=crop&auto=format&crop=focalpoint&fp-x=0.2&fp-y=0.3",
    );
    expect(queryOf(toSizing({ ...SQUARE, fit: "clip", height: undefined }, photo.focalPoint) ?? {})).toBe(
      "w=640&auto=format",
    );
  });

  it("The part that a crop keeps is around the focal point, and within the picture", () => {
    expect(plan(photo, SQUARE, { presets: [], isSigned: false })?.geometry).toMatchObject({
      part: { left: 0, top: 0, width: 1600, height: 1600 },
      canvas: { width: 640, height: 640 },
    });
  });

  it("A size is rounded up as the service does, unless it is signed", () => {
    const choice: Choice = { ...SQUARE, fit: "clip", width: 500, height: undefined };
    const widthOf = (isSigned: boolean) => plan(photo, choice, { presets: [], isSigned })?.geometry.canvas.width;
    expect([false, true].map(widthOf)).toEqual([512, 500]);
  });

  it("A preset has its exact size, and an unknown preset has none", () => {
    const choice = { ...SQUARE, preset: "card" };
    expect(plan(photo, choice, { presets: [], isSigned: false })).toBeUndefined();
    const { canvas } = plan(photo, choice, { presets: PRESETS, isSigned: false })?.geometry ?? {};
    expect(canvas).toMatchObject({ width: 300, height: 301 });
  });

  it("A video's thumbnail is at most 640 pixels wide, and its frames 1,920", () => {
    const wide: Choice = { width: 1920, fit: "clip", format: "jpg", quality: 75 };
    const sizeOf = (choice: Choice) => plan(clip, choice, { presets: [], isSigned: false })?.geometry.canvas;
    expect(sizeOf(wide)).toMatchObject({ width: 640, height: 360 });
    expect(sizeOf({ ...wide, frame: 1.5 })).toMatchObject({ width: 1920, height: 1080 });
  });

  it("The widths of a `srcset` go up to twice the chosen one", () => {
    expect(widthsFor(640)).toEqual([320, 640, 960, 1280]);
    expect(widthsFor(100)).toEqual([100, 200]);
    expect(widthsFor(3000)).toEqual([320, 640, 960, 1280, 1920, 2560, 3000, 3840]);
  });
});

describe("the code", () => {
  it("The name of a file without alt text is escaped in HTML and Markdown", () => {
    const codes = codesOf(photo, SQUARE);
    expect(codes.img).toContain('alt="&#60;b&#62;&#34;Sunset&#34; &#38; [sea].jpg"');
    expect(codes.markdown).toMatch(/^!\[\\<b\\>"Sunset" \\& \\\[sea\\\]\.jpg\]\(https:/);
    expect(codes.unpic).toContain('alt={"<b>\\"Sunset\\" & [sea].jpg"}');
  });

  it("Each size of a cropped `srcset` has the shape and the focal point", () => {
    const set = /srcset="([^"]*)"/.exec(codesOf(photo, SQUARE).img ?? "")?.[1] ?? "";
    const candidates = set.replaceAll("&#38;", "&").split(", ");
    expect(candidates.map((each) => each.split(" ")[1])).toEqual(["320w", "640w", "960w", "1280w"]);
    for (const candidate of candidates) {
      const { searchParams } = new URL(candidate.split(" ")[0] ?? "");
      expect(searchParams.get("h")).toBe(searchParams.get("w"));
      expect(searchParams.get("fp-x")).toBe("0.2");
    }
  });

  it("unpic's URLs have the focal point, quality and format", () => {
    const code = codesOf(photo, { ...SQUARE, quality: 60, format: "webp" }).unpic ?? "";
    const operations: object = JSON.parse(/operations=\{\{ imgix: (.*) \}\}/.exec(code)?.[1] ?? "");
    const { searchParams } = new URL(unpic(photo.url, { width: 320, height: 320, ...operations }));
    const wanted = { w: "320", h: "320", crop: "focalpoint", "fp-x": "0.2", "fp-y": "0.3", q: "60", fm: "webp" };
    expect(Object.fromEntries(searchParams)).toMatchObject(wanted);
  });

  it("A private file's signature is in every URL", () => {
    const signed = `${URL_OF_FILE}?exp=1&sig=k.m`;
    const codes = codesOf({ ...photo, visibility: "private" }, SQUARE, signed);
    expect(Object.keys(codes)).toEqual(["url", "img", "picture", "markdown"]);
    for (const text of Object.values(codes)) {
      expect(text.match(/sig=k\.m/g)?.length).toBe(text.match(/uploads/g)?.length);
    }
  });

  it("A preset's code has neither `<picture>` nor unpic, which would add parameters", () => {
    const codes = codesOf(photo, { ...SQUARE, preset: "card" });
    expect(Object.keys(codes)).toEqual(["url", "img", "markdown"]);
    expect(codes.img).toContain("?dpr=2&#38;p=card 2x");
  });

  it("A video's poster is its thumbnail, or a frame of the video", () => {
    const choice: Choice = { width: 320, fit: "clip", format: "jpg", quality: 60 };
    expect(codesOf(clip, choice).url).toBe(`${URL_OF_FILE}.thumb?w=320&q=60&fm=jpg`);
    const { url, video } = codesOf(clip, { ...choice, frame: 1.5 });
    expect(url).toBe(`${URL_OF_FILE}?w=320&q=60&fm=jpg&frame=1.5`);
    expect(video).toContain(
      `<video src="${URL_OF_FILE}" poster="${URL_OF_FILE}?w=320&#38;q=60&#38;fm=jpg&#38;frame=1.5"`,
    );
  });

  it("The server's code names the options of the client's `src`", () => {
    const planned = plan(photo, SQUARE, { presets: [], isSigned: true });
    expect(planned && signingCode({ file: photo, planned })).toContain(
      `src("${URL_OF_FILE}", { width: 640, height: 640, fit: "crop", focalPoint: {"x":0.2,"y":0.3}, auto: "format" })`,
    );
  });
});
