import { findAccount } from "../../db/directory/accounts.ts";
import { type Directory, openDirectory } from "../../db/directory/directory.ts";
import { retry } from "../../isolate/calls.ts";
import type { AccountStores } from "../intents/account-stores.ts";
import { IntentRunner } from "../intents/intent-runner.ts";
import { LibraryMove } from "../intents/library-move.ts";
import { openAccountStores } from "../intents/open-account-stores.ts";
import { OverdueIntents } from "../intents/overdue-intents.ts";
import { sendsMail, verificationMode } from "../mail-bindings.ts";
import { ObjectAlarm } from "../object-alarm.ts";
import { Allowance, RateWindow } from "../request-limits.ts";
import { ResumableProtocol } from "../resumable/resumable-protocol.ts";
import { AccountTables } from "./account-tables.ts";

/** The state that all calls of an account's object share. It lives as long as the object's memory. */
export interface MeterContext {
  readonly env: Env;
  /** The account's id, by which the object is addressed; undefined if an alarm of an earlier runtime woke the object. */
  readonly name: string | undefined;
  readonly storage: DurableObjectStorage;
  readonly tables: AccountTables;
  readonly runner: IntentRunner;
  readonly move: LibraryMove;
  /** Intents whose replay failed. */
  readonly overdue: OverdueIntents;
  readonly resumable: ResumableProtocol;
  readonly requestWindow: RateWindow;
  /** The rate window of requests about unfinished uploads. */
  readonly pieceWindow: RateWindow;
  readonly allowance: Allowance;
  /** The windows and the allowance of requests with upload tokens, so that strangers cannot use up the account's. */
  readonly visitors: { readonly requests: RateWindow; readonly pieces: RateWindow; readonly allowance: Allowance };
  /** Visits of the account's shares. */
  readonly shareVisits: RateWindow;
  /** The requests that deleted the last few folders, by folder. */
  readonly folderDeletions: Map<string, string>;
  /** The time that an intent waits for its request before it is replayed. */
  timeoutMs(): number;
  openStores(): AccountStores;
  openDirectory(): Directory;
  /** Reads the account from the directory if this object does not know it yet. @returns false if there is no such account */
  load(): Promise<boolean>;
}

/** @param env the object's bindings, read at each use: a test may replace those of a living object */
export function openContext(state: DurableObjectState, env: () => Env): MeterContext {
  const { id, storage } = state;
  const alarm = new ObjectAlarm(storage);
  state.blockConcurrencyWhile(() => alarm.open());
  const timeoutMs = () => Number(env().INTENT_TIMEOUT_SECONDS) * 1000;
  const tables = new AccountTables(storage, {
    sendsEmail: () => sendsMail(env()),
    requiresVerification: () => verificationMode(env()) === "required",
    timeoutMs,
    alarm,
  });
  const openStores = () => openAccountStores(env(), tables);
  const openAccountDirectory = () => openDirectory(env(), retry);
  const options = { storage, tables, openStores, timeoutMs };
  const move = new LibraryMove(options);
  const overdue = new OverdueIntents(storage.kv);
  const runner = new IntentRunner({ ...options, move, overdue });
  const resumable = new ResumableProtocol({
    ...options,
    goOn: (intentId) => runner.goOn(intentId),
  });
  return {
    get env() {
      return env();
    },
    name: id.name,
    storage,
    tables,
    runner,
    move,
    overdue,
    resumable,
    requestWindow: new RateWindow(storage.kv),
    pieceWindow: new RateWindow(storage.kv, "pieces-window"),
    allowance: new Allowance(storage.kv),
    visitors: {
      requests: new RateWindow(storage.kv, "visitors-window"),
      pieces: new RateWindow(storage.kv, "visitors-pieces-window"),
      allowance: new Allowance(storage.kv, "visitors-allowance"),
    },
    shareVisits: new RateWindow(storage.kv, "share-visits-window"),
    folderDeletions: new Map(),
    timeoutMs,
    openStores,
    openDirectory: openAccountDirectory,
    load: () => loadAccount(id.name, tables, openAccountDirectory),
  };
}

/**
 * Copies an account's facts from the directory if its object does not know them yet. Facts that another call has stored since are kept.
 * @param id undefined if the object does not know its own name
 * @returns false if there is no such account
 */
async function loadAccount(
  id: string | undefined,
  tables: AccountTables,
  openDirectory: () => Directory,
): Promise<boolean> {
  if (tables.ledger.exists) return true;
  // A restored directory may still have the account.
  if (tables.tombstone.erasedAt !== undefined) return false;
  const account = id === undefined ? undefined : await findAccount(openDirectory(), id);
  if (account === undefined) return tables.ledger.exists;
  const { ledger, credentials } = tables;
  ledger.create(account, Date.now());
  credentials.setProfile(account);
  if (credentials.passwordDigest === undefined) credentials.setPassword(account.passwordHash);
  return true;
}
