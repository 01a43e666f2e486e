import { describe, expect, it } from "vitest";
import {
  afterRemoval,
  boxed,
  countSelected,
  everything,
  extended,
  isSelected,
  NOTHING,
  type Selection,
  toggled,
  within,
} from "../../../src/dashboard/library/selection/selection.ts";
import { randomBelow } from "../../support/dashboard/random-below.ts";

const listed = ({ intervals }: Selection) =>
  intervals.flatMap(({ start, end }) => Array.from({ length: end - start }, (_, at) => start + at));

describe("Selection", () => {
  it("A selection of a hundred thousand files is two numbers", () => {
    const all = everything(100_000);
    expect(all.intervals).toEqual([{ start: 0, end: 100_000 }]);
    expect(countSelected(all)).toBe(100_000);
  });

  it("A selection of all can drop one file and add it again", () => {
    const without = toggled(everything(10), 4);
    expect(without.intervals).toEqual([
      { start: 0, end: 4 },
      { start: 5, end: 10 },
    ]);
    expect(toggled(without, 4).intervals).toEqual([{ start: 0, end: 10 }]);
  });

  it("A range from the anchor replaces the last range, on top of the earlier selection", () => {
    const begun = toggled(toggled(NOTHING, 2), 10);
    expect(listed(extended(begun, 13))).toEqual([2, 10, 11, 12, 13]);
    expect(listed(extended(extended(begun, 13), 11))).toEqual([2, 10, 11]);
    expect(listed(extended(extended(begun, 13), 8))).toEqual([2, 8, 9, 10]);
  });

  it("A selection moves up when files before it leave the view", () => {
    const selection = extended(toggled(NOTHING, 3), 6);
    expect(listed(afterRemoval(selection, [0, 1, 4]))).toEqual([1, 2, 3]);
    expect(afterRemoval(selection, [0, 1, 4]).anchor).toBe(1);
    expect(listed(afterRemoval(selection, [3, 4, 5, 6]))).toEqual([]);
  });

  it("A selection is cut at the end of the view", () => {
    expect(listed(within(everything(10), 3))).toEqual([0, 1, 2]);
  });

  it("A selection equals a set of positions, through random steps", () => {
    for (let seed = 1; seed <= 100; seed += 1) {
      const random = randomBelow(seed);
      let total = 60;
      let selection = NOTHING;
      let set = new Set<number>();
      let base = new Set<number>();
      let anchor = 0;
      const steps = [
        () => {
          const position = random(total);
          selection = toggled(selection, position);
          if (!set.delete(position)) set.add(position);
          base = new Set(set);
          anchor = position;
        },
        () => {
          const position = random(total);
          selection = extended(selection, position);
          set = new Set(base);
          for (let at = Math.min(anchor, position); at <= Math.max(anchor, position); at += 1) set.add(at);
        },
        () => {
          const start = random(total);
          const end = Math.min(total, start + random(9));
          selection = boxed(selection, [{ start, end }]);
          for (let at = start; at < end; at += 1) set.add(at);
          base = new Set(set);
          anchor = start;
        },
        () => {
          const removed = Array.from({ length: total }, (_, at) => at).filter(() => random(12) === 0);
          if (total - removed.length < 10) return;
          const move = (positions: Set<number>) =>
            new Set(
              [...positions]
                .filter((at) => !removed.includes(at))
                .map((at) => at - removed.filter((r) => r < at).length),
            );
          selection = afterRemoval(selection, removed);
          set = move(set);
          base = move(base);
          anchor -= removed.filter((at) => at < anchor).length;
          total -= removed.length;
          anchor = Math.min(anchor, total - 1);
          selection = { ...selection, anchor };
        },
      ];
      for (let step = 0; step < 40; step += 1) {
        steps[random(steps.length)]?.();
        expect(listed(selection)).toEqual([...set].sort((one, other) => one - other));
        expect(countSelected(selection)).toBe(set.size);
        const positions = Array.from({ length: total }, (_, at) => at);
        expect(positions.filter((at) => isSelected(selection, at))).toEqual(positions.filter((at) => set.has(at)));
        for (const [at, { start, end }] of selection.intervals.entries()) {
          expect(start).toBeLessThan(end);
          expect(start).toBeGreaterThan(selection.intervals[at - 1]?.end ?? -1);
        }
      }
    }
  });
});
