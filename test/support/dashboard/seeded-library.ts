/** A library of any size that takes no memory: every file is computed from its number, the newest first. */

const FOLDERS = [
  ["01folder000000000000clients", "Clients", null],
  ["01folder0000000000000halden", "Halden Roasters", "01folder000000000000clients"],
  ["01folder000000000000nordlys", "Nordlys Architects", "01folder000000000000clients"],
  ["01folder00000000000products", "Product shots", null],
  ["01folder00000000screenshots", "Screenshots", null],
  ["01folder0000000000000travel", "Travel", null],
  ["01folder00000000000iceland1", "Iceland 2025", "01folder0000000000000travel"],
  ["01folder00000000000lofoten1", "Lofoten", "01folder0000000000000travel"],
] as const;
const TAGS = ["hero", "press", "wip", "raw", "social", "2026"];
const KINDS = [
  ["image/jpeg", "jpg", 4092, 3072],
  ["image/jpeg", "jpg", 3072, 4092],
  ["image/png", "png", 4920, 3072],
  ["image/webp", "webp", 4608, 3072],
  ["video/mp4", "mp4", 1920, 1080],
  ["image/gif", "gif", 480, 480],
  ["image/png", "png", 1080, 2400],
] as const;
const NAMES = [
  "IMG",
  "erg-chebbi",
  "deploy-log",
  "portrait-ines",
  "facade-study",
  "packshot",
  "Screenshot 2026-11-02 at 12",
];
const NEWEST = Date.UTC(2026, 10, 22, 12);
/** Six years, in which uploads come and go by seasons. */
const SPAN_MS = 6 * 365 * 86_400_000;

/** A pseudo-random number: the same for the same seed. */
function hash(seed: number): number {
  let mixed = Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}

export interface SeededFile {
  readonly _id: string;
  readonly prompt: string;
  readonly mimeType: string;
  readonly fileSize: number;
  readonly size: { readonly width: number; readonly height: number };
  readonly createdAt: string;
  readonly folderId: string | null;
  readonly tags: readonly string[];
  readonly favorite: boolean;
  readonly status: "active" | "trash";
  readonly [field: string]: unknown;
}

/** The time of a file's upload in ms; a higher number is earlier. */
function uploadedAt(number: number, of: number): number {
  const part = number / of;
  return NEWEST - SPAN_MS * (part + Math.sin(part * 37) / 60 + 1 / 60);
}

/** The number of files in each month, the newest first. Only the files at the months' ends are computed. */
export function seededMonths(of: number): { readonly key: string; readonly count: number }[] {
  const months: { key: string; count: number }[] = [];
  let from = 0;
  for (let number = 0; number < of; number = from) {
    const key = new Date(uploadedAt(number, of)).toISOString().slice(0, 7);
    const begins = Date.parse(`${key}-01T00:00:00Z`);
    let low = number + 1;
    let high = of;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (uploadedAt(middle, of) < begins) high = middle;
      else low = middle + 1;
    }
    from = low;
    months.push({ key, count: low - number });
  }
  return months;
}

/** @param number from 0, the newest @param of the number of files */
export function seededFile(number: number, of: number): SeededFile {
  const random = hash(number);
  const [mimeType, ending, width, height] = KINDS[random % 31 < 24 ? random % 4 : 4 + (random % 3)] ?? KINDS[0];
  const name = NAMES[(random >>> 5) % NAMES.length];
  const isVideo = mimeType.startsWith("video/");
  const fileSize = isVideo ? 20_000_000 + (random % 60_000_000) : 90_000 + (random % 5_000_000);
  // No two files share a URL: a browser that has one picture would not request it again for another file.
  const previewUrl = `/previews/${random}/${number}`;
  const at = uploadedAt(number, of);
  const _id = `01item${number.toString(36).padStart(20, "0")}`;
  const folder = FOLDERS[(random >>> 9) % 12];
  return {
    _id,
    url: `https://cdn.example/uploads/acc/${_id}-${name}-${number}.${ending}`,
    thumbnailUrl: isVideo ? previewUrl : null,
    previewUrl,
    mimeType,
    prompt: `${name}-${number}.${ending}`,
    modelName: "",
    size: { width, height },
    createdAt: new Date(at).toISOString(),
    type: "upload",
    filename: `${name}-${number}.${ending}`,
    fileSize,
    originalFileSize: fileSize,
    compressed: false,
    durationMs: isVideo ? 5000 + (random % 200_000) : null,
    thumbnail: isVideo ? "ready" : null,
    folderId: folder?.[0] ?? null,
    tags: random % 5 === 0 ? [TAGS[(random >>> 3) % TAGS.length] as string] : [],
    favorite: random % 17 === 0,
    status: "active",
  };
}

export const SEEDED_TAGS: readonly string[] = TAGS;

export function seededFolders(countOf: (id: string) => number) {
  return FOLDERS.map(([_id, name, parentId]) => ({
    _id,
    name,
    parentId,
    icon: null,
    itemCount: countOf(_id),
    createdAt: new Date(NEWEST).toISOString(),
    updatedAt: new Date(NEWEST).toISOString(),
  }));
}
