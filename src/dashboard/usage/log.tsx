import ScrollText from "lucide-react/icons/scroll-text";
import { useLocation, useSearch } from "wouter";
import { useKeys } from "../api/queries/keys.ts";
import { useLogPage } from "../api/queries/logs.ts";
import { Empty } from "../design/empty.tsx";
import { Problem } from "../design/problem.tsx";
import { Skeleton } from "../design/skeleton.tsx";
import { LogFilterBar } from "./log-filter-bar.tsx";
import { LOG_PAGE_ITEMS, type LogFilters, parseLogFilters, writeLogFilters } from "./log-filters.ts";
import { LogPager } from "./log-pager.tsx";
import { LogTable } from "./log-table.tsx";

/** The operations that the URL's filters let through, a page of them. */
export function Log() {
  const filters = parseLogFilters(useSearch());
  const [, navigate] = useLocation();
  const keys = useKeys().data ?? [];
  const { type, keyId, from, to, page } = filters;
  const { data, error, isPlaceholderData, refetch } = useLogPage({
    ...{ type, keyId, page, limit: LOG_PAGE_ITEMS },
    from,
    to,
  });
  const show = (change: Partial<LogFilters>) =>
    navigate(`/usage/log${writeLogFilters({ ...filters, page: 1, ...change })}`, { replace: !("page" in change) });
  const isFiltered = [type, keyId, from, to].some((value) => value !== undefined);
  return (
    <>
      <LogFilterBar filters={filters} keys={keys} onChange={show} />
      {error !== null && <Problem error={error} title="The log could not be loaded" onRetry={() => void refetch()} />}
      {data === undefined && error === null && <Skeleton height={320} />}
      {data?.logs.length === 0 && (
        <Empty icon={ScrollText} title={isFiltered ? "Nothing matches these filters" : "Nothing was done yet"}>
          The log holds the operations of the last 90 days.
        </Empty>
      )}
      {data !== undefined && data.logs.length > 0 && (
        <>
          <LogTable entries={data.logs} keys={keys} isStale={isPlaceholderData} />
          <LogPager pagination={data.pagination} onPage={(next) => show({ page: next })} />
        </>
      )}
    </>
  );
}
