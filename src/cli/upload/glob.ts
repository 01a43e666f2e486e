import { readdir } from "node:fs/promises";
import { join } from "node:path";

const WILDCARD = /[*?[]/;
/** Subfolders at any depth, for `**`. */
const DEEPEST = 100;

export function hasWildcard(path: string): boolean {
  return WILDCARD.test(path);
}

/**
 * Expands a pattern that the shell did not expand (Windows, quotes): `*` and `?` within a name, `[a-z]`, and `**` for any folders. Only a
 * dot matches a leading dot, and `**` does not follow links to folders.
 * @returns paths, in the order of their names
 */
export async function* expandGlob(pattern: string): AsyncGenerator<string> {
  // Windows separates folders by both characters; elsewhere a backslash is part of a name.
  const parts = pattern.split(process.platform === "win32" ? /[\\/]/ : "/");
  const root = parts[0] === "" ? "/" : "";
  yield* expand(root, root === "" ? parts : parts.slice(1), 0);
}

async function* expand(folder: string, [first, ...rest]: readonly string[], depth: number): AsyncGenerator<string> {
  if (first === undefined) return yield folder;
  if (!hasWildcard(first)) return yield* expand(folder === "" ? first : join(folder, first), rest, depth);
  const isAnyDepth = first === "**";
  if (isAnyDepth) yield* expand(folder, rest.length === 0 ? ["*"] : rest, depth);
  const names = await readdir(folder === "" ? "." : folder, { withFileTypes: true }).catch(() => []);
  names.sort((a, b) => (a.name < b.name ? -1 : 1));
  const matches = isAnyDepth ? undefined : toRegExp(first);
  for (const entry of names) {
    if (entry.name.startsWith(".") && !first.startsWith(".")) continue;
    const path = join(folder, entry.name);
    if (isAnyDepth) {
      if (entry.isDirectory() && depth < DEEPEST) yield* expand(path, [first, ...rest], depth + 1);
    } else if (matches?.test(entry.name)) {
      if (rest.length === 0 || entry.isDirectory() || entry.isSymbolicLink()) yield* expand(path, rest, depth);
    }
  }
}

function toRegExp(part: string): RegExp {
  const source = part.replace(/\*+|\?|\[[!^]?\]?[^\]]*\]|[\\^$.|+(){}[\]]/g, (found) => {
    if (found.startsWith("*")) return ".*";
    if (found === "?") return ".";
    if (found.length === 1) return `\\${found}`;
    const isNot = /^\[[!^]/.test(found);
    const inside = found.slice(isNot ? 2 : 1, -1).replace(/[\\\]^]/g, "\\$&");
    return `[${isNot ? "^" : ""}${inside}]`;
  });
  return new RegExp(`^${source}$`, "su");
}
