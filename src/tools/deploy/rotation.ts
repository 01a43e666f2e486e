import { DAY_MS } from "../../domain/calendar.ts";
import { OLDER_VALUE_DAYS, type SecretName } from "../../domain/secret-pair.ts";
import { makeSecret, type SecretHolder } from "./choose-secrets.ts";
import { DeployError } from "./deploy-error.ts";

type Slot = 1 | 2;

/** The last finished rotation of a secret. */
export interface FinishedRotation {
  /** 1: the newer value is in `NAME`. 2: it is in `NAME_2`. */
  readonly slot: Slot;
  /** Milliseconds. */
  readonly signsFrom: number;
}

/** A rotation that has begun. It is stored before a Worker has its value, so that the next run finishes it with the same value. */
export interface Rotation {
  readonly name: SecretName;
  readonly value: string;
  /** The slots that get the value: both if the earlier values leaked. */
  readonly slots: readonly Slot[];
  readonly signsFrom: number;
}

/** The time until every isolate of every Worker accepts a new value. An upload with a new image of the Container takes minutes. */
const ACCEPTED_BEFORE_MS = 60 * 60_000;
/** The days until the next rotation of a secret whose older value is valid until then. */
const GUARDED_DAYS = 30;

/**
 * The next value of a secret. It takes the place of the older value, so the newer one stays valid.
 * @param last the secret's last rotation by this installation
 * @throws DeployError if that would end values that are in use, or if the older of two values is unknown
 */
export function planRotation(
  { name, isLeaked }: { readonly name: SecretName; readonly isLeaked: boolean },
  holders: readonly SecretHolder[],
  last: FinishedRotation | undefined,
  now: number,
): Rotation {
  const needing = holders.filter(({ required }) => required.includes(name));
  if (!needing.every(({ present }) => present.has(name)))
    throw new DeployError(`${name} has no value yet: deploy first`);
  if (isLeaked) return { name, value: stampedValue(now), slots: [1, 2], signsFrom: toSecond(now) };
  const hasSecond = needing.some(({ present }) => present.has(secondOf(name)));
  if (hasSecond && last === undefined) {
    throw new DeployError(`${name} was rotated by another folder of this installation, which knows its older value.
Rotate it there, or replace both values, which ends all that they signed: --leaked`);
  }
  const usedUntil = last && last.signsFrom + (OLDER_VALUE_DAYS[name] ?? GUARDED_DAYS) * DAY_MS;
  if (usedUntil !== undefined && now < usedUntil) {
    throw new DeployError(`${name} was rotated lately, and its older value may be in use until ${toTime(usedUntil)}.
Wait until then, or replace both values, which ends all that they signed: --leaked`);
  }
  // A clock that was set back must not make this value the older one.
  const signsFrom = toSecond(Math.max(now + ACCEPTED_BEFORE_MS, (last?.signsFrom ?? 0) + 1000));
  // A Worker that was rolled back may have no second value: its only value must stay.
  const haveSecond = needing.every(({ present }) => present.has(secondOf(name)));
  const slot = last?.slot === 2 && haveSecond ? 1 : 2;
  return { name, value: stampedValue(signsFrom), slots: [slot], signsFrom };
}

/** The secrets to upload for a rotation, by Worker and name. */
export function rotatedSecrets({ name, value, slots }: Rotation, holders: readonly SecretHolder[]) {
  const secrets = Object.fromEntries(slots.map((slot) => [slot === 1 ? name : secondOf(name), value]));
  return new Map(holders.filter(({ required }) => required.includes(name)).map((holder) => [holder.name, secrets]));
}

export function finishedRotation({ slots, signsFrom }: Rotation): FinishedRotation {
  return { slot: slots.at(-1) ?? 1, signsFrom };
}

/** The time from which the new value signs and the time at which the earlier one ends, for the operator. */
export function describeRotation({ name, slots, signsFrom }: Rotation): string {
  if (slots.length === 2) return `${name}: the values before are refused from now on`;
  const days = OLDER_VALUE_DAYS[name];
  const end = days === null ? "until the next rotation" : `until ${toTime(signsFrom + days * DAY_MS)}`;
  return `${name}: the new value signs from ${toTime(signsFrom)}, the one before is accepted ${end}`;
}

/** The name of a secret's second value. */
function secondOf(name: string): string {
  return `${name}_2`;
}

function stampedValue(signsFrom: number): string {
  return `${Math.floor(signsFrom / 1000)}.${makeSecret()}`;
}

function toSecond(time: number): number {
  return Math.floor(time / 1000) * 1000;
}

function toTime(time: number): string {
  return `${new Date(time).toISOString().slice(0, 16).replace("T", " ")} UTC`;
}
