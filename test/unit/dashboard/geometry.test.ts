import { describe, expect, it } from "vitest";
import {
  type Geometry,
  layOut,
  MAX_SPACER,
  positionsIn,
  rowsAround,
  rowTop,
  windowRows,
} from "../../../src/dashboard/library/grid/geometry.ts";
import { type Move, moved } from "../../../src/dashboard/library/grid/moves.ts";
import { keepingPlace, revealing, type Scroll, scrolled, showing } from "../../../src/dashboard/library/grid/scroll.ts";
import { positionsInBox } from "../../../src/dashboard/library/selection/box.ts";
import { randomBelow } from "../../support/dashboard/random-below.ts";

// The width is 922 beside the ruler.
const DESK = { width: 1014, height: 702, mode: "grid", tile: 148, isPhone: false, isRulerOver: false } as const;
const at = (total: number, more: Partial<Parameters<typeof layOut>[0]> = {}) => layOut({ ...DESK, total, ...more });

describe("Grid geometry", () => {
  it("The grid fills the width: six columns at 1280, three on a phone, one in a table", () => {
    expect(at(100_000)).toMatchObject({
      columns: 6,
      tile: 142,
      gap: 14,
      captioned: true,
      rowHeight: 196,
      rows: 16_667,
    });
    expect(at(10, { width: 390, isPhone: true })).toMatchObject({
      columns: 3,
      tile: 128,
      gap: 3,
      captioned: false,
      rows: 4,
    });
    expect(at(10, { mode: "table" })).toMatchObject({ columns: 1, rowHeight: 44, rows: 10 });
  });

  it("The grid leaves space for the ruler if the content overflows or its length is unknown", () => {
    const random = randomBelow(11);
    for (let round = 0; round < 2000; round += 1) {
      const place = { width: 300 + random(1700), height: 200 + random(1000), tile: 96 + random(160) };
      const total = random(200);
      const { hasRuler, columns, tile, gap } = at(total, place);
      const whole = at(total, { ...place, isRulerOver: true });
      expect(hasRuler).toBe(whole.contentHeight > place.height);
      expect(columns * tile + (columns - 1) * gap).toBeLessThanOrEqual(place.width - (hasRuler ? 92 : 0));
      const unknown = at(0, { ...place, total: undefined });
      if (hasRuler) expect([unknown.columns, unknown.tile]).toEqual([columns, tile]);
    }
  });

  it.each([0, 1, 96, 130, 320, 922, 5000])(
    "The grid has at least one column and no negative length at a width of %d",
    (width) => {
      for (const tile of [96, 148, 260]) {
        const { columns, tile: side, gap } = at(7, { width, tile, isRulerOver: true });
        expect(columns).toBeGreaterThanOrEqual(1);
        expect(side).toBeGreaterThan(0);
        const left = width - columns * side - (columns - 1) * gap;
        if (width > 0) expect(left).toBeLessThan(columns);
        if (width > 0) expect(left).toBeGreaterThanOrEqual(0);
      }
    },
  );

  it("The grid omits captions of tiles narrower than 130 pixels", () => {
    expect(at(10, { tile: 96 }).captioned).toBe(false);
  });

  it("The grid is never higher than twelve million pixels", () => {
    const million = at(1_000_000);
    expect(million.contentHeight).toBeGreaterThan(30_000_000);
    expect(million.spacerHeight).toBe(MAX_SPACER);
    expect(at(10_000).spacerHeight).toBe(at(10_000).contentHeight);
  });

  it("The grid builds the visible part and half a screen beyond, never more than exists", () => {
    expect(rowsAround(at(100_000), 0)).toEqual({ first: 0, end: 6 });
    expect(rowsAround(at(7), 0)).toEqual({ first: 0, end: 2 });
    expect(rowsAround(at(0), 0)).toEqual({ first: 0, end: 0 });
    const geometry = at(100_000);
    expect(rowsAround(geometry, geometry.contentHeight - geometry.height).end).toBe(geometry.rows);
    expect(positionsIn(geometry, 16 + 196 * 10)).toEqual({ start: 60, end: 84 });
  });

  it("The grid builds a constant number of rows, all visible ones among them", () => {
    const geometry = at(100_000);
    for (let top = 16 + 196 * 10; top < 16 + 196 * 12; top += 7) {
      const { first, end } = rowsAround(geometry, top);
      expect(end - first).toBe(windowRows(geometry));
      expect(first).toBe(rowsAround(geometry, 16 + 196 * Math.floor((top - 16) / 196)).first);
      const seen = positionsIn(geometry, top);
      expect(first * geometry.columns).toBeLessThanOrEqual(seen.start);
      expect(end * geometry.columns).toBeGreaterThanOrEqual(seen.end);
    }
  });
});

describe("Virtual scrolling", () => {
  const geometry = at(1_000_000);
  const lastScroll = geometry.spacerHeight - geometry.height;
  const lastContent = geometry.contentHeight - geometry.height;

  it("The scroll bar reaches both ends of content higher than an element can be", () => {
    expect(scrolled(showing(5000, geometry), 0, geometry).contentTop).toBe(0);
    expect(scrolled(showing(5000, geometry), lastScroll, geometry).contentTop).toBe(lastContent);
  });

  it("A wheel moves the content by its own distance, pixel by pixel", () => {
    let scroll = showing(20_000_000, geometry);
    const begun = scroll.contentTop;
    for (let step = 0; step < 1000; step += 1) scroll = scrolled(scroll, scroll.scrollTop + 100, geometry);
    expect(scroll.contentTop - begun).toBe(100_000);
  });

  it("Dragging the scroll bar moves the content in proportion", () => {
    expect(scrolled(showing(0, geometry), lastScroll / 2, geometry).contentTop).toBeCloseTo(lastContent / 2);
  });

  it("Scrolling never ends before the content does", () => {
    for (const near of [1, 40, 1000]) {
      const low = showing(near, geometry);
      expect(low.scrollTop).toBeGreaterThan(0);
      expect(low.contentTop).toBe(near);
      const high = showing(lastContent - near, geometry);
      expect(high.scrollTop).toBeLessThan(lastScroll);
    }
  });

  it("Content of ordinary height scrolls natively", () => {
    const small = at(1000);
    expect(scrolled({ scrollTop: 0, contentTop: 0 }, 9000, small)).toEqual({ scrollTop: 9000, contentTop: 9000 });
    expect(showing(9000, small)).toEqual({ scrollTop: 9000, contentTop: 9000 });
  });

  it("Revealing a row shows all of it, and does not move a visible row", () => {
    const seen: Scroll = showing(10_000, geometry);
    expect(revealing(seen, 52, geometry)).toBe(seen);
    const below = revealing(seen, 400_000 / 6, geometry).contentTop;
    expect(positionsIn(geometry, below).end).toBeGreaterThan(400_000);
    expect(revealing(seen, 0, geometry).contentTop).toBe(0);
    expect(revealing(seen, geometry.rows - 1, geometry).contentTop).toBeLessThanOrEqual(lastContent);
  });

  it("A change of tile size keeps the same files at the top", () => {
    const scroll = showing(16 + 196 * 1000, geometry);
    const small = at(1_000_000, { tile: 96 });
    const now = keepingPlace(scroll, geometry, small);
    expect(Math.abs(positionsIn(small, now.contentTop).start - 6000)).toBeLessThan(small.columns);
  });
});

describe("Grid keys", () => {
  const geometry = at(20);
  it.each<[Move, number, number]>([
    ["ArrowLeft", 0, 0],
    ["ArrowLeft", 6, 5],
    ["ArrowRight", 19, 19],
    ["ArrowRight", 5, 6],
    ["ArrowUp", 3, 3],
    ["ArrowUp", 9, 3],
    ["ArrowDown", 3, 9],
    ["ArrowDown", 15, 19],
    ["ArrowDown", 18, 18],
    ["Home", 9, 0],
    ["End", 9, 19],
    ["PageDown", 0, 18],
    ["PageDown", 4, 19],
    ["PageUp", 19, 1],
    ["PageUp", 3, 3],
  ])("%s leads from %d to %d", (key, from, to) => {
    expect(moved(from, key, geometry)).toBe(to);
  });

  it("Arrow keys do nothing in an empty view", () => {
    expect(moved(0, "End", at(0))).toBe(0);
  });
});

describe("Selection box", () => {
  const touched = (geometry: Geometry, box: Parameters<typeof positionsInBox>[1]) => {
    const found: number[] = [];
    for (let position = 0; position < geometry.total; position += 1) {
      const { columns, tile, gap } = geometry;
      const [left, top] = [(position % columns) * (tile + gap), rowTop(geometry, Math.floor(position / columns))];
      const right = left + geometry.tile;
      const bottom = top + geometry.rowHeight - geometry.gap;
      const [x1, x2] = [Math.min(box.fromX, box.toX), Math.max(box.fromX, box.toX)];
      const [y1, y2] = [Math.min(box.fromY, box.toY), Math.max(box.fromY, box.toY)];
      if (left <= x2 && right >= x1 && top <= y2 && bottom >= y1) found.push(position);
    }
    return found;
  };

  it("A selection box selects the tiles that it touches, in any direction of drawing", () => {
    const random = randomBelow(7);
    for (let run = 0; run < 500; run += 1) {
      const geometry = at(1 + random(80), { tile: 96 + random(160), width: 300 + random(900) });
      const x = () => random(geometry.tile * geometry.columns + 200) - 100;
      const y = () => random(geometry.contentHeight + 200) - 100;
      const box = { fromX: x(), fromY: y(), toX: x(), toY: y() };
      const positions = positionsInBox(geometry, box).flatMap(({ start, end }) =>
        Array.from({ length: Math.max(0, end - start) }, (_, index) => start + index),
      );
      expect(positions).toEqual(touched(geometry, box));
    }
  });
});
