import { and, eq } from "drizzle-orm";
import { openLibraries, type Library as Shard } from "../../../src/db/library/library.ts";
import { type Upload, uploads } from "../../../src/db/library/schema.ts";
import { deleteUploads, insertUploads, uploadColumns } from "../../../src/db/library/uploads.ts";
import { newId } from "../../../src/domain/ids.ts";
import { fileKey } from "../../../src/domain/object-key.ts";
import { CountedD1 } from "../../support/costs/counted-d1.ts";
import { png } from "../../support/media/samples.ts";
import type { Stack } from "../../support/stack/miniflare.ts";
import type { Table } from "../compression/table.ts";
import type { Target } from "../support/report.ts";
import { type Library, measure, report } from "./measure.ts";
import { LARGE_FOLDER } from "./seed.ts";

const BOUNDARY = "----bench";

/** Uploads, changes and deletes the same small file again and again. */
export async function changeAll(libraries: readonly Library[], table: Table): Promise<Target[]> {
  const uploaded = new Map<Library, string[]>(libraries.map((library) => [library, []]));
  const targets: Target[] = [];
  const body = Buffer.concat([
    Buffer.from(
      `--${BOUNDARY}\r\nContent-Disposition: form-data; name="tags"\r\n\r\na3,b4,c5\r\n--${BOUNDARY}\r\n` +
        'Content-Disposition: form-data; name="file"; filename="new.png"\r\n\r\n',
    ),
    png(),
    Buffer.from(`\r\n--${BOUNDARY}--\r\n`),
  ]);
  const json = { "Content-Type": "application/json" };
  const patch = (change: (round: number) => object) => {
    let round = 0;
    return async (library: Library) => {
      round += 1;
      const id = uploaded.get(library)?.[0];
      const call = {
        method: "PATCH",
        headers: json,
        body: JSON.stringify(change(Math.floor(round / libraries.length))),
      };
      return (await library.client.call(200, `/images/${id}`, call)).seconds * 1000;
    };
  };
  const changes: [string, (library: Library) => Promise<number>][] = [
    [
      "upload, 3 tags",
      async (library) => {
        const headers = { "Content-Type": `multipart/form-data; boundary=${BOUNDARY}` };
        const answer = await library.client.call(201, "/images/upload", { method: "POST", headers, body });
        uploaded.get(library)?.push(JSON.parse(answer.body.toString())._id);
        return answer.seconds * 1000;
      },
    ],
    ["patch, favourite", patch((round) => ({ favorite: round % 2 === 0 }))],
    ["patch, tags", patch((round) => ({ tags: [`t${round}`, "a3"] }))],
    [
      "delete",
      async (library) => {
        const id = uploaded.get(library)?.pop();
        return (await library.client.call(200, `/images/${id}`, { method: "DELETE" })).seconds * 1000;
      },
    ],
  ];
  for (const [name, change] of changes) {
    targets.push(...report(table, name, await measure(libraries, change), "", { atMost: 1.5 }));
  }
  return targets;
}

export async function countWrites({ miniflare }: Stack, libraries: readonly Library[]): Promise<void> {
  const counted = new CountedD1(await miniflare.getD1Database("LIBRARY_00"));
  const library = openLibraries({ LIBRARY_00: counted }).open("00");
  for (const { accountId, size } of libraries) {
    const id = newId(Date.now());
    const name = "new.png";
    const row = { ...(await someUpload(library, accountId)), id, objectKey: fileKey(accountId, id, name) };
    Object.assign(counted, { rowsRead: 0, rowsWritten: 0 });
    await insertUploads(library, [{ ...row, originalFilename: name, createdAt: Date.now(), tags: ["a3", "b4", "c5"] }]);
    const inserted = { read: counted.rowsRead, written: counted.rowsWritten };
    await deleteUploads(library, accountId, [id]);
    const deleted = { read: counted.rowsRead - inserted.read, written: counted.rowsWritten - inserted.written };
    console.log(
      `  at ${size}: an upload's rows are ${inserted.written} written, ${inserted.read} read; its deletion's ` +
        `${deleted.written} written, ${deleted.read} read`,
    );
  }
}

async function someUpload(library: Shard, accountId: string): Promise<Upload> {
  const upload = await library
    .select(uploadColumns)
    .from(uploads)
    .where(and(eq(uploads.accountId, accountId), eq(uploads.status, "active"), eq(uploads.favorite, false)))
    .limit(1)
    .get();
  if (upload === undefined) throw new Error("The library is empty");
  return upload;
}

/** A tenth of the library moves to Root while other accounts continue. */
export async function deleteLargeFolder(libraries: readonly Library[]): Promise<void> {
  for (const library of libraries) {
    const { client, folders, size } = library;
    const other = libraries.find((one) => one !== library) ?? library;
    const path = `/folders/${folders[LARGE_FOLDER]}`;
    const uploads = JSON.parse(
      (await client.call(200, `/images?folderId=${folders[LARGE_FOLDER]}&status=all`)).body.toString(),
    );
    const { seconds, worstMs } = await waitsMeanwhile(other, async () => {
      // A 503 means that it takes longer; the folder is gone in the end.
      while (!(await isGone(library, path))) await client.call(200, path, { method: "DELETE" }).catch(() => undefined);
    });
    console.log(
      `  at ${size}: a folder of ${uploads.pagination.total} uploads is deleted in ${seconds.toFixed(2)} s; another ` +
        `account's listing waits ${worstMs.toFixed(0)} ms at worst meanwhile`,
    );
  }
}

/** The wait of another account for a page while the largest library is listed by size. */
export async function listBySize(libraries: readonly Library[]): Promise<void> {
  const [other, largest] = [libraries[0], libraries.at(-1)];
  if (other === undefined || largest === undefined) return;
  const { seconds, worstMs } = await waitsMeanwhile(other, () =>
    largest.client.call(200, "/images?folderId=all&minSize=4000000000"),
  );
  console.log(
    `  at ${largest.size}: a listing by size that finds nothing takes ${seconds.toFixed(2)} s; another account's listing ` +
      `waits ${worstMs.toFixed(0)} ms at worst meanwhile`,
  );
}

async function isGone({ client }: Library, path: string): Promise<boolean> {
  const { folders } = JSON.parse((await client.call(200, "/folders")).body.toString());
  return !folders.some(({ _id }: { _id: string }) => path.endsWith(_id));
}

async function waitsMeanwhile(
  { client }: Library,
  work: () => Promise<unknown>,
): Promise<{ seconds: number; worstMs: number }> {
  const started = performance.now();
  let [isDone, worstMs] = [false, 0];
  const working = work().finally(() => {
    isDone = true;
  });
  while (!isDone) worstMs = Math.max(worstMs, (await client.call(200, "/images?folderId=all")).seconds * 1000);
  await working;
  return { seconds: (performance.now() - started) / 1000, worstMs };
}
