import { describe, expect, it, vi } from "vitest";
import { listCommands, registerCommands, runCommand } from "../../../src/dashboard/shell/commands.ts";
import { isSingle, toBinding } from "../../../src/dashboard/shell/key-rules.ts";
import { rankCommands } from "../../../src/dashboard/shell/rank-commands.ts";

describe("Commands", () => {
  it("A command is known as long as its page is shown", () => {
    const run = vi.fn();
    const end = registerCommands([{ id: "upload", title: "Upload", run }]);
    expect(runCommand("upload")).toBe(true);
    end();
    expect([runCommand("upload"), run.mock.calls.length]).toEqual([false, 1]);
  });

  it("A disabled command is not run", () => {
    const run = vi.fn();
    const end = registerCommands([{ id: "paste", title: "Paste", when: () => false, run }]);
    expect([runCommand("paste"), run.mock.calls.length]).toEqual([false, 0]);
    end();
  });

  it("A command replaces an earlier one of the same id until it is removed", () => {
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

describe("Palette", () => {
  const commands = ["All files", "Trash", "Usage", "Use dark theme", "Keyboard shortcuts", "Keys"].map((title) => ({
    title,
  }));
  const ranked = (query: string) => rankCommands(commands, query).map(({ title }) => title);

  it("The palette shows all commands in order without a query", () => {
    expect(ranked(" ")).toEqual(commands.map(({ title }) => title));
  });

  it("The palette shows commands that begin with the query first, then matches of later words", () => {
    expect(ranked("t")).toEqual(["Trash", "Use dark theme", "Keyboard shortcuts"]);
  });

  it("The palette matches every word of the query, in any case", () => {
    expect([ranked("THEME dark"), ranked("dark files")]).toEqual([["Use dark theme"], []]);
  });
});

describe("Keys", () => {
  it.each([
    ["?", "[Shift]+?"],
    ["/", "[Shift]+/"],
    ["g l", "g l"],
    ["Shift+Delete", "Shift+Delete"],
    ["$mod+k", "$mod+k"],
  ])("The page listens for the key %s as %s", (keys, binding) => {
    expect(toBinding(keys)).toBe(binding);
  });

  it("Keys of commands are single presses without Ctrl, Alt or Cmd", () => {
    expect(["u", "g l", "Shift+c", "$mod+a", "Alt+1"].map(isSingle)).toEqual([true, true, true, false, false]);
  });
});
