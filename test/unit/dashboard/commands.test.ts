import { describe, expect, it, vi } from "vitest";
import { listCommands, registerCommands, runCommand } from "../../../src/dashboard/shell/commands.ts";
import { isSingle, toBinding } from "../../../src/dashboard/shell/key-rules.ts";
import { rankCommands } from "../../../src/dashboard/shell/rank-commands.ts";

describe("commands", () => {
  it("are known as long as their page is shown", () => {
    const run = vi.fn();
    const end = registerCommands([{ id: "upload", title: "Upload", run }]);
    expect(runCommand("upload")).toBe(true);
    end();
    expect([runCommand("upload"), run.mock.calls.length]).toEqual([false, 1]);
  });

  it("are not run while they cannot be", () => {
    const run = vi.fn();
    const end = registerCommands([{ id: "paste", title: "Paste", when: () => false, run }]);
    expect([runCommand("paste"), run.mock.calls.length]).toEqual([false, 0]);
    end();
  });

  it("stand before earlier ones of the same id, until they go", () => {
    const [page, library] = [vi.fn(), vi.fn()];
    const ends = [page, library].map((run) => registerCommands([{ id: "search", title: "Search", run }]));
    runCommand("search");
    expect([listCommands().length, library.mock.calls.length]).toEqual([1, 1]);
    ends[1]?.();
    runCommand("search");
    expect([library.mock.calls.length, page.mock.calls.length]).toEqual([1, 1]);
    ends[0]?.();
  });
});

describe("the palette", () => {
  const commands = ["All files", "Trash", "Usage", "Dark theme", "Keyboard shortcuts", "Keys"].map((title) => ({
    title,
  }));
  const ranked = (query: string) => rankCommands(commands, query).map(({ title }) => title);

  it("shows all without a query, in their order", () => {
    expect(ranked(" ")).toEqual(commands.map(({ title }) => title));
  });

  it("shows first what begins with the query, then where a word does", () => {
    expect(ranked("t")).toEqual(["Trash", "Dark theme", "Keyboard shortcuts"]);
  });

  it("wants every word, whatever its case", () => {
    expect([ranked("THEME dark"), ranked("dark files")]).toEqual([["Dark theme"], []]);
  });
});

describe("keys", () => {
  it.each([
    ["?", "[Shift]+?"],
    ["/", "[Shift]+/"],
    ["g l", "g l"],
    ["Shift+Delete", "Shift+Delete"],
    ["$mod+k", "$mod+k"],
  ])("%s is listened for as %s", (keys, binding) => {
    expect(toBinding(keys)).toBe(binding);
  });

  it("are single presses without Ctrl, Alt or Cmd", () => {
    expect(["u", "g l", "Shift+c", "$mod+a", "Alt+1"].map(isSingle)).toEqual([true, true, true, false, false]);
  });
});
