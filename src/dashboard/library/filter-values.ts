import { MAX_TAGS, splitTags } from "../../domain/tags.ts";

/** The values of the parameters of an address; what makes no sense is undefined, or the default. */

export function inOrder<Bound extends string | number>(low: Bound | undefined, high: Bound | undefined) {
  const isWrong = low !== undefined && high !== undefined && low > high;
  return [low, isWrong ? undefined : high] as const;
}

export function toFolder(given: string | undefined): string {
  return given !== undefined && /^[0-9a-z]{1,64}$/.test(given) ? given : "all";
}

export function toDay(given: string | undefined): string | undefined {
  if (given === undefined || !/^[0-9]{4}-[0-9]{2}-[0-9]{2}$/.test(given)) return undefined;
  const at = Date.parse(given);
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(given) ? given : undefined;
}

export function toBytes(given: string | undefined): number | undefined {
  if (given === undefined || !/^[0-9]{1,15}$/.test(given)) return undefined;
  return Number(given);
}

export function toTags(given: string | undefined): string[] {
  return given === undefined ? [] : splitTags(given).slice(0, MAX_TAGS);
}
