import { createInterface } from "node:readline/promises";
import { DeployError } from "./deploy-error.ts";
import type { Installation } from "./installation.ts";
import type { Inventory } from "./inventory.ts";
import type { DeployOptions } from "./options.ts";
import { isJurisdiction, isLocation, JURISDICTIONS, LOCATIONS, type Residence } from "./residence.ts";
import type { Resources } from "./resources.ts";

/** Asks a person a question. */
export type Ask = (question: string) => Promise<string>;

/** Undefined if there is no person at the terminal, as in CI. */
export function openAsk(): Ask | undefined {
  if (!process.stdin.isTTY || !process.stdout.isTTY) return undefined;
  return async (question) => {
    const terminal = createInterface(process.stdin, process.stdout);
    try {
      return (await terminal.question(question)).trim().toLowerCase();
    } finally {
      terminal.close();
    }
  };
}

const MENU = `Choose the place of the databases and files. It cannot be changed later.
${[...list(LOCATIONS, ""), ...list(JURISDICTIONS, "guaranteed: ")].join("\n")}
Place: `;

/**
 * The place of the last run, else of the options, else of the person's answer.
 * @returns undefined for an installation that was created before places could be chosen
 * @throws DeployError if a store has to be created and no place was chosen, or if the options name another place than the installation's
 */
export async function chooseResidence(
  options: DeployOptions,
  { record }: Pick<Installation, "record">,
  inventory: Inventory,
  resources: Resources,
  ask: Ask | undefined,
): Promise<Residence | undefined> {
  const { place: chosen } = options;
  const { place: known } = record;
  if (known !== undefined) {
    if (chosen === undefined || toText(chosen) === toText(known)) return known;
    throw new DeployError(
      `${options.name} is in ${toText(known)}, and Cloudflare moves no database and no bucket. To move, deploy another installation
(--name) there, and restore a backup into it.`,
    );
  }
  if (chosen !== undefined) return chosen;
  const isFirst =
    resources.databases.every((name) => !inventory.databases.has(name)) &&
    resources.buckets.every((name) => !inventory.buckets.has(name));
  if (!isFirst) return undefined;
  if (options.isDryRun) return undefined;
  if (ask === undefined) {
    throw new DeployError(
      `The first deployment needs the place of the data, which cannot be changed later:
  --location ${Object.keys(LOCATIONS).join("|")}    a hint: near these users
  --jurisdiction ${Object.keys(JURISDICTIONS).join("|")}    a guarantee: data stays there`,
    );
  }
  for (;;) {
    const answer = await ask(MENU);
    if (isLocation(answer)) return { location: answer };
    if (isJurisdiction(answer)) return { jurisdiction: answer };
  }
}

function toText(place: Residence): string {
  return "location" in place ? `location ${place.location}` : `jurisdiction ${place.jurisdiction}`;
}

function list(names: Readonly<Record<string, string>>, kind: string): string[] {
  return Object.entries(names).map(([name, meaning]) => `  ${name.padEnd(8)} ${kind}${meaning}`);
}
