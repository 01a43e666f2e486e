import { describe, expect, it } from "vitest";
import { type Copied, hasSizes, toCopied, toCopiedLines } from "../../../../src/dashboard/file/copy-formats.ts";

const photo = (more: Partial<Copied> = {}): Copied => ({
  url: "https://cdn.example/uploads/a/IMG_1.jpg",
  name: "IMG_1.jpg",
  mimeType: "image/jpeg",
  size: { width: 4092, height: 3072 },
  ...more,
});
const film = (more: Partial<Copied> = {}) =>
  photo({
    url: "https://cdn.example/uploads/a/film.mp4",
    name: "film.mp4",
    mimeType: "video/mp4",
    size: { width: 0, height: 0 },
    ...more,
  });

describe("Copied links", () => {
  it.each([
    ["url", "https://cdn.example/uploads/a/IMG_1.jpg"],
    ["markdown", "![IMG_1.jpg](https://cdn.example/uploads/a/IMG_1.jpg)"],
    ["html", '<img src="https://cdn.example/uploads/a/IMG_1.jpg" alt="IMG_1.jpg" width="4092" height="3072">'],
    ["bbcode", "[img]https://cdn.example/uploads/a/IMG_1.jpg[/img]"],
    [
      "srcset",
      '<img src="https://cdn.example/uploads/a/IMG_1.jpg" srcset="' +
        [320, 480, 640, 960, 1280, 1668, 1920, 2560]
          .map((width) => `https://cdn.example/uploads/a/IMG_1.jpg?w=${width}&#38;auto=format ${width}w`)
          .join(", ") +
        '" sizes="100vw" alt="IMG_1.jpg" width="4092" height="3072">',
    ],
  ] as const)("A link copied as %s shows an image", (format, text) => {
    expect(toCopied(photo(), format)).toBe(text);
  });

  it("An alt text takes the place of the name where a page shows the picture", () => {
    const described = photo({ alt: 'Snow on "Alps" *' });
    expect(toCopied(described, "html")).toContain('alt="Snow on &#34;Alps&#34; *"');
    expect(toCopied(described, "markdown")).toContain('![Snow on "Alps" \\*]');
  });

  it.each([
    ["url", "https://cdn.example/uploads/a/film.mp4"],
    ["markdown", "[film.mp4](https://cdn.example/uploads/a/film.mp4)"],
    ["html", '<video src="https://cdn.example/uploads/a/film.mp4" controls preload="metadata"></video>'],
    ["bbcode", "[url=https://cdn.example/uploads/a/film.mp4]film.mp4[/url]"],
  ] as const)("A link copied as %s shows a video", (format, text) => {
    expect(toCopied(film(), format)).toBe(text);
  });

  it("A small image is copied with the sizes up to its own", () => {
    const small = photo({ url: "U", name: "a", size: { width: 500, height: 700 } });
    expect(toCopied(small, "srcset")).toBe(
      '<img src="U" srcset="U?w=320&#38;auto=format 320w, U?w=480&#38;auto=format 480w" sizes="100vw" alt="a" width="500" height="700">',
    );
  });

  it.each([
    ["a video", film()],
    ["an image that may be an animation", photo({ mimeType: "image/gif" })],
    ["an image whose size is not known", photo({ size: { width: 0, height: 0 } })],
  ])("The link of %s has no sizes", (_, file) => {
    expect(hasSizes(file)).toBe(false);
    expect(toCopied(file, "srcset")).toBe(toCopied(file, "html"));
  });

  it("A link shows a video by its thumbnail if it has one", () => {
    const shown = film({ thumbnailUrl: "https://cdn.example/t.jpg" });
    expect(toCopied(shown, "markdown")).toBe(
      "[![film.mp4](https://cdn.example/t.jpg)](https://cdn.example/uploads/a/film.mp4)",
    );
    expect(toCopied(shown, "html")).toContain('poster="https://cdn.example/t.jpg"');
  });

  it.each([
    ["markdown", "a](javascript:x)![b.png", "![a\\](javascript:x)!\\[b.png](U)"],
    ["markdown", "_a_b_*c*`d`<i>&amp;.png", "![\\_a_b\\_\\*c\\*\\`d\\`\\<i\\>\\&amp;.png](U)"],
    ["markdown", "a\\", "![a\\\\](U)"],
    ["markdown", "a\n\n# b\u2028c.png", "![a # b c.png](U)"],
    [
      "html",
      `"><script>alert('x')</script>.png`,
      '<img src="U" alt="&#34;&#62;&#60;script&#62;alert(&#39;x&#39;)&#60;/script&#62;.png">',
    ],
    ["html", "a&quot;.png", '<img src="U" alt="a&#38;quot;.png">'],
  ] as const)("A link copied as %s is not broken by the name %j", (format, name, text) => {
    expect(toCopied(photo({ name, url: "U", size: { width: 0, height: 0 } }), format)).toBe(text);
  });

  it.each([
    ["markdown", "https://h/a(1)_*.png", "![a](https://h/a%281%29_*.png)"],
    ["markdown", "https://h/a b<c>.png", "![a](https://h/a%20b%3Cc%3E.png)"],
    ["html", 'https://h/a"b&c.png', '<img src="https://h/a&#34;b&#38;c.png" alt="a">'],
    ["bbcode", "https://h/a[/img][b].png", "[img]https://h/a%5B/img%5D%5Bb%5D.png[/img]"],
  ] as const)("A link copied as %s is not broken by the address %j", (format, url, text) => {
    expect(toCopied(photo({ url, name: "a", size: { width: 0, height: 0 } }), format)).toBe(text);
  });

  it("A link copied as BBCode contains no tags from a video's name", () => {
    expect(toCopied(film({ name: "[/url][b].mp4", url: "U" }), "bbcode")).toBe("[url=U]［/url］［b］.mp4[/url]");
  });

  it("Links of several files are copied one a line", () => {
    expect(toCopiedLines([photo({ url: "U" }), photo({ url: "V" })], "url")).toBe("U\nV");
  });
});
