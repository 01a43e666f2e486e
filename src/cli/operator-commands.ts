import { userInfo } from "node:os";
import type { Connection } from "../client/connection.ts";
import { itemsOf, toListing } from "../client/listing.ts";
import type { ServiceOverview } from "../client/types.ts";
import { OPERATOR_HEADER, REASON_HEADER } from "../domain/operator.ts";

/** The operator's commands on accounts, files and reports: each is one request, or the pages of a list. */

interface OperatorCommand {
  /** The words after the name, as in the usage. Required words are in capitals, optional words in brackets. */
  readonly words: string;
  readonly does: string;
  run(connection: Connection, words: readonly string[]): Promise<void>;
}

const account = (email: string | undefined) => `/admin/accounts/${encodeURIComponent(email ?? "")}`;

const COMMANDS: Readonly<Record<string, OperatorCommand>> = {
  accounts: {
    words: "[E-MAIL_OR_ID]",
    does: "accounts by e-mail; the word is the beginning of an e-mail, or an account's id",
    run: (connection, [q]) => showPages(connection, "/admin/accounts", { q }),
  },
  operators: {
    words: "",
    does: "accounts that may use the operator's room of the dashboard",
    run: (connection) => showPages(connection, "/admin/operators"),
  },
  "mark-operator": {
    words: "EMAIL REASON [ACCOUNT_ID]",
    does: "opens the operator's room to the account; an unverified e-mail needs the id",
    run: async (connection, [email, reason, accountId]) => {
      const body = { reason, ...(accountId === undefined ? {} : { accountId }) };
      console.log(await connection.call("POST", `${account(email)}/mark-operator`, { body, repeatable: true }));
    },
  },
  "unmark-operator": {
    words: "EMAIL REASON",
    does: "closes the operator's room to the account at once",
    run: (connection, [email, reason]) => act(connection, `${account(email)}/unmark-operator`, reason),
  },
  overview: {
    words: "",
    does: "health, queues, overdue changes, and the last two weeks by day",
    run: showOverview,
  },
  suspend: {
    words: "EMAIL REASON [no-files]",
    does: "stops sessions and keys, and with no-files the files; the owner reads the reason",
    run: async (connection, [email, reason, files]) => {
      if (files !== undefined && files !== "no-files") throw new Error(`The last word is no-files, not ${files}`);
      const body = { reason, serveFiles: files === undefined };
      console.log(await connection.call("POST", `${account(email)}/suspend`, { body, repeatable: true }));
    },
  },
  unsuspend: {
    words: "EMAIL REASON",
    does: "lets the account continue",
    run: (connection, [email, reason]) => act(connection, `${account(email)}/unsuspend`, reason),
  },
  "end-sessions": {
    words: "EMAIL REASON",
    does: "logs the account out everywhere",
    run: (connection, [email, reason]) => act(connection, `${account(email)}/end-sessions`, reason),
  },
  "set-email": {
    words: "EMAIL NEW_EMAIL REASON",
    does: "gives the account another address",
    run: async (connection, [email, to, reason]) => {
      const body = { email: to, reason };
      console.log(await connection.call("POST", `${account(email)}/set-email`, { body }));
    },
  },
  "send-reset": {
    words: "EMAIL REASON",
    does: "mails a link to a new password",
    run: (connection, [email, reason]) => act(connection, `${account(email)}/send-reset`, reason),
  },
  erase: {
    words: "EMAIL REASON",
    does: "erases the account with every file and row",
    run: (connection, [email, reason]) => act(connection, `${account(email)}/erase`, reason),
  },
  "take-down": {
    words: "URL_OR_ID REASON [KEEP_DAYS]",
    does: "451 at once; keeps the bytes, 30 days by default",
    run: async (connection, [file = "", reason, days]) => {
      const named = file.includes("/") ? { url: file } : { id: file };
      const body = { ...named, reason, ...(days === undefined ? {} : { keepDays: Number(days) }) };
      console.log(await connection.call("POST", "/admin/takedowns", { body, repeatable: true }));
    },
  },
  takedowns: {
    words: "[URL_OR_ID]",
    does: "files that were taken down, newest first, with their actors",
    run: (connection, [file]) => showPages(connection, "/admin/takedowns", { file }),
  },
  restore: {
    words: "TAKEDOWN_ID",
    does: "serves a taken-down file again",
    run: async (connection, [id = ""]) =>
      console.log(await connection.call("DELETE", `/admin/takedowns/${encodeURIComponent(id)}`)),
  },
  reports: {
    words: "",
    does: "open reports of files, oldest first",
    run: (connection) => showPages(connection, "/admin/reports"),
  },
  report: {
    words: "REPORT_ID",
    does: "a report with its file and account",
    run: async (connection, [id = ""]) => {
      console.dir(await connection.call("GET", `/admin/reports/${encodeURIComponent(id)}`), { depth: null });
    },
  },
  "decide-report": {
    words: "REPORT_ID DECISION REASON",
    does: "dismissed, taken-down or suspended",
    run: async (connection, [id = "", decision, reason]) => {
      const path = `/admin/reports/${encodeURIComponent(id)}`;
      console.log(await connection.call("POST", path, { body: { decision, reason }, repeatable: true }));
    },
  },
  "make-placeholders": {
    words: "[EMAIL]",
    does: "ThumbHashes and colours of older uploads; of all accounts without EMAIL",
    run: makePlaceholders,
  },
  audit: {
    words: "[EMAIL]",
    does: "the operator's actions, newest first",
    run: (connection, [email]) => showPages(connection, "/admin/audit", { email }),
  },
};

async function makePlaceholders(connection: Connection, [email]: readonly string[]): Promise<void> {
  let announced = 0;
  let cursor: string | null = null;
  do {
    const body = { ...(email === undefined ? {} : { email }), ...(cursor === null ? {} : { cursor }) };
    const step: { readonly announced: number; readonly pagination: { readonly nextCursor: string | null } } =
      await connection.call("POST", "/admin/placeholders", { body, repeatable: true });
    announced += step.announced;
    cursor = step.pagination.nextCursor;
  } while (cursor !== null);
  console.log(`announced: ${announced}`);
}

async function showOverview(connection: Connection): Promise<void> {
  const overview: ServiceOverview = await connection.call("GET", "/admin/overview");
  const { dependencies, queues, databases, deadLetters, overdueIntents, hours } = overview;
  for (const table of [dependencies, queues, databases]) console.table(table);
  console.log(`dead letters: ${deadLetters.retrying} retrying, ${deadLetters.givenUp} given up`);
  console.log(`overdue changes: ${overdueIntents.count}`);
  const days = Map.groupBy(hours, ({ at }) => at.slice(0, 10));
  const sum = (of: typeof hours, name: Exclude<keyof (typeof hours)[number], "at">) =>
    of.reduce((total, hour) => total + hour[name], 0);
  console.table(
    Array.from(days, ([day, of]) => ({
      day,
      requests: sum(of, "requests"),
      clientErrors: sum(of, "clientErrors"),
      serverErrors: sum(of, "serverErrors"),
      slow: sum(of, "slow"),
      uploads: sum(of, "uploads"),
      uploadBytes: sum(of, "uploadBytes"),
    })),
  );
}

async function act(connection: Connection, path: string, reason: string | undefined): Promise<void> {
  console.log(await connection.call("POST", path, { body: { reason }, repeatable: true }));
}

async function showPages(connection: Connection, path: string, query?: object): Promise<void> {
  for await (const page of toListing(connection, path, { query }).pages()) {
    const items = itemsOf<object>(page);
    if (items.length > 0) console.table(items);
  }
}

/** Lines of the usage. */
export const OPERATOR_USAGE = Object.entries(COMMANDS)
  .map(([name, { words, does }]) => `  npm run admin -- ${`${name} ${words}`.padEnd(30)}(${does})`)
  .join("\n");

/** Runs a command of this table. @returns false if there is no such command, or its words do not fit */
export async function runOperatorCommand(
  connection: Connection,
  [name = "", ...words]: readonly string[],
): Promise<boolean> {
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (command === undefined) return false;
  const named = command.words.split(" ").filter((word) => word !== "");
  const required = named.filter((word) => !word.startsWith("[")).length;
  if (words.length < required || words.length > named.length) return false;
  await command.run(connection, words);
  return true;
}

/** Signs requests for the audit log: with OPERATOR or the name of this computer's user, and with REASON. */
export function signedFetch(env: NodeJS.ProcessEnv): typeof fetch {
  const signature = {
    [OPERATOR_HEADER]: encodeURIComponent(env.OPERATOR ?? userInfo().username),
    ...(env.REASON === undefined ? {} : { [REASON_HEADER]: encodeURIComponent(env.REASON) }),
  };
  return (input, init) => fetch(input, { ...init, headers: { ...(init?.headers as object), ...signature } });
}
