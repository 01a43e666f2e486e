import { describe, expect, it } from "vitest";
import { planPaths } from "../../../src/cli/pull/plan-paths.ts";
import { nameKey } from "../../../src/cli/pull/safe-name.ts";

const file = (_id: string, name: string, folderId: string | null = null, filename = name) => ({
  _id,
  originalFilename: name,
  filename,
  folderId,
});
const folder = (_id: string, name: string, parentId: string | null = null) => ({ _id, name, parentId });

describe("planPaths", () => {
  it("Folders become directories", () => {
    const folders = [folder("f1", "Holidays"), folder("f2", "2026", "f1")];
    const files = [file("1", "a.jpg"), file("2", "b.jpg", "f1"), file("3", "c.jpg", "f2")];
    expect([...planPaths(files, folders, null).values()].sort()).toEqual([
      "Holidays/2026/c.jpg",
      "Holidays/b.jpg",
      "a.jpg",
    ]);
  });

  it("The folder that is pulled is the top", () => {
    const paths = planPaths([file("2", "b.jpg", "f1"), file("3", "c.jpg", "f2")], [folder("f2", "2026", "f1")], "f1");
    expect(Object.fromEntries(paths)).toEqual({ 2: "b.jpg", 3: "2026/c.jpg" });
  });

  it("The oldest of names that would be one file stays, in any order of the list", () => {
    const files = [file("1", "A.jpg"), file("2", "a.jpg"), file("3", "a.JPG"), file("4", "a (2).jpg")];
    const expected = { 1: "A.jpg", 2: "a (2).jpg", 3: "a (3).JPG", 4: "a (2) (4).jpg" };
    expect(Object.fromEntries(planPaths(files, [], null))).toEqual(expected);
    expect(Object.fromEntries(planPaths(files.toReversed(), [], null))).toEqual(expected);
  });

  it("A folder and a file of one name, and folders whose safe names are equal, get different paths", () => {
    const folders = [folder("f1", "x.jpg"), folder("f2", "a:b"), folder("f3", "a?b"), folder("f4", "..")];
    const files = [
      file("g1", "X.jpg"),
      file("g2", "1.jpg", "f2"),
      file("g3", "1.jpg", "f3"),
      file("g4", "1.jpg", "f4"),
    ];
    expect(Object.fromEntries(planPaths(files, folders, null))).toEqual({
      g1: "X (g1).jpg",
      g2: "a_b/1.jpg",
      g3: "a_b (f3)/1.jpg",
      g4: "_/1.jpg",
    });
  });

  it("The program's own names and taken paths are not used", () => {
    const files = [file("1", "Manifest.jsonl"), file("2", "kept.jpg")];
    const paths = planPaths(files, [folder("f", ".media-host")], null, ["kept.jpg"]);
    expect(Object.fromEntries(paths)).toEqual({ 1: "Manifest (1).jsonl", 2: "kept (2).jpg" });
    const inside = planPaths([file("3", "a.jpg", "f")], [folder("f", ".media-host")], null);
    expect(inside.get("3")).toBe(".media-host (f)/a.jpg");
  });

  it("A name gets the extension of the stored bytes", () => {
    const paths = planPaths([file("1", "evil.hta", null, "evil.hta.gif"), file("2", "x.JPG", null, "x.jpg")], [], null);
    expect(Object.fromEntries(paths)).toEqual({ 1: "evil.hta.gif", 2: "x.JPG" });
  });

  it("Each path is another file on every file system", () => {
    const names = ["a", "A", "a.", "a ", "a:", "con", "CON", "é", "e\u0301", "..", "a (x1)", ""];
    const files = Array.from({ length: 300 }, (_, at) => file(`x${at}`, names[at % names.length] ?? ""));
    const paths = [...planPaths(files, [], null).values()];
    expect(new Set(paths.map(nameKey)).size).toBe(files.length);
  });
});
