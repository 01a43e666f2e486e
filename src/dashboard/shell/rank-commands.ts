import { hasWords } from "../design/has-words.ts";

interface Named {
  readonly title: string;
  readonly group?: string;
}

/**
 * The commands whose title or group contains all words of a query; case is ignored. Titles with a word that begins with the query's first
 * word come first. An empty query returns all commands in their order.
 */
export function rankCommands<Command extends Named>(commands: readonly Command[], query: string): readonly Command[] {
  const [first = ""] = query.trim().toLowerCase().split(/\s+/);
  const found = commands.filter(({ title, group = "" }) => hasWords(`${title} ${group}`, query));
  const rank = ({ title }: Command) => {
    const lower = title.toLowerCase();
    if (lower.startsWith(first)) return 0;
    return lower.includes(` ${first}`) ? 1 : 2;
  };
  return first === "" ? found : found.toSorted((a, b) => rank(a) - rank(b));
}
