/** Lists all items; undefined if there are more than `most`: a file may contain millions of tiny ones. */
export function listAtMost<Item>(items: Iterable<Item>, most: number): Item[] | undefined {
  const list: Item[] = [];
  for (const item of items) {
    if (list.push(item) > most) return undefined;
  }
  return list;
}
