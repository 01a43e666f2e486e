import { describe, expect, it } from "vitest";
import { applyChange, type LoadedView } from "../../../src/dashboard/library/changes/apply-change.ts";
import { type Item, type Patch, patched, staysIn } from "../../../src/dashboard/library/changes/patch.ts";
import { toUndo } from "../../../src/dashboard/library/changes/undo.ts";
import { UndoStack } from "../../../src/dashboard/library/changes/undo-stack.ts";
import { type Filters, NO_FILTERS } from "../../../src/dashboard/library/view/filters.ts";
import { randomBelow } from "../../support/dashboard/random-below.ts";

const PAGE = 10;
const TAGS = ["press", "wip", "hero"];

function item(id: number, more: Partial<Item> = {}): Item {
  return {
    _id: `i${id}`,
    favorite: false,
    folderId: null,
    tags: [],
    status: "active",
    visibility: "public",
    ...more,
  } as Item;
}

const listed = (items: readonly Item[], filters: Filters) => items.filter((one) => staysIn(one, filters));

function load(items: readonly Item[], numbers: readonly number[]): LoadedView {
  const pages = numbers.map((number) => [number, items.slice(number * PAGE, (number + 1) * PAGE)] as const);
  return { total: items.length, pages: new Map(pages.filter(([, page]) => page.length > 0)) };
}

describe("Optimistic changes", () => {
  it("A change patches files that stay in the view", () => {
    const items = [item(0), item(1), item(2)];
    const { view, removed } = applyChange(
      load(items, [0]),
      NO_FILTERS,
      { ids: new Set(["i1"]), patch: { favorite: true, addTags: ["press"] } },
      PAGE,
    );
    expect(removed).toEqual([]);
    expect(view.pages.get(0)).toEqual([items[0], { ...items[1], favorite: true, tags: ["press"] }, items[2]]);
  });

  it("A change removes files that leave; later files move up and the end becomes unknown", () => {
    const items = Array.from({ length: 35 }, (_, id) => item(id));
    const change = { ids: new Set(["i3", "i12"]), patch: { status: "trash" } } as const;
    const { view, removed } = applyChange(load(items, [0, 1]), NO_FILTERS, change, PAGE);
    expect(removed).toEqual([3, 12]);
    expect(view.total).toBe(33);
    expect(view.pages.get(0)?.map((one) => one?._id)).toEqual("i0 i1 i2 i4 i5 i6 i7 i8 i9 i10".split(" "));
    expect(view.pages.get(1)?.map((one) => one?._id)).toEqual(
      "i11 i13 i14 i15 i16 i17 i18 i19".split(" ").concat(Array(2).fill(undefined)),
    );
  });

  it("A change shows the same as a new request would, for random libraries, filters and changes", () => {
    for (let seed = 1; seed <= 600; seed += 1) {
      const random = randomBelow(seed);
      const some = () => TAGS.filter(() => random(3) === 0);
      const library = Array.from({ length: random(90) }, (_, id) =>
        item(id, {
          favorite: random(2) === 0,
          folderId: [null, "a", "b"][random(3)] ?? null,
          tags: some(),
          status: random(4) === 0 ? "trash" : "active",
          visibility: random(3) === 0 ? "private" : "public",
        }),
      );
      const filters: Filters = {
        ...NO_FILTERS,
        status: random(4) === 0 ? "trash" : "active",
        folder: ["all", "all", "root", "a"][random(4)] ?? "all",
        fav: random(4) === 0,
        visibility: random(4) === 0 ? "private" : undefined,
        tags: random(3) === 0 ? ["press"] : [],
        not: random(3) === 0 ? ["wip"] : [],
      };
      const patches: Patch[] = [
        { favorite: random(2) === 0 },
        { folderId: [null, "a", "b"][random(3)] ?? null },
        { addTags: some(), removeTags: some() },
        { status: (["active", "trash", "deleted"] as const)[random(3)] },
        { folderId: "a", addTags: ["press"], favorite: false },
        { visibility: random(2) === 0 ? "private" : "public" },
      ];
      const patch = patches[random(patches.length)] ?? {};
      const before = listed(library, filters);
      const numbers = Array.from({ length: 9 }, (_, number) => number).filter(() => random(3) > 0);
      const view = load(before, numbers);
      const isBlind = random(3) === 0;
      const known = new Set([...view.pages.values()].flat().map((one) => one?._id));
      const ids = new Set(
        before.filter(({ _id }) => random(4) === 0 && (isBlind || known.has(_id))).map(({ _id }) => _id),
      );
      const now = applyChange(view, filters, { ids, patch }, PAGE);
      const after = listed(
        library.flatMap((one) => (ids.has(one._id) ? (patched(one, patch) ?? []) : one)),
        filters,
      );
      if (!isBlind) expect(now.view.total).toBe(after.length);
      for (const [number, page] of now.view.pages) {
        for (const [at, shown] of page.entries()) {
          if (shown !== undefined) expect(shown).toEqual(after[number * PAGE + at]);
        }
        expect(page).toHaveLength(Math.min(PAGE, now.view.total - number * PAGE));
      }
      // The part from the top without gaps stays known, except as many files at its end as were removed.
      let whole = 0;
      while (view.pages.has(whole)) whole += 1;
      const sure = Math.min(
        after.length,
        whole * PAGE - now.removed.filter((position) => position < whole * PAGE).length,
      );
      for (let position = 0; position < sure; position += 1) {
        expect(now.view.pages.get(Math.floor(position / PAGE))?.[position % PAGE]).toEqual(after[position]);
      }
    }
  });
});

describe("Undo", () => {
  it("Undo restores every file, for random files and changes", () => {
    for (let seed = 1; seed <= 300; seed += 1) {
      const random = randomBelow(seed);
      const some = () => TAGS.filter(() => random(2) === 0);
      const items = Array.from({ length: random(40) }, (_, id) =>
        item(id, { favorite: random(2) === 0, folderId: [null, "a"][random(2)] ?? null, tags: some() }),
      );
      const add = some();
      const patch: Patch = {
        ...(random(2) === 0 && { favorite: random(2) === 0 }),
        ...(random(2) === 0 && { folderId: "b" }),
        ...(random(2) === 0 && {
          addTags: add,
          removeTags: TAGS.filter((tag) => !add.includes(tag) && random(2) === 0),
        }),
        ...(random(2) === 0 && { status: "trash" as const }),
      };
      const groups = toUndo(items, patch);
      const back = items.map((one) => {
        const changed = patched(one, patch) as Item;
        const group = groups.find(({ ids }) => ids.includes(one._id));
        return group === undefined ? changed : (patched(changed, group.patch) as Item);
      });
      const sorted = (all: readonly Item[]) => all.map((one) => ({ ...one, tags: [...one.tags].sort() }));
      expect(sorted(back)).toEqual(sorted(items));
    }
  });

  it("Undo groups all files that were the same before", () => {
    const items = [item(1, { folderId: "a" }), item(2), item(3, { folderId: "a" }), item(4, { folderId: "b" })];
    expect(toUndo(items, { folderId: "b" })).toEqual([
      { ids: ["i1", "i3"], patch: { folderId: "a" } },
      { ids: ["i2"], patch: { folderId: null } },
    ]);
  });

  it("Undo goes back twenty steps, each once, the last first", () => {
    const stack = new UndoStack();
    const steps = Array.from({ length: 25 }, (_, at) => ({ title: `step ${at}`, run: () => undefined }));
    for (const step of steps) stack.push(step);
    expect(stack.size).toBe(20);
    expect(stack.take(steps[22])).toBe(steps[22]);
    expect(stack.take(steps[22])).toBeUndefined();
    expect(stack.take()?.title).toBe("step 24");
    expect(stack.take(steps[0])).toBeUndefined();
  });
});
