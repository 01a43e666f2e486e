import { describe, expect, it } from "vitest";
import { lacksSubject, matchesOf } from "../../../src/tools/plain-english/judge-text.ts";
import { readComments, readSource } from "../../../src/tools/plain-english/read-texts.ts";

const PREPOSITION = "starts with a preposition: name the thing first";

describe("Plain English", () => {
  it.each([
    "It is refused",
    "They work",
    "Its end is 403",
    "That answers 404 fails",
    "are fetched again",
    "a file opens",
  ])("The title %j is refused, because it has no subject without its group", (text) => {
    expect(lacksSubject({ kind: "title", text })).toBe(true);
  });

  it.each(["Items are refused", "`url` is a link", "curl uploads a file", "… uploads", "%s is 403", "Itself a file"])(
    "The title %j is allowed",
    (text) => {
      expect(lacksSubject({ kind: "title", text })).toBe(false);
    },
  );

  it("The name of a group of tests may be a part of a sentence", () => {
    expect(lacksSubject({ kind: "group", text: "a lost network" })).toBe(false);
  });

  it("The titles of tests are read from strings and templates, also short ones", () => {
    const source = `describe("a group of four words", () => { it.each([])("waits"); it(\`\${x} ends with \${y}\`); });`;
    expect(readSource("test/a.test.ts", source).map(({ kind, text }) => [kind, text])).toEqual([
      ["group", "a group of four words"],
      ["title", "waits"],
      ["title", "… ends with …"],
    ]);
  });

  it.each([
    ["By the id that the account had.", [PREPOSITION]],
    ["For Pro and Business.", [PREPOSITION]],
    ["With a password: revokes the keys", [PREPOSITION]],
    ["By the upload date", []],
    ["At most 100 files can be uploaded at once", []],
  ])("The string %j is judged as a sentence if it has six words or a full stop", (text, matches) => {
    expect(matchesOf({ kind: "string", text })).toEqual(matches);
  });

  it.each([
    ["a.css", "a { b: c }\n/* Over the name,\n   in the tile. */", 2, "Over the name, in the tile."],
    ["a.toml", 'a = "#b"\n# Without it the\n# request is refused.\nb = 1', 2, "Without it the request is refused."],
    ["a.sql", "SELECT 1;--> statement-breakpoint\n-- A step of a move", 2, "A step of a move"],
    ["run", "echo $#\n  # The tests start processes.", 2, "The tests start processes."],
  ])("The comments of %s are read", (path, source, line, text) => {
    expect(readComments(path, source)).toEqual([{ path, line, kind: "comment", text }]);
  });
});
