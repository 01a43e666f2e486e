/** The scopes of API keys, with their labels. */
export const SCOPE_WORDS = [
  { scope: "upload", title: "Upload files", hint: "Store new files.", short: "upload files" },
  { scope: "images:read", title: "View files", hint: "List and search files and tags.", short: "view files" },
  { scope: "images:write", title: "Change files", hint: "Move, tag, trash and restore files.", short: "change files" },
  { scope: "images:delete", title: "Delete files", hint: "Delete files permanently.", short: "delete files" },
  { scope: "folders:read", title: "View folders", hint: "List folders and their file counts.", short: "view folders" },
  {
    scope: "folders:write",
    title: "Manage folders",
    hint: "Create, rename, move and delete folders.",
    short: "manage folders",
  },
  { scope: "settings", title: "Settings", hint: "Compression and the webhook.", short: "settings" },
  { scope: "account", title: "Usage", hint: "Figures, alerts and the log of operations.", short: "usage" },
] as const;

export type KeyScope = (typeof SCOPE_WORDS)[number]["scope"];

/** The usual permissions of a key, the safest first. The folder permissions can be added to `everything`. */
export const PRESETS = [
  {
    value: "upload",
    title: "Upload only",
    hint: "Recommended. The key can store files and nothing else.",
    scopes: ["upload"],
  },
  {
    value: "read",
    title: "Read only",
    hint: "The key can list and search files and folders. It changes nothing.",
    scopes: ["images:read", "folders:read"],
  },
  {
    value: "everything",
    title: "Everything",
    hint: "The key can store, change and delete files, change settings and read your usage.",
    scopes: [],
  },
] as const satisfies readonly {
  readonly value: string;
  readonly title: string;
  readonly hint: string;
  readonly scopes: readonly KeyScope[];
}[];

export type Preset = (typeof PRESETS)[number]["value"];

/** @param folders the permissions for folders, for a key that can do everything */
export function scopesOf(preset: Preset, folders: Iterable<KeyScope>): KeyScope[] {
  const scopes = PRESETS.find(({ value }) => value === preset)?.scopes ?? [];
  return preset === "everything" ? [...folders] : [...scopes];
}

/** A key's permissions as text. A key without scopes can do everything except with folders; folder scopes add folders. */
export function scopesInWords(scopes: readonly string[]): string {
  const named = SCOPE_WORDS.filter(({ scope }) => scopes.includes(scope));
  const words = [...(isLimited(scopes) ? [] : ["files"]), ...named.map(({ short }) => short)].join(", ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

export function canUpload(scopes: readonly string[]): boolean {
  return scopes.includes("upload") || !isLimited(scopes);
}

function isLimited(scopes: readonly string[]): boolean {
  return scopes.some((scope) => !scope.startsWith("folders:"));
}
