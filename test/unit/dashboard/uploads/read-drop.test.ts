import { describe, expect, it } from "vitest";
import { type Folders, makeFolders } from "../../../../src/dashboard/uploads/make-folders.ts";
import { type DropEntry, keyOf, readDrop } from "../../../../src/dashboard/uploads/read-drop.ts";

const aFile = (name: string): DropEntry => ({
  isFile: true,
  isDirectory: false,
  name,
  file: (done) => done(new File([], name)),
});

/** This behaves like a browser: a reader returns a hundred entries at a time. */
const aFolder = (name: string, inside: DropEntry[]): DropEntry => ({
  isFile: false,
  isDirectory: true,
  name,
  createReader() {
    const left = [...inside];
    return { readEntries: (done) => setTimeout(() => done(left.splice(0, 100))) };
  },
});

describe("Dropped files", () => {
  it("A dropped folder is read with all nested files, more than a reader returns at once", async () => {
    const many = Array.from({ length: 250 }, (_, at) => aFile(`${at}.jpg`));
    const dropped = await readDrop([aFile("a.png"), aFolder("x", [...many, aFolder("y", [aFile("b.png")])])]);
    expect(dropped.files.length).toBe(252);
    expect(dropped.files.find(({ file }) => file.name === "b.png")?.path).toEqual(["x", "y"]);
    expect(dropped.folders).toEqual([["x"], ["x", "y"]]);
    expect(dropped.unreadable).toBe(0);
  });

  it("Dropped files keep the natural order of names, even more than a reader returns at once", async () => {
    const names = Array.from({ length: 250 }, (_, at) => `img${at + 1}.jpg`);
    const shuffled = names.toSorted().map(aFile);
    const dropped = await readDrop([aFolder("day10", [aFile("z.jpg")]), aFolder("Day2", shuffled), aFile("a.png")]);
    expect(dropped.files.map(({ file }) => file.name)).toEqual(["a.png", ...names, "z.jpg"]);
    expect(dropped.folders).toEqual([["Day2"], ["day10"]]);
  });

  it("A drop omits empty folders, and system files unless they were dropped directly", async () => {
    const inside = [aFile(".DS_Store"), aFile("Thumbs.db"), aFolder(".git", [aFile("x.png")])];
    const dropped = await readDrop([aFile(".hidden.png"), aFolder("empty", inside)]);
    expect(dropped.files.map(({ file }) => file.name)).toEqual([".hidden.png"]);
    expect(dropped.folders).toEqual([]);
  });

  it("A drop counts unreadable entries and stops reading at a limit", async () => {
    const broken: DropEntry = { ...aFile("a.png"), file: (_, failed) => failed(new Error("gone")) };
    const shut: DropEntry = {
      ...aFolder("shut", []),
      createReader: () => ({ readEntries: (_, failed) => failed(new Error("shut")) }),
    };
    const endless: DropEntry = { ...aFolder("loop", []), createReader: () => twice() };
    const twice = () => {
      let asked = 0;
      return { readEntries: (done: (entries: DropEntry[]) => void) => done(asked++ === 0 ? [endless] : []) };
    };
    expect((await readDrop([broken, shut, endless, aFile("b.png")])).unreadable).toBe(3);
  });
});

describe("Dropped folders", () => {
  const service = (there: { _id: string; name: string; parentId: string | null }[]) => {
    const all = [...there];
    const folders: Folders = {
      list: async () => all,
      create: async ({ name, parentId }) => {
        const made = { _id: `new ${all.length}`, name, parentId };
        all.push(made);
        return made;
      },
    };
    return { all, folders };
  };

  it("Dropped folders are created if they are missing, below the folder that is shown", async () => {
    const { all, folders } = service([
      { _id: "top", name: "Top", parentId: null },
      { _id: "x", name: "X", parentId: "top" },
      { _id: "elsewhere", name: "y", parentId: null },
    ]);
    const ids = await makeFolders(folders, [["x"], ["x", "y"], ["z"]], "top");
    expect(ids.get(keyOf(["x"]))).toBe("x");
    expect(all.slice(3).map(({ name, parentId }) => [name, parentId])).toEqual([
      ["y", "x"],
      ["z", "top"],
    ]);
  });

  it("Dropped folders get names that the service accepts, and names that look the same are one folder", async () => {
    const { all, folders } = service([]);
    const long = "ü".repeat(150);
    await makeFolders(folders, [["Cafe\u0301"], ["CAFÉ"], ["a\u202eb"], [long], ["\u0007"]], null);
    expect(all.map(({ name }) => name)).toEqual(["Café", "ab", "ü".repeat(100), "Folder"]);
  });
});
