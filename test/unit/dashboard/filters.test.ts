import { describe, expect, it } from "vitest";
import {
  type Filters,
  isNarrowed,
  NO_FILTERS,
  parseFilters,
  toImageQuery,
  writeFilters,
} from "../../../src/dashboard/library/view/filters.ts";
import {
  parseView,
  readUsualView,
  withView,
  writeUsualView,
} from "../../../src/dashboard/library/view/view-options.ts";

describe("Filters in the URL", () => {
  it.each<[string, Partial<Filters>]>([
    ["", {}],
    ["?folder=root", { folder: "root" }],
    ["?folder=01arz3ndektsv4rrffq69g5fav", { folder: "01arz3ndektsv4rrffq69g5fav" }],
    ["?q=harbour", { q: "harbour" }],
    ["?type=jpeg", { types: ["jpeg"] }],
    ["?type=png%2Cmp4", { types: ["png", "mp4"] }],
    ["?camera=EOS+R5&orientation=portrait", { camera: "EOS R5", orientation: "portrait" }],
    ["?expires=week&alt=without", { expiry: "week", alt: "without" }],
    ["?from=2026-02-28&to=2026-03-01", { from: "2026-02-28", to: "2026-03-01" }],
    ["?takenFrom=2024-01-01&takenTo=2024-12-31", { takenFrom: "2024-01-01", takenTo: "2024-12-31" }],
    ["?min=10485760&max=20000000", { min: 10_485_760, max: 20_000_000 }],
    ["?fav=1", { fav: true }],
    ["?visibility=private", { visibility: "private" }],
    ["?tags=press%2Chero&not=wip", { tags: ["press", "hero"], not: ["wip"] }],
  ])("The filters of %s are the same after reading and writing", (search, filters) => {
    expect(parseFilters(search)).toEqual({ ...NO_FILTERS, ...filters });
    expect(writeFilters(parseFilters(search))).toBe(search);
  });

  it.each([
    "?folder=all",
    "?folder=../etc",
    "?q=%20",
    "?type=exe",
    "?type=toString",
    "?orientation=round",
    "?expires=soon",
    "?alt=1",
    "?camera=%20",
    "?from=2026-02-30",
    "?from=yesterday",
    "?min=-1",
    "?min=1e3",
    "?max=99999999999999999999",
    "?fav=yes",
    "?visibility=secret",
    "?tags=,%20,",
    "?page=7&utm_source=mail",
  ])("No filter is read from %s", (search) => {
    expect(parseFilters(search)).toEqual(NO_FILTERS);
  });

  it("Filters are written in a fixed order", () => {
    expect(writeFilters(parseFilters("?not=wip&fav=1&q=a&folder=root"))).toBe("?folder=root&q=a&fav=1&not=wip");
  });

  it("Filters drop an end date before the start date, and a tag that is both required and excluded", () => {
    expect(parseFilters("?from=2026-05-01&to=2026-04-01&min=9&max=3&tags=a&not=a,b")).toEqual({
      ...NO_FILTERS,
      from: "2026-05-01",
      min: 9,
      tags: ["a"],
      not: ["b"],
    });
  });

  it("A search is cut to the service's longest, never inside a character", () => {
    expect(Array.from(parseFilters(`?q=${encodeURIComponent("😀".repeat(300))}`).q)).toHaveLength(200);
  });

  it("Filters without a folder request every folder from the service", () => {
    expect(toImageQuery(parseFilters("?type=mov&fav=1", "trash"))).toEqual({
      status: "trash",
      folderId: "all",
      mimePrefix: "video/quicktime",
      favorite: true,
    });
  });

  it("Several types and facts are parameters of the service", () => {
    expect(toImageQuery(parseFilters("?type=png,video&camera=R5&expires=never&alt=without"))).toMatchObject({
      mimePrefix: "video/,image/png",
      camera: "R5",
      expires: false,
      hasAlt: false,
    });
    const day = 86_400_000;
    const { expires, expiresTo } = toImageQuery(parseFilters("?expires=week"));
    expect(expires).toBeUndefined();
    expect(Math.abs(Date.parse(String(expiresTo)) - Date.now() - 7 * day)).toBeLessThanOrEqual(day);
  });

  it("A view of a folder is a place; with another filter it is a narrowed view", () => {
    expect(isNarrowed(parseFilters("?folder=root"))).toBe(false);
    expect(isNarrowed(parseFilters("?folder=root&q=a"))).toBe(true);
  });
});

describe("View options", () => {
  it("The view is read from the URL, the rest from the browser's default", () => {
    const usual = readUsualView(writeUsualView({ mode: "table", tile: 200 }));
    expect(parseView("?view=grid", usual)).toEqual({ mode: "grid", tile: 200 });
    expect(parseView("?tile=9999", usual)).toEqual({ mode: "table", tile: 260 });
    expect(parseView("?view=rows&tile=-3", usual)).toEqual(usual);
    expect(readUsualView(null)).toEqual({ mode: "grid", tile: 148 });
  });

  it("The view is written after the filters, without default values", () => {
    expect(withView("?q=a", { mode: "table", tile: 148 })).toBe("?q=a&view=table");
    expect(withView("?view=table&tile=96", { mode: "grid", tile: 148 })).toBe("");
  });
});
