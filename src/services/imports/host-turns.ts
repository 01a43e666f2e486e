import { MAX_FETCHES_PER_HOST } from "../../domain/imports.ts";
import { toLogLine } from "../../domain/log-line.ts";
import type { Services } from "../context.ts";

/** The time of a turn. It is longer than an attempt, so that a turn ends by itself only if its runner died. */
const TURN_MS = 15 * 60_000;
/** A runner prolongs a turn that is older. */
const PROLONG_MS = 4 * 60_000;

/**
 * The hosts from which one runner fetches. A host has a bounded number of turns for all accounts, so that a slow host occupies few consumers,
 * and no host is flooded. A runner keeps its turns for its next items, which mostly have the same host.
 */
export class HostTurns {
  readonly #services: Pick<Services, "addressMeterOf" | "now">;
  readonly #turn = crypto.randomUUID();
  /** When each turn was taken. */
  readonly #taken = new Map<string, number>();

  constructor(services: Pick<Services, "addressMeterOf" | "now">) {
    this.#services = services;
  }

  /** The hosts of which the runner has turns. */
  get count(): number {
    return this.#taken.size;
  }

  /** @returns false if the host has no free turn */
  async enter(host: string): Promise<boolean> {
    const now = this.#services.now();
    if (now - (this.#taken.get(host) ?? 0) < PROLONG_MS) return true;
    const isFree = await this.#meterOf(host).takeTurn(this.#turn, MAX_FETCHES_PER_HOST, now + TURN_MS);
    if (isFree) this.#taken.set(host, now);
    return isFree;
  }

  /** Ends all turns. A turn that is not ended expires. */
  async leave(): Promise<void> {
    const hosts = [...this.#taken.keys()];
    this.#taken.clear();
    for (const ended of await Promise.allSettled(hosts.map((host) => this.#meterOf(host).endTurn(this.#turn)))) {
      if (ended.status === "rejected") console.warn(toLogLine("import.turn-not-ended", {}, ended.reason));
    }
  }

  #meterOf(host: string) {
    return this.#services.addressMeterOf(`import-host:${host}`);
  }
}
