/** The longest range of a file that one request reads or writes, in bytes. */
export const MAX_RANGE_BYTES = 16 * 1024 * 1024;
