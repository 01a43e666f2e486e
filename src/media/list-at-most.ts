/** All of them; undefined where there are more than `most`: a file may hold millions of what takes no bytes to speak of. */
export function listAtMost<Item>(items: Iterable<Item>, most: number): Item[] | undefined {
  const list: Item[] = [];
  for (const item of items) {
    if (list.push(item) > most) return undefined;
  }
  return list;
}
