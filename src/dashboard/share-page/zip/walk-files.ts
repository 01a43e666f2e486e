import { fetchPage, type PageAnswer } from "../fetch-page.ts";
import { nextPageOf, readTile, type SharedFile, tilesOf } from "../shared-file.ts";
import { pause } from "./pause.ts";

/** A file and the page that has its links. */
export interface WalkedFile extends SharedFile {
  readonly page: string;
}

/** The share has ended while its files were read. */
export class ShareOverError extends Error {
  readonly page: Document;

  constructor(page: Document) {
    super("The share has ended");
    this.page = page;
  }
}

const TRIES = 4;

/**
 * Reads all files of a share, page by page, so that 100,000 files are never in memory together.
 * @throws ShareOverError
 */
export async function* walkFiles(firstPage: string, signal: AbortSignal): AsyncGenerator<WalkedFile> {
  const seen = new Set<string>();
  for (let address: string | undefined = firstPage; address !== undefined; ) {
    const page: Document = await readPage(address, signal);
    for (const tile of tilesOf(page)) {
      // A file may move to a later page when others are added.
      if (seen.has(tile.id)) continue;
      seen.add(tile.id);
      yield { ...readTile(tile), page: address };
    }
    address = nextPageOf(page);
  }
}

/**
 * The file's present link, if it is still on its page.
 * @throws ShareOverError
 */
export async function renewLink({ id, page }: WalkedFile, signal: AbortSignal): Promise<string | undefined> {
  const tile = (await readPage(page, signal)).getElementById(id);
  return tile instanceof HTMLLIElement ? readTile(tile).url : undefined;
}

async function readPage(address: string, signal: AbortSignal): Promise<Document> {
  for (let tries = 1; ; tries += 1) {
    const answer: PageAnswer = await fetchPage(address);
    if (answer.kind === "page") return answer.page;
    if (answer.kind === "over") throw new ShareOverError(answer.page);
    if (answer.kind === "failed" && tries === TRIES) throw new Error("A page of the share could not be loaded");
    await pause(answer.kind === "busy" ? answer.retryAfterSeconds * 1000 : 500 * 2 ** tries, signal);
  }
}
