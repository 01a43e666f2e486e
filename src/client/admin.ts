import type { CallOptions } from "./connection.ts";
import type { Client } from "./index.ts";
import { toListing } from "./listing.ts";
import type {
  AccountIntent,
  AccountIntents,
  AccountReconciliationOrder,
  AdminAccount,
  ChangedDeadLetters,
  ChangedTier,
  DeadLetter,
  DeadLetterIds,
  Erasure,
  FailedThumbnail,
  IntentRetry,
  Invitation,
  InvitationChange,
  ListedAccount,
  Message,
  MoveProgress,
  NewInvitation,
  OperatorMark,
  OverdueIntent,
  ReconciledAccount,
  Reconciliation,
  ReconciliationOrder,
  ReportedFile,
  RetriedIntent,
  RetriedThumbnails,
  RetryThumbnails,
  ServiceOverview,
  ShardState,
  Shards,
  Tier,
  UpdatedDatabases,
} from "./types.ts";

/** The operator's endpoints. The client's `key` is the ADMIN_TOKEN. */
export function createAdmin({ connection }: Pick<Client, "connection">) {
  const account = (email: string) => `/admin/accounts/${encodeURIComponent(email)}`;
  const invitation = (email: string) => `/admin/invitations/${encodeURIComponent(email)}`;
  const listing = <Item>(path: string, options?: CallOptions, query?: object) =>
    toListing<Item>(connection, path, { ...options, query });
  return {
    account: (email: string, options?: CallOptions): Promise<AdminAccount> =>
      connection.call("GET", account(email), options),
    /** Accounts by e-mail. @param q the beginning of an e-mail, or an account's id */
    accounts: (q?: string, options?: CallOptions) => listing<ListedAccount>("/admin/accounts", options, { q }),
    /** Accounts with the operator's mark. */
    operators: (options?: CallOptions) => listing<ListedAccount>("/admin/operators", options),
    markOperator: (email: string, body: OperatorMark, options?: CallOptions): Promise<ListedAccount> =>
      connection.call("POST", `${account(email)}/mark-operator`, { ...options, body, repeatable: true }),
    unmarkOperator: (email: string, reason: string, options?: CallOptions): Promise<ListedAccount> =>
      connection.call("POST", `${account(email)}/unmark-operator`, { ...options, body: { reason }, repeatable: true }),
    overview: (options?: CallOptions): Promise<ServiceOverview> => connection.call("GET", "/admin/overview", options),
    /** A report with its file and account. */
    report: (id: string, options?: CallOptions): Promise<ReportedFile> =>
      connection.call("GET", `/admin/reports/${encodeURIComponent(id)}`, options),
    setTier: (email: string, tier: Tier, options?: CallOptions): Promise<ChangedTier> =>
      connection.call("PUT", account(email), { ...options, body: { tier } }),
    /** Continues the move. Call it again while the state is `moving`. */
    moveAccount: (email: string, shard: string, options?: CallOptions): Promise<MoveProgress> =>
      connection.call("POST", `${account(email)}/move`, { ...options, body: { shard }, repeatable: true }),
    shards: (options?: CallOptions): Promise<Shards> => connection.call("GET", "/admin/shards", options),
    updateShard: (shard: string, open: boolean, options?: CallOptions): Promise<ShardState> =>
      connection.call("PUT", `/admin/shards/${encodeURIComponent(shard)}`, { ...options, body: { open } }),
    invitations: (options?: CallOptions) => listing<Invitation>("/admin/invitations", options),
    invite: (email: string, change: InvitationChange = {}, options?: CallOptions): Promise<NewInvitation> =>
      connection.call("PUT", invitation(email), { ...options, body: change }),
    uninvite: (email: string, options?: CallOptions): Promise<Message | undefined> =>
      connection.call("DELETE", invitation(email), options),
    /** Overdue changes of all accounts. */
    intents: (options?: CallOptions) => listing<OverdueIntent>("/admin/intents", options),
    /** Open changes of one account, by id. */
    intentsOf: (email: string, options?: CallOptions) => listing<AccountIntent>(`${account(email)}/intents`, options),
    /** The first hundred open changes of one account. */
    accountIntents: (email: string, options?: CallOptions): Promise<AccountIntents> =>
      connection.call("GET", `${account(email)}/intents`, options),
    retryIntent: (body: IntentRetry, options?: CallOptions): Promise<RetriedIntent> =>
      connection.call("POST", "/admin/intents/retry", { ...options, body, repeatable: true }),
    /** Messages that could not be delivered for hours. */
    deadLetters: (options?: CallOptions) => listing<DeadLetter>("/admin/dead-letters", options),
    retryDeadLetters: (body: DeadLetterIds, options?: CallOptions): Promise<ChangedDeadLetters> =>
      connection.call("POST", "/admin/dead-letters/retry", { ...options, body, repeatable: true }),
    dropDeadLetters: (body: DeadLetterIds, options?: CallOptions): Promise<ChangedDeadLetters> =>
      connection.call("POST", "/admin/dead-letters/drop", { ...options, body, repeatable: true }),
    /** @param email limits it to one account */
    failedThumbnails: (email?: string, options?: CallOptions) =>
      listing<FailedThumbnail>("/admin/thumbnails/failed", options, { email }),
    /** One step. Pass the answer's `pagination.nextCursor` as `cursor` for the next step. */
    retryThumbnails: (body: RetryThumbnails = {}, options?: CallOptions): Promise<RetriedThumbnails> =>
      connection.call("POST", "/admin/thumbnails/retry", { ...options, body, repeatable: true }),
    erasure: (accountId: string, options?: CallOptions): Promise<Erasure> =>
      connection.call("GET", `/admin/erasures/${encodeURIComponent(accountId)}`, options),
    /** Starts the comparison of all accounts' stores. The service continues it even if this program ends. */
    startReconciliation: (body: ReconciliationOrder = {}, options?: CallOptions): Promise<Reconciliation> =>
      connection.call("POST", "/admin/reconcile", { ...options, body, repeatable: true }),
    reconciliation: (options?: CallOptions): Promise<Reconciliation> =>
      connection.call("GET", "/admin/reconcile", options),
    /** One step. Pass the answer's `pagination.nextCursor` as `cursor` for the next step. */
    reconcileAccount: (
      email: string,
      body: AccountReconciliationOrder = {},
      options?: CallOptions,
    ): Promise<ReconciledAccount> =>
      connection.call("POST", `${account(email)}/reconcile`, { ...options, body, repeatable: true }),
    /** Brings the databases' schemas up to date. */
    updateSchema: (options?: CallOptions): Promise<UpdatedDatabases> =>
      connection.call("POST", "/admin/schema", { ...options, repeatable: true }),
    /** Metrics in the text format of Prometheus. */
    metrics: async (options?: CallOptions): Promise<string> =>
      (await connection.send({ method: "GET", path: "/metrics", ...options })).text(),
  };
}
