/** The database of a library: the two digits in the binding `LIBRARY_<shard>`. */
export type Shard = `${Digit}${Digit}`;

type Digit = "0" | "1" | "2" | "3" | "4" | "5" | "6" | "7" | "8" | "9";

const SHARD = /^\d\d$/;

export function isShard(text: string): text is Shard {
  return SHARD.test(text);
}
