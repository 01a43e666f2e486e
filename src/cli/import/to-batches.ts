import type { ImportRequest } from "../../client/types.ts";

/** An item of an import. */
export interface NamedItem {
  /** Names the item to a person, without secrets. */
  readonly name: string;
  readonly item: ImportRequest["items"][number];
}

/** The most of one request, in items and in bytes of JSON, which leave room for folders and tags. */
const ITEMS_AT_ONCE = 1000;
const BYTES_AT_ONCE = 1_000_000;

export async function* toBatches(items: AsyncIterable<NamedItem>): AsyncGenerator<NamedItem[]> {
  let batch: NamedItem[] = [];
  let bytes = 0;
  for await (const each of items) {
    batch.push(each);
    bytes += Buffer.byteLength(JSON.stringify(each.item));
    if (batch.length < ITEMS_AT_ONCE && bytes < BYTES_AT_ONCE) continue;
    yield batch;
    batch = [];
    bytes = 0;
  }
  if (batch.length > 0) yield batch;
}
