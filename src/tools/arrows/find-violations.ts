import type { Import, Module } from "./read-modules.ts";
import { ARROWS } from "./table.ts";

const NAMES = Object.keys(ARROWS).toSorted((one, other) => other.length - one.length);

/** The room of a file. @throws Error if the table has none */
function roomOf(path: string): string {
  const place = path.replace(/^src\//, "");
  const name = NAMES.find((each) => isIn(place, each));
  if (name === undefined) throw new Error(`${path} is in no room of src/tools/arrows/table.ts`);
  return name;
}

/** One sentence for each import that the table does not allow. */
export function findViolations(imports: readonly Import[]): string[] {
  return imports.flatMap(({ from, to, isPackage }) => {
    const name = roomOf(from);
    const { rooms, packages } = ARROWS[name] as (typeof ARROWS)[string];
    const place = to.replace(/^src\//, "");
    if (isPackage)
      return packages.includes(to) ? [] : [`${from} may not import ${to}: ${name} allows ${list(packages)}`];
    if (place.endsWith(".wasm") && name !== "codecs" && !rooms.includes(place))
      return [`${from} may not import ${to}: only codecs loads any WebAssembly`];
    return [name, ...rooms].some((each) => isIn(place, each))
      ? []
      : [`${from} may not import ${to}: ${name} allows ${list(rooms)}`];
  });
}

/** The endings that an import may leave out: AssemblyScript's imports have no extension. */
const ENDINGS = ["", ".ts", ".tsx", "/index.ts", "/index.tsx"];

/** Circles of files, each as its files in order. Imports of types count. */
export function findCircles(modules: readonly Module[]): string[][] {
  const paths = new Set(modules.map(({ path }) => path));
  const fileOf = (to: string) => ENDINGS.map((ending) => to + ending).find((path) => paths.has(path)) ?? [];
  const next = new Map(modules.map(({ path, imports }) => [path, imports.flatMap(({ to }) => fileOf(to))]));
  const order = new Map<string, number>();
  const low = new Map<string, number>();
  const stack: string[] = [];
  const circles: string[][] = [];
  const visit = (file: string): void => {
    order.set(file, order.size);
    low.set(file, order.get(file) as number);
    stack.push(file);
    for (const other of next.get(file) ?? []) {
      if (!order.has(other)) visit(other);
      if (stack.includes(other)) low.set(file, Math.min(low.get(file) as number, low.get(other) as number));
    }
    if (low.get(file) !== order.get(file)) return;
    const circle = stack.splice(stack.indexOf(file));
    if (circle.length > 1) circles.push(circle);
  };
  for (const file of next.keys()) if (!order.has(file)) visit(file);
  return circles;
}

function isIn(place: string, name: string): boolean {
  return place === name || place.startsWith(`${name}/`);
}

function list(names: readonly string[]): string {
  return names.length === 0 ? "none" : names.join(", ");
}
