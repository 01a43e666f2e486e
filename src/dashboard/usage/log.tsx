import ChevronLeft from "lucide-react/icons/chevron-left";
import ChevronRight from "lucide-react/icons/chevron-right";
import ScrollText from "lucide-react/icons/scroll-text";
import { useLocation, useSearch } from "wouter";
import type { LogPage } from "../../client/index.ts";
import { useKeys } from "../api/queries/keys.ts";
import { useLogPage } from "../api/queries/operations.ts";
import { Button } from "../design/button.tsx";
import { Empty } from "../design/empty.tsx";
import { formatCount, formatPlural } from "../design/format.ts";
import { Problem } from "../design/problem.tsx";
import { SkeletonSection } from "../design/skeleton-section.tsx";
import { LogFilterBar } from "./log-filter-bar.tsx";
import { LAST_LOG_PAGE, LOG_PAGE_ITEMS, type LogFilters, parseLogFilters, writeLogFilters } from "./log-filters.ts";
import styles from "./log-pager.module.css";
import { LogTable } from "./log-table.tsx";

/** The operations that match the URL's filters, in pages. */
export function Log() {
  const filters = parseLogFilters(useSearch());
  const [, navigate] = useLocation();
  const keys = useKeys().data ?? [];
  const { type, keyId, from, to, page } = filters;
  const { data, error, isPlaceholderData, refetch } = useLogPage({
    type,
    keyId,
    from,
    to,
    page,
    limit: LOG_PAGE_ITEMS,
  });
  const show = (change: Partial<LogFilters>) =>
    navigate(`/usage/log${writeLogFilters({ ...filters, page: 1, ...change })}`, { replace: !("page" in change) });
  const isFiltered = [type, keyId, from, to].some((value) => value !== undefined);
  return (
    <>
      <LogFilterBar filters={filters} keys={keys} onChange={show} />
      {error !== null && <Problem error={error} title="The log could not be loaded" onRetry={() => void refetch()} />}
      {data === undefined && error === null && <SkeletonSection rows={8} />}
      {data?.logs.length === 0 && (
        <Empty icon={ScrollText} title={isFiltered ? "No operations match these filters" : "No operations yet"}>
          The log contains the operations of the last 90 days.
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

interface LogPagerProps {
  readonly pagination: LogPage["pagination"];
  readonly onPage: (page: number) => void;
}

/** Newer and older pages. The service counts at most 10,000 operations; a filter by day shows older operations. */
function LogPager({ pagination: { page, limit, total }, onPage }: LogPagerProps) {
  const last = Math.min(LAST_LOG_PAGE, Math.max(1, Math.ceil(total / limit)));
  const first = (page - 1) * limit + 1;
  const isCut = total >= LAST_LOG_PAGE * limit;
  return (
    <nav aria-label="Pages of the log" className={styles.pager}>
      <p role="status">
        {formatCount(first)} to {formatCount(Math.min(total, page * limit))} of {isCut && "more than "}
        {formatPlural(total, "operation")}
        {isCut && page === last && ". Filter by day to see older operations."}
      </p>
      <Button icon={ChevronLeft} disabled={page <= 1} onClick={() => onPage(page - 1)}>
        Newer
      </Button>
      <Button disabled={page >= last} onClick={() => onPage(page + 1)}>
        Older
        <ChevronRight size={16} aria-hidden />
      </Button>
    </nav>
  );
}
