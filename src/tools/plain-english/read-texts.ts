import { readFileSync } from "node:fs";
import { parseSync, Visitor } from "oxc-parser";

/** The place of a text: a comment of the code, the title of a test, a string that users read, a sentence of a page. */
export type TextKind = "comment" | "title" | "string" | "prose";

export interface Text {
  readonly path: string;
  /** From 1. */
  readonly line: number;
  readonly kind: TextKind;
  readonly text: string;
}

/** Shorter texts are labels, and match by chance. */
const MIN_WORDS = 4;
const DIRECTIVE = /^(?:@|biome|eslint|prettier|https?:|#)/;
const SQL = /\b(?:SELECT|INSERT|UPDATE|DELETE|CREATE|FROM|WHERE|VALUES)\b/;

/** The comments, titles and strings of a source file. Strings count in `src/` and `container/`, where users read them. */
export function readSource(path: string, source = readFileSync(path, "utf8")): Text[] {
  const { program, comments } = parseSync(path, source);
  const lineAt = lineFinder(source);
  const found: Text[] = [];
  const add = (kind: TextKind, start: number, raw: string) => {
    const text = raw.replace(/\s+/g, " ").trim();
    if (text.split(" ").length >= MIN_WORDS && !DIRECTIVE.test(text))
      found.push({ path, line: lineAt(start), kind, text });
  };
  for (const { start, text } of joinLines(comments, source)) add("comment", start, text);
  const titles = new Set<number>();
  const isTest = path.startsWith("test/");
  new Visitor({
    CallExpression(node) {
      const [first] = node.arguments;
      if (
        !isTest ||
        first === undefined ||
        !/^(?:it|test|describe)\b/.test(source.slice(node.callee.start, node.callee.end))
      )
        return;
      if (first.type !== "Literal" || typeof first.value !== "string") return;
      titles.add(first.start);
      add("title", first.start, first.value);
    },
    Literal(node) {
      if (isTest || typeof node.value !== "string" || titles.has(node.start) || SQL.test(node.value)) return;
      add("string", node.start, node.value);
    },
    TemplateLiteral(node) {
      const text = node.quasis.map(({ value }) => value.cooked).join("…");
      if (!isTest && !SQL.test(text)) add("string", node.start, text);
    },
    JSXText(node) {
      if (!isTest) add("string", node.start, node.value);
    },
  }).visit(program);
  return found;
}

/** The sentences of a Markdown page, without its code. */
export function readPage(path: string, source = readFileSync(path, "utf8")): Text[] {
  const found: Text[] = [];
  const lineAt = lineFinder(source);
  const prose = source
    .replace(/^(```|~~~)[\s\S]*?^\1/gm, (block) => block.replace(/[^\n]/g, " "))
    .replace(/<!--[\s\S]*?-->/g, (block) => block.replace(/[^\n]/g, " "));
  for (const { 0: block, index } of prose.matchAll(/(?:[^\n]+\n?)+/g)) {
    // A row of a table and an item of a list are texts of their own.
    for (const { 0: piece, index: at } of block.matchAll(
      /(?:^|\n)(?:[|]|\s*(?:[-*]|\d+\.) )?[\s\S]*?(?=\n[|]|\n\s*(?:[-*]|\d+\.) |$)/g,
    )) {
      for (const cell of piece.split(" | ")) {
        for (const sentence of cell.split(/(?<=[.!?:;])\s+(?=[A-Z`*"[])/)) {
          const text = sentence
            .replace(/^[\s|#>*-]+|^\s*\d+\. /g, "")
            .replace(/\s+/g, " ")
            .trim();
          if (text.split(" ").length >= MIN_WORDS) found.push({ path, line: lineAt(index + at), kind: "prose", text });
        }
      }
    }
  }
  return found;
}

interface Comment {
  readonly type: "Line" | "Block";
  readonly value: string;
  readonly start: number;
  readonly end: number;
}

/** Comments as they are read: lines that follow each other are one text. */
function joinLines(comments: readonly Comment[], source: string): { start: number; text: string }[] {
  const joined: { start: number; end: number; text: string; isLine: boolean }[] = [];
  for (const { type, value, start, end } of comments) {
    const last = joined.at(-1);
    if (
      type === "Line" &&
      last?.isLine &&
      /^\s*$/.test(source.slice(last.end, start)) &&
      !/\n\s*\n/.test(source.slice(last.end, start))
    ) {
      last.text += ` ${value}`;
      last.end = end;
    } else {
      const text = type === "Line" ? value : value.replace(/^\*/, "").replace(/^\s*\*\s?/gm, "");
      joined.push({ start, end, text, isLine: type === "Line" });
    }
  }
  return joined;
}

function lineFinder(source: string): (index: number) => number {
  const ends = [...source.matchAll(/\n/g)].map(({ index }) => index);
  return (index) => {
    const at = ends.findIndex((end) => end >= index);
    return (at < 0 ? ends.length : at) + 1;
  };
}
