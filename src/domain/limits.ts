/** Limits of one request or one account, as clients see them. */

/** Files in an upload request. */
export const MAX_FILES = 50;
/** Ids in a body. */
export const MAX_IDS = 1000;
/** Ids in a bulk deletion. */
export const MAX_DELETED = 100;
/** One request copies at most this many files and bytes to make them public or private. A single file may have more bytes. */
export const MAX_VISIBILITY_CHANGES = 100;
export const MAX_VISIBILITY_BYTES = 1024 ** 3;
/** Uploads that one change by filter covers; a cursor continues it. */
export const MAX_MATCHES_CHANGED = 10_000;
/** A thousand ids take a tenth of this size. */
export const MAX_JSON_BYTES = 256 * 1024;
/** Longer than the cursor of any list. The longest ones have the key of a stored object, or of a backup's row. */
export const MAX_CURSOR_CHARACTERS = 6000;
export const MAX_PAGE_ITEMS = 100;
export const DEFAULT_PAGE_ITEMS = 50;
/** Folders of an account; also the folders of one page, so that a client without paging gets all. */
export const MAX_FOLDERS = 10_000;
export const MAX_LISTED_TAGS = 200;
export const DEFAULT_TAGS = 50;
export const MAX_DUPLICATE_GROUPS = 50;
export const DEFAULT_DUPLICATE_GROUPS = 20;
/** The oldest files with a hash that `GET /duplicates` looks at. */
export const MAX_COUNTED_DUPLICATES = 1000;
/** The files of a group that `GET /duplicates` answers. */
export const MAX_LISTED_DUPLICATES = 12;
export const MAX_SEARCH_CHARACTERS = 200;
/** The log's newest operations, which are counted and which `page` reaches; `cursor` reaches older ones. */
export const MAX_COUNTED_OPERATIONS = 10_000;
