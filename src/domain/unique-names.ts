/**
 * Numbers equal names of files in a zip, ignoring case: "a.jpg", "a (2).jpg". No name has a folder.
 * @returns a function that gives each name it is called with a free one
 */
export function uniqueNames(): (given: string) => string {
  const taken = new Set<string>();
  /** The number to try next, because 100,000 files may have the same name. */
  const next = new Map<string, number>();
  return (given) => {
    const name = given.replace(/[/\\]/g, "_");
    const dot = name.lastIndexOf(".");
    const [stem, ending] = dot > 0 ? [name.slice(0, dot), name.slice(dot)] : [name, ""];
    const key = name.toLowerCase();
    let number = next.get(key) ?? 2;
    let free = name;
    for (; taken.has(free.toLowerCase()); number += 1) free = `${stem} (${number})${ending}`;
    next.set(key, number);
    taken.add(free.toLowerCase());
    return free;
  };
}
