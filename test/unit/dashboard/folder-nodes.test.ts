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

describe("the tree of folders", () => {
  it("is by name, numbers by their value, whatever the case", () => {
    expect(named(allNodes(toTree(FOLDERS)))).toEqual([
      "1 clients",
      "1 Travel",
      "2 Iceland 2",
      "2 Iceland 10",
      "3 Coast",
    ]);
  });

  it("shows what is in open folders", () => {
    expect(named(visibleNodes(toTree(FOLDERS), (id) => id === "travel"))).toEqual([
      "1 clients",
      "1 Travel",
      "2 Iceland 2",
      "2 Iceland 10",
    ]);
  });

  it("puts a folder in Root whose parent is not there, and survives a ring", () => {
    expect(named(toTree([folder("a", "gone")]))).toEqual(["1 a"]);
    expect(toTree([folder("a", "b"), folder("b", "a")])).toEqual([]);
    expect(pathTo([folder("a", "b"), folder("b", "a")], "a")).toHaveLength(20);
  });

  it("knows the way to a folder, and what its deletion takes", () => {
    expect(pathTo(FOLDERS, "coast").map(({ _id }) => _id)).toEqual(["travel", "ice", "coast"]);
    expect(pathTo(FOLDERS, null)).toEqual([]);
    expect(deletionOf(FOLDERS, "travel")).toEqual({ folders: 4, files: 17 });
  });

  it.each([
    ["travel", "coast", "A folder cannot be moved into itself"],
    ["travel", "travel", "A folder cannot be moved into itself"],
    ["ice", "travel", "It is there already"],
    ["ice", "clients", undefined],
    ["ice", null, undefined],
  ])("moves %s into %s: %s", (id, parent, why) => {
    expect(whyNotInto(FOLDERS, id, parent)).toBe(why);
  });

  it("refuses a name that is there already, and what would be too deep", () => {
    expect(whyNotInto([...FOLDERS, folder("other", "clients", "Coast")], "coast", "clients")).toMatch("of this name");
    const chain = Array.from({ length: 19 }, (_, at) => folder(`c${at}`, at === 0 ? null : `c${at - 1}`));
    expect(whyNotInto([...chain, ...FOLDERS], "coast", "c18")).toBeUndefined();
    expect(whyNotInto([...chain, ...FOLDERS], "ice", "c18")).toMatch("20 deep");
  });
});
