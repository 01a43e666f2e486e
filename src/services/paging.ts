import { createHmac, timingSafeEqual } from "node:crypto";
import { ERRORS } from "../domain/errors.ts";
import { MAX_CURSOR_CHARACTERS } from "../domain/limits.ts";
import type { Config } from "./context.ts";

/** The list that a cursor continues. */
export interface List {
  /** The id of the operation that answers it. */
  readonly name: string;
  /** The owner of the rows; undefined for lists that belong to no account. */
  readonly accountId?: string;
  /** The parameters that choose rows or their order. Undefined ones do not count, and neither does the order of a parameter's values. */
  readonly filters?: object;
}

/** The values of the last row shown by which the list is sorted. They identify a row, so rows that come and go do not shift the next page. */
export type Position = readonly (string | number | null)[];

export interface PageQuery {
  readonly limit: number;
  /** `nextCursor` of an earlier page. */
  readonly cursor?: string | undefined;
}

export interface Page<Row> {
  readonly rows: readonly Row[];
  /** Null on the last page. */
  readonly nextCursor: string | null;
}

/** Rows of a page that the service itself walks. */
const WALKED_ROWS = 1000;

/** The service as the signer of cursors. */
export interface Signer {
  readonly config: Pick<Config, "jwtSecret">;
}

/** They carry 120 bits. */
const MARK_CHARACTERS = 20;

/**
 * Reads a page of a list. Every list but those with a `page` is read by this function.
 * @param read returns the rows after a position, at most `limit`, in the list's order
 * @throws ServiceError 400 if the cursor is not one of this list
 */
export async function readPage<Row, Place extends Position | []>(
  signer: Signer,
  { limit, cursor }: PageQuery,
  {
    list,
    read,
    positionOf,
  }: {
    readonly list: List;
    readonly read: (after: Place | undefined, limit: number) => Promise<readonly Row[]> | readonly Row[];
    readonly positionOf: (row: Row) => Place;
  },
): Promise<Page<Row>> {
  const found = await read(readCursor<Place>(signer, list, cursor), limit + 1);
  const rows = found.slice(0, limit);
  const last = rows.at(-1);
  if (found.length <= limit || last === undefined) return { rows, nextCursor: null };
  return { rows, nextCursor: toCursor(signer, list, positionOf(last)) };
}

/** Every row of a list, page by page. */
export async function* walkPages<Row>(read: (query: PageQuery) => Promise<Page<Row>>): AsyncGenerator<Row> {
  let cursor: string | undefined;
  do {
    const { rows, nextCursor } = await read({ limit: WALKED_ROWS, cursor });
    yield* rows;
    cursor = nextCursor ?? undefined;
  } while (cursor !== undefined);
}

/** Reads a page of a short list whose rows are all in memory, in the order of their keys. @throws ServiceError as `readPage` */
export async function pageOfFew<Row>(
  signer: Signer,
  query: PageQuery,
  {
    list,
    rows,
    keyOf,
    isDescending = false,
  }: {
    readonly list: List;
    readonly rows: readonly Row[];
    readonly keyOf: (row: Row) => string;
    readonly isDescending?: boolean;
  },
): Promise<Page<Row>> {
  const isAfter = (key: string, last: string) => (isDescending ? key < last : key > last);
  return readPage(signer, query, {
    list,
    read: (after: [key: string] | undefined) =>
      rows.filter((row) => after === undefined || isAfter(keyOf(row), after[0])),
    positionOf: (row) => [keyOf(row)],
  });
}

/** The cursor of the page after this position. Clients must not read it. It is signed, so a position need not be checked again. */
export function toCursor({ config }: Signer, list: List, position: Position): string {
  return sign(config.jwtSecret.current, list, Buffer.from(JSON.stringify(position)).toString("base64url"));
}

/**
 * @returns the position; undefined without a cursor
 * @throws ServiceError 400 for a cursor that is damaged, or of another list, other filters or another account
 */
export function readCursor<Place extends Position>(
  { config }: Signer,
  list: List,
  cursor: string | undefined,
): Place | undefined {
  if (cursor === undefined) return undefined;
  const text = cursor.slice(MARK_CHARACTERS);
  const isSigned =
    cursor.length <= MAX_CURSOR_CHARACTERS &&
    config.jwtSecret.accepted.some((secret) => isSame(cursor, sign(secret, list, text)));
  if (!isSigned) throw ERRORS.InvalidCursor();
  return JSON.parse(Buffer.from(text, "base64url").toString());
}

function sign(secret: string, { name, accountId, filters = {} }: List, text: string): string {
  const given = Object.entries(filters)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => [key, Array.isArray(value) ? value.toSorted() : value])
    .sort(([one], [other]) => (one < other ? -1 : 1));
  const signed = JSON.stringify(["cursor", name, accountId ?? null, given, text]);
  return createHmac("sha256", secret).update(signed).digest("base64url").slice(0, MARK_CHARACTERS) + text;
}

function isSame(given: string, expected: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(expected)];
  return one.length === other.length && timingSafeEqual(one, other);
}
