import { readFile } from "node:fs/promises";
import { convertV4MiniflareOptions, Miniflare } from "miniflare";
import { expect, it } from "vitest";
import { searchNames } from "../../src/db/listing/search-grams.ts";
import { splitStatements } from "../../src/db/migrate.ts";

const ACCOUNT = "01hzy3v7k9q4r5s6t7v8w9x0ya";
const FOLDER = "01hzy3v7k9q4r5s6t7v8w9x0yb";
const FIRST = "01hzy3v7k9q4r5s6t7v8w9x0yc";
const SECOND = "01hzy3v7k9q4r5s6t7v8w9x0yd";
const AT = 1_700_000_000_000;

/** Names with what finds them, and nothing else does. */
const NAMES = [
  ["Café e\u0301te\u0301", "cafe ete", "CAFÉ"],
  ["İstanbul STRASSE", "istanbul straße"],
  ["Łódź", "lodz", "ŁÓDŹ"],
  ["Ёлка Йод", "елка иод"],
  ["ΟΔΥΣΣΕΎΣ", "οδυσσευς"],
  ["한국어 が", "한국", "が"],
  ["ｆｕｌｌ ﬁne", "full fine"],
] as const;

function idOf(at: number): string {
  return `01hzy3v7k9q4r5s6t7v8w9x1y${at}`;
}

async function statementsOf(name: string): Promise<string[]> {
  return splitStatements(await readFile(`migrations/${name}.sql`, "utf8"));
}

it("uploads from before the library's migration are listed, counted and found like new ones", async () => {
  const miniflare = new Miniflare(
    convertV4MiniflareOptions({
      cf: false,
      workers: [{ name: "none", modules: true, script: "export default {}", d1Databases: ["DB"] }],
    }),
  );
  try {
    const db = await miniflare.getD1Database("DB");
    const apply = async (statements: string[]) => db.batch(statements.map((statement) => db.prepare(statement)));
    const upload = (id: string, folderId: string | null, stored: string, original: string, tags: string) =>
      db
        .prepare(
          `INSERT INTO uploads (id, account_id, folder_id, status, object_key, original_filename, mime_type, size_bytes,
             original_size_bytes, width, height, favorite, tags, created_at, duration_ms)
           VALUES (?, ?, ?, 'active', ?, ?, 'image/png', 5, 6, 7, 8, 1, ?, ?, 9)`,
        )
        .bind(id, ACCOUNT, folderId, `uploads/${ACCOUNT}/${id}-${stored}`, original, tags, AT);
    await apply([...(await statementsOf("0000_catalogue")), ...(await statementsOf("0001_thumbnails"))]);
    await db.batch([
      db
        .prepare(
          `INSERT INTO accounts (id, email, password_hash, tier, auto_compress, compression_quality, created_at)
           VALUES (?, 'a@example.com', '', 'pro', 0, 65, 0)`,
        )
        .bind(ACCOUNT),
      db
        .prepare("INSERT INTO folders (id, account_id, name, created_at, updated_at) VALUES (?, ?, 'F', 0, 0)")
        .bind(FOLDER, ACCOUNT),
      upload(SECOND, FOLDER, 'It\'s "B" 写真.png', 'It\'s "B" 写真.gif', '["x","y"]'),
      upload(FIRST, null, "a.png", "a.png", "[]"),
      ...NAMES.map(([name], at) => upload(idOf(at), null, name, name, "[]")),
    ]);
    const { results: before } = await db.prepare("SELECT * FROM uploads ORDER BY id").all();
    await apply([...(await statementsOf("0002_library")), ...(await statementsOf("0003_search_folding"))]);

    const { results: after } = await db.prepare("SELECT * FROM uploads ORDER BY number").all();
    expect(after.map(({ number: _, ...row }) => row)).toEqual(before);
    const numbers = await db
      .prepare("SELECT number >> 20 AS at, number & 1048575 AS turn FROM uploads ORDER BY id")
      .all();
    expect(numbers.results).toEqual([
      { at: AT, turn: 0 },
      { at: AT, turn: 1 },
      ...NAMES.map((_, at) => ({ at: AT, turn: 2 + at })),
    ]);
    const counts = await db.prepare("SELECT folder_id, count FROM upload_counts WHERE facet = 'all' ORDER BY 1").all();
    expect(counts.results).toEqual([
      { folder_id: "", count: 1 + NAMES.length },
      { folder_id: "*", count: 2 + NAMES.length },
      { folder_id: FOLDER, count: 1 },
    ]);
    const tags = await db.prepare("SELECT tag FROM folder_tags WHERE folder_id = ? ORDER BY tag").bind(FOLDER).all();
    expect(tags.results).toEqual([{ tag: "x" }, { tag: "y" }]);

    const find = async (text: string) => {
      const search = searchNames(ACCOUNT, `uploads/${ACCOUNT}/`, text);
      if (search.found !== "some") throw new Error(`${text} is not searched for`);
      const found = db.prepare(
        "SELECT id FROM upload_search AS s JOIN uploads AS u ON u.number = s.rowid WHERE s.grams MATCH ? ORDER BY id",
      );
      return (await found.bind(search.match).all<{ id: string }>()).results.map(({ id }) => id);
    };
    for (const text of ['it\'s "b"', "写真", "真.G", ".gif", SECOND.slice(-9), `${SECOND}-it`, "8w9x0yd-it's"]) {
      expect(await find(text), text).toEqual([SECOND]);
    }
    expect(await find("a.png")).toEqual([FIRST]);
    expect(await find("png")).toEqual([FIRST, SECOND]);
    expect(await find("nga")).toEqual([]);
    expect(await find(SECOND.slice(-7))).toEqual([]);
    for (const [at, [name, ...texts]] of NAMES.entries()) {
      for (const text of [name, ...texts]) expect(await find(text), text).toEqual([idOf(at)]);
    }
  } finally {
    await miniflare.dispose();
  }
});
