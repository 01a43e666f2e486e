import type { Miniflare } from "miniflare";
import { newId } from "../../../src/domain/ids.ts";

export type Database = Awaited<ReturnType<Miniflare["getD1Database"]>>;

const FOLDERS = 200;
/** This folder holds a tenth of the uploads, the others are spread evenly. */
export const LARGE_FOLDER = 0;
export const SEEDED_FROM = Date.UTC(2024, 0, 1);
const SEEDED_MS = 730 * 86_400_000;
const ROWS_A_STATEMENT = 2500;

/** A library that the API does not know; its rows are only ballast. */
export async function insertLibrary(db: Database, accountId = newId(Date.now())): Promise<string> {
  await db.prepare("INSERT INTO libraries (id, state) VALUES (?, 'here')").bind(accountId).run();
  return accountId;
}

/**
 * Uploads of two years, spread evenly: 40 % in Root, 10 % in one folder, the rest in 199 folders. Each has 3 tags: one of 20, one of 30 and
 * one of 40. 70 % are JPEG, 15 % PNG, 10 % MP4, 5 % WebP; 2 % are favourites, 3 % trashed. Each is named `IMG_<number of 7 digits>.jpg`.
 * @returns the folders' ids
 */
export async function seedLibrary(db: Database, accountId: string, count: number): Promise<string[]> {
  const folders = Array.from({ length: FOLDERS }, () => newId(Date.now()));
  await db.batch(
    folders.map((id) =>
      db
        .prepare("INSERT INTO folders (id, account_id, name, created_at, updated_at) VALUES (?1, ?2, ?1, 0, 0)")
        .bind(id, accountId),
    ),
  );
  const stepMs = Math.floor(SEEDED_MS / count);
  const slot = nextSlot++;
  for (let first = 0; first < count; first += ROWS_A_STATEMENT) {
    const rows = Math.min(ROWS_A_STATEMENT, count - first);
    await db.batch([
      db.prepare(INSERT_UPLOADS).bind(first, rows, SEEDED_FROM, stepMs, slot, accountId, JSON.stringify(folders)),
      db.prepare(INSERT_GRAMS).bind(SEEDED_FROM + first * stepMs, SEEDED_FROM + (first + rows) * stepMs, accountId),
    ]);
  }
  return folders;
}

/** Makes the numbers of accounts whose uploads are of the same millisecond distinct. */
let nextSlot = 0;

const INSERT_UPLOADS = `
  WITH RECURSIVE counted (n) AS (
    SELECT CAST(?1 AS INTEGER) UNION ALL SELECT n + 1 FROM counted WHERE n < CAST(?1 + ?2 AS INTEGER) - 1
  ), drawn AS MATERIALIZED (
    SELECT n, CAST(?3 + n * ?4 AS INTEGER) AS at, abs(random() % 1000) AS place, abs(random() % 100) AS kind,
      abs(random() % 100) AS mark, lower(hex(randomblob(8))) AS tail
    FROM counted
  ), named AS MATERIALIZED (
    SELECT *, '01k' || printf('%07x', at >> 14) || tail AS id, printf('IMG_%07d.jpg', n) AS name FROM drawn
  )
  INSERT INTO uploads (number, id, account_id, folder_id, status, object_key, original_filename, mime_type, size_bytes,
    original_size_bytes, width, height, favorite, tags, created_at)
  SELECT (at << 20) + CAST(?5 AS INTEGER), id, ?6,
    iif(place < 400, NULL, json_extract(?7, '$[' || iif(place < 500, ${LARGE_FOLDER}, 1 + n % ${FOLDERS - 1}) || ']')),
    iif(mark >= 97, 'trash', 'active'), 'uploads/' || ?6 || '/' || id || '-' || name, name,
    iif(kind < 70, 'image/jpeg', iif(kind < 85, 'image/png', iif(kind < 95, 'video/mp4', 'image/webp'))),
    1000 + n % 5000000, 1000 + n % 5000000, 4032, 3024, mark < 2,
    json_array('a' || (place % 20), 'b' || (kind % 30), 'c' || (n % 40)), at
  FROM named`;

/** `toGrams` in SQL, for a name without letters that SQL cannot fold. */
const INSERT_GRAMS = `
  INSERT INTO upload_search (rowid, grams)
  SELECT number, (
    SELECT group_concat(iif(value <= 28, '/', '') || ?3 || substr(text, value, 3), char(10)) FROM json_each('${JSON.stringify(Array.from({ length: 80 }, (_, i) => i + 1))}')
    WHERE value <= length(text) - 2
  )
  FROM (
    SELECT number, '/' || id || '-' || lower(original_filename) || char(8232, 8232) AS text FROM uploads
    WHERE number >= CAST(?1 AS INTEGER) << 20 AND number < CAST(?2 AS INTEGER) << 20 AND account_id = ?3
  )`;
