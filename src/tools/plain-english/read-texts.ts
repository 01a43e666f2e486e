import { readFileSync } from "node:fs";
import { parseSync, type TemplateLiteral, Visitor } from "oxc-parser";

/** The place of a text: a comment of the code, the title of a test or of its group, a string that users read, a sentence of a page. */
export type TextKind = "comment" | "title" | "group" | "string" | "prose";

export interface Text {
  readonly path: string;
  /** From 1. */
  readonly line: number;
  readonly kind: TextKind;
  readonly text: string;
}

/** Shorter texts are labels, and match by chance. Titles of tests are sentences at any length. */
const MIN_WORDS = 4;
const DIRECTIVE = /^(?:@|biome|eslint|prettier|https?:|#)/;
const SQL = /\b(?:SELECT|INSERT|UPDATE|DELETE|CREATE|FROM|WHERE|VALUES)\b/;

/** The comments, titles and strings of a source file. Strings count in `src/` and `container/`, where users read them. */
export function readSource(path: string, source = readFileSync(path, "utf8")): Text[] {
  const { program, comments } = parseSync(path, source);
  const lineAt = lineFinder(source);
  const found: Text[] = [];
  const add = (kind: TextKind, start: number, raw: string) => {
    const text = toOneLine(raw);
    if (kind === "title" || (text.split(" ").length >= MIN_WORDS && !DIRECTIVE.test(text)))
      found.push({ path, line: lineAt(start), kind, text });
  };
  for (const { start, text } of joinLines(comments, source)) add("comment", start, text);
  const isTest = path.startsWith("test/");
  new Visitor({
    CallExpression(node) {
      const [first] = node.arguments;
      const [, name] = /^(it|test|describe)\b/.exec(source.slice(node.callee.start, node.callee.end)) ?? [];
      if (!isTest || name === undefined) return;
      const kind = name === "describe" ? "group" : "title";
      if (first?.type === "Literal" && typeof first.value === "string") add(kind, first.start, first.value);
      if (first?.type === "TemplateLiteral") add(kind, first.start, textOf(first));
    },
    Literal(node) {
      if (!isTest && typeof node.value === "string" && !SQL.test(node.value)) add("string", node.start, node.value);
    },
    TemplateLiteral(node) {
      if (!isTest && !SQL.test(textOf(node))) add("string", node.start, textOf(node));
    },
    JSXText(node) {
      if (!isTest) add("string", node.start, node.value);
    },
  }).visit(program);
  return found;
}

/** The comments of a file in another language: a style sheet, a configuration, a migration, a script of the shell. */
export function readComments(path: string, source = readFileSync(path, "utf8")): Text[] {
  const expression = path.endsWith(".css") ? /\/\*([\s\S]*?)\*\//g : /(?<=^|\s)(?:#|--)(?= )(.*)/g;
  const type = path.endsWith(".css") ? "Block" : "Line";
  const comments = Array.from(source.matchAll(expression), ({ 0: all, 1: value = "", index }) => {
    return { type, value, start: index, end: index + all.length } as const;
  });
  const lineAt = lineFinder(source);
  return joinLines(comments, source)
    .map(({ start, text }) => ({ path, line: lineAt(start), kind: "comment" as const, text: toOneLine(text) }))
    .filter(({ text }) => text.split(" ").length >= MIN_WORDS);
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
          const text = toOneLine(sentence.replace(/^[\s|#>*-]+|^\s*\d+\. /g, ""));
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

function textOf({ quasis }: TemplateLiteral): string {
  return quasis.map(({ value }) => value.cooked).join("…");
}

function toOneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

function lineFinder(source: string): (index: number) => number {
  const ends = [...source.matchAll(/\n/g)].map(({ index }) => index);
  return (index) => {
    const at = ends.findIndex((end) => end >= index);
    return (at < 0 ? ends.length : at) + 1;
  };
}
