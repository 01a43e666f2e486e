import { readFile } from "node:fs/promises";

/** A project as a page of docs/using describes it. */
export interface Recipe {
  /** Commands and files in the order of the page. */
  readonly steps: readonly (string | RecipeFile)[];
  /** The last command of the page, which serves the project. */
  readonly start: string;
  /** The port of the page's address. */
  readonly port: string;
}

export interface RecipeFile {
  readonly path: string;
  readonly content: string;
  /** Whether the content belongs to the end of a file that a command has made. */
  readonly isAppended: boolean;
}

const BLOCK = /^```(\w+)\n([\s\S]*?)^```/gm;
/** The beginning of the paragraph above a file. */
const NAME = /^(At the end of )?`([^`\s]+)`/;
/** The packages are installed before the first step. */
const INSTALL = /^npm install /;
const PORT = /(?:PORT=|--port |localhost:)(\d+)/;

/** @throws Error for code that is neither a command nor a named file, and for a page that serves nothing */
export async function readRecipe(page: string): Promise<Recipe> {
  const text = await readFile(page, "utf8");
  const steps = Array.from(text.matchAll(BLOCK)).flatMap<string | RecipeFile>(
    ({ 1: language, 2: content = "", index }) =>
      language === "console" ? commandsOf(content) : [toFile(page, text.slice(0, index), content)],
  );
  const start = steps.pop();
  const [, port] = typeof start === "string" ? (PORT.exec(start) ?? []) : [];
  if (typeof start !== "string" || port === undefined) throw new Error(`${page} does not end with a server`);
  return { steps, start, port };
}

function commandsOf(content: string): string[] {
  return content
    .trim()
    .split("\n")
    .filter((command) => !INSTALL.test(command));
}

/** The paragraph above the content names its file. */
function toFile(page: string, above: string, content: string): RecipeFile {
  const [, end, path] = NAME.exec(above.trimEnd().split("\n\n").at(-1) ?? "") ?? [];
  if (path === undefined) throw new Error(`${page} names no file for:\n${content}`);
  return { path, content, isAppended: end !== undefined };
}
