import { describe, expect, it } from "vitest";
import type { Folder } from "../../../src/client/index.ts";
import {
  allNodes,
  deletionOf,
  pathTo,
  toTree,
  visibleNodes,
  whyNotInto,
} from "../../../src/dashboard/library/folders/folder-nodes.ts";
import { nodesOf } from "../../../src/dashboard/library/folders/nodes-of.ts";
import { type Filters, NO_FILTERS } from "../../../src/dashboard/library/view/filters.ts";

const folder = (_id: string, parentId: string | null, name = _id, itemCount = 0) =>
  ({ _id, parentId, name, itemCount }) as Folder;

const FOLDERS = [
  folder("travel", null, "Travel", 5),
  folder("ice", "travel", "Iceland 10", 3),
  folder("ice2", "travel", "Iceland 2", 2),
  folder("coast", "ice", "Coast", 7),
  folder("clients", null, "clients", 1),
];
const named = (nodes: ReturnType<typeof toTree>) => nodes.map(({ folder: { name }, depth }) => `${depth} ${name}`);

describe("Folders of a view", () => {
  const shown = (filters: Partial<Filters>) => named(nodesOf(FOLDERS, { ...NO_FILTERS, ...filters }));

  it("A view without filters shows the folders in its folder", () => {
    expect(shown({ folder: "travel" })).toEqual(["2 Iceland 2", "2 Iceland 10"]);
    expect(shown({ folder: "root" })).toEqual(["1 clients", "1 Travel"]);
    expect([shown({}), shown({ folder: "coast" }), shown({ folder: "gone" })]).toEqual([[], [], []]);
  });

  it("A search shows folders with every word, in any order, at any depth below its folder", () => {
    expect(shown({ q: "ICÉ" })).toEqual(["2 Iceland 2", "2 Iceland 10"]);
    expect(shown({ q: "10 land" })).toEqual(["2 Iceland 10"]);
    expect(shown({ q: "10 coast" })).toEqual([]);
    expect(shown({ q: "c" })).toEqual(["1 clients", "3 Coast", "2 Iceland 2", "2 Iceland 10"]);
    expect(shown({ q: "c", folder: "ice" })).toEqual(["3 Coast"]);
  });

  it("A view with another filter shows no folders", () => {
    expect(shown({ q: "c", fav: true })).toEqual([]);
    expect(shown({ folder: "travel", types: ["image"] })).toEqual([]);
    expect(shown({ q: "c", status: "trash" })).toEqual([]);
  });
});

describe("Folder tree", () => {
  it("The folder tree is sorted by name, numbers by value, ignoring case", () => {
    expect(named(allNodes(toTree(FOLDERS)))).toEqual([
      "1 clients",
      "1 Travel",
      "2 Iceland 2",
      "2 Iceland 10",
      "3 Coast",
    ]);
  });

  it("The folder tree shows the content of open folders", () => {
    expect(named(visibleNodes(toTree(FOLDERS), (id) => id === "travel"))).toEqual([
      "1 clients",
      "1 Travel",
      "2 Iceland 2",
      "2 Iceland 10",
    ]);
  });

  it("The folder tree puts a folder with a missing parent in Root, and survives a cycle", () => {
    expect(named(toTree([folder("a", "gone")]))).toEqual(["1 a"]);
    expect(toTree([folder("a", "b"), folder("b", "a")])).toEqual([]);
    expect(pathTo([folder("a", "b"), folder("b", "a")], "a")).toHaveLength(20);
  });

  it("The folder tree knows the path to a folder and the effect of its deletion", () => {
    expect(pathTo(FOLDERS, "coast").map(({ _id }) => _id)).toEqual(["travel", "ice", "coast"]);
    expect(pathTo(FOLDERS, null)).toEqual([]);
    expect(deletionOf(FOLDERS, "travel")).toEqual({ folders: 4, files: 17 });
  });

  it.each([
    ["travel", "coast", "A folder cannot be moved into itself"],
    ["travel", "travel", "A folder cannot be moved into itself"],
    ["ice", "travel", "The folder is already there"],
    ["ice", "clients", undefined],
    ["ice", null, undefined],
  ])("Moving %s into %s: %s", (id, parent, why) => {
    expect(whyNotInto(FOLDERS, id, parent)).toBe(why);
  });

  it("The folder tree refuses a name that exists already and too great a depth", () => {
    expect(whyNotInto([...FOLDERS, folder("other", "clients", "Coast")], "coast", "clients")).toMatch("with this name");
    const chain = Array.from({ length: 19 }, (_, at) => folder(`c${at}`, at === 0 ? null : `c${at - 1}`));
    expect(whyNotInto([...chain, ...FOLDERS], "coast", "c18")).toBeUndefined();
    expect(whyNotInto([...chain, ...FOLDERS], "ice", "c18")).toMatch("20 deep");
  });
});
