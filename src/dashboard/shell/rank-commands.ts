interface Named {
  readonly title: string;
  readonly group?: string;
}

/**
 * Those whose title has every word of a query, whatever its case, those first in which a word of the title begins with the query's first.
 * All of them, in their order, for an empty query.
 */
export function rankCommands<Command extends Named>(commands: readonly Command[], query: string): readonly Command[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const [first = ""] = words;
  const found = commands.filter(({ title, group = "" }) => {
    const text = `${title} ${group}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
  const rank = ({ title }: Command) => {
    const lower = title.toLowerCase();
    if (lower.startsWith(first)) return 0;
    return lower.includes(` ${first}`) ? 1 : 2;
  };
  return words.length === 0 ? found : found.toSorted((a, b) => rank(a) - rank(b));
}
