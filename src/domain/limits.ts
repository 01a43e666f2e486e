/** Limits of one request or one account that clients are told of, wherever they are enforced. */

/** Files of one upload request. */
export const MAX_FILES = 50;
/** Ids of one body. */
export const MAX_IDS = 1000;
/** Ids of one deletion. */
export const MAX_DELETED = 100;
/** Uploads that one change by filter is for; it goes on by a cursor. */
export const MAX_MATCHES_CHANGED = 10_000;
/** A thousand ids are a tenth of this. */
export const MAX_JSON_BYTES = 256 * 1024;
export const MAX_PAGE_ITEMS = 100;
export const DEFAULT_PAGE_ITEMS = 50;
/** Tags of one answer. */
export const MAX_LISTED_TAGS = 200;
export const DEFAULT_TAGS = 50;
export const MAX_SEARCH_CHARACTERS = 200;
/** So many operations of the log are counted, and can be reached by `page`; what is behind them is reached by `cursor`. */
export const MAX_COUNTED_OPERATIONS = 10_000;
