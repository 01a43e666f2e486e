/** Extensions that differ from their type's subtype. */
const EXTENSIONS: Readonly<Record<string, string>> = { jpeg: "jpg", quicktime: "mov", "x-msvideo": "avi" };

/** Fields of a source that may have its name. Node's file streams have `path`. */
export interface Named {
  readonly name?: unknown;
  readonly type?: unknown;
  readonly path?: unknown;
}

/** @returns the given name, else the file's own, else one by its type: `untitled.jpg` */
export function nameOf({ name, type, path }: Named, given?: string): string {
  const own = String(name ?? path ?? "").replace(/.*[/\\]/s, "");
  const [, kind = ""] = /^(?:image|video)\/([\w-]+)/.exec(String(type)) ?? [];
  return given || own || `untitled${kind && `.${EXTENSIONS[kind] ?? kind}`}`;
}
