import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";

const PAGES = globSync(["*.md", "{docs,src,test}/**/*.md"]);

function anchorsOf(path: string): Set<string> {
  const headings = readFileSync(path, "utf8").matchAll(/^#+ (.+)$/gm);
  return new Set(
    Array.from(headings, ([, text = ""]) =>
      text
        .toLowerCase()
        .replace(/[^\w\s-]/g, "")
        .trim()
        .replace(/\s+/g, "-"),
    ),
  );
}

it.each(PAGES)("Every link of %s leads to a file and a heading of the repository", (path) => {
  const dead: string[] = [];
  for (const [, href = ""] of readFileSync(path, "utf8").matchAll(/\]\(([^)\s]+)\)/g)) {
    if (/^(?:https?:|mailto:|\/)/.test(href)) continue;
    const [file = "", anchor] = href.split("#");
    const target = file === "" ? path : join(dirname(path), file);
    if (!existsSync(target) || (anchor !== undefined && !anchorsOf(target).has(anchor))) dead.push(href);
  }
  expect(dead).toEqual([]);
});
