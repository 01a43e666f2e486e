import {
  type InfiniteData,
  keepPreviousData,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from "@tanstack/react-query";
import { Connection } from "../../../client/connection.ts";
import { itemsOf, type ListPage } from "../../../client/listing.ts";
import type {
  AdminAccount,
  ListedAccount,
  ReportedFile,
  ServiceOverview,
  ShownAccount,
} from "../../../client/types.ts";
import { REASON_HEADER } from "../../../domain/operator.ts";
import { connection } from "../client.ts";
import { pacedFetch } from "../paced-fetch.ts";
import { queryClient } from "../query-client.ts";
import { accountQuery } from "./account.ts";

const KEY = "operator";
const PAGE_SIZE = 50;
/** A change whose answer is lost is repeated a few times; then its dialog says so, and the operator may repeat it. */
const CHANGE_RETRIES = 2;
/** The overview is read again after this time while its page is shown. */
const OVERVIEW_EVERY_MS = 30_000;

/** Calls an endpoint of the operator. If the account has lost the mark, the pages of the room are no longer shown. */
async function ask<Answer>(answer: Promise<Answer>): Promise<Answer> {
  try {
    return await answer;
  } catch (error) {
    if ((error as { readonly code?: string }).code === "operator_required") {
      queryClient.setQueryData<ShownAccount>(accountQuery.queryKey, (shown) => shown && { ...shown, operator: false });
    }
    throw error;
  }
}

interface ListSlice<Item> {
  readonly items: readonly Item[];
  readonly nextCursor: string | null;
}

/** A list of the operator, in pages of 50. */
export function useOperatorList<Item>(path: string, query: Readonly<Record<string, string | undefined>> = {}) {
  const { data, ...list } = useInfiniteQuery({
    queryKey: [KEY, path, query],
    queryFn: async ({ signal, pageParam: cursor }): Promise<ListSlice<Item>> => {
      const sent = { ...query, cursor, limit: PAGE_SIZE };
      const page = await ask(connection.call<ListPage>("GET", path, { query: sent, signal }));
      return { items: itemsOf<Item>(page), nextCursor: page.pagination.nextCursor };
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
    placeholderData: keepPreviousData<InfiniteData<ListSlice<Item>, string | undefined>>,
    staleTime: 0,
  });
  return { ...list, items: data?.pages.flatMap(({ items }) => items) };
}

export type OperatorList<Item> = ReturnType<typeof useOperatorList<Item>>;

/** Health and figures, read again every 30 seconds. */
export function useServiceOverview() {
  return useQuery({
    queryKey: [KEY, "overview"],
    queryFn: ({ signal }) => ask(connection.call<ServiceOverview>("GET", "/admin/overview", { signal })),
    refetchInterval: OVERVIEW_EVERY_MS,
    staleTime: 0,
  });
}

/** One account by its id; null if there is no such account. */
export function useOperatorAccount(id: string) {
  return useQuery({
    queryKey: [KEY, "account", id],
    queryFn: async ({ signal }): Promise<AdminAccount | null> => {
      const found = await ask(
        connection.call<{ readonly accounts: readonly ListedAccount[] }>("GET", "/admin/accounts", {
          query: { q: id },
          signal,
        }),
      );
      const email = found.accounts.find(({ _id }) => _id === id)?.email;
      return email === undefined ? null : ask(connection.call<AdminAccount>("GET", accountPath(email), { signal }));
    },
    staleTime: 0,
  });
}

/** A report with its file and account. @param id undefined reads nothing */
export function useReportedFile(id: string | undefined) {
  return useQuery({
    queryKey: [KEY, "report", id],
    queryFn: ({ signal }) => ask(connection.call<ReportedFile>("GET", `/admin/reports/${id}`, { signal })),
    enabled: id !== undefined,
    staleTime: 0,
  });
}

/** The path of an account's endpoints. */
export function accountPath(email: string): string {
  return `/admin/accounts/${encodeURIComponent(email)}`;
}

interface OperatorChange {
  readonly method: "POST" | "PUT" | "DELETE";
  readonly path: string;
  readonly body?: object;
  /** A 404 after a lost answer means that the change was made. */
  readonly removes?: boolean;
  /** Why, for the audit log. It is sent in a header; bodies with a `reason` have it, too. */
  readonly reason: string;
}

/** Changes something as the operator. Every change may be repeated. Afterwards everything that is shown is read again. */
export function useOperatorChange<Answer = unknown>() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ reason, method, path, ...options }: OperatorChange) =>
      ask(withReason(reason).call<Answer>(method, path, { ...options, repeatable: true })),
    onSettled: () => queries.invalidateQueries({ queryKey: [KEY] }),
  });
}

/** A connection whose requests have a reason for the audit log. Headers have only ASCII, so it is percent-encoded. */
function withReason(reason: string): Connection {
  const header = { [REASON_HEADER]: encodeURIComponent(reason) };
  return new Connection({
    baseUrl: location.origin,
    retries: CHANGE_RETRIES,
    fetch: (input, init) => pacedFetch(input, { ...init, headers: { ...(init?.headers as object), ...header } }),
  });
}
