import ChevronLeft from "lucide-react/icons/chevron-left";
import ChevronRight from "lucide-react/icons/chevron-right";
import type { LogPage } from "../../client/index.ts";
import { Button } from "../design/button.tsx";
import { formatCount, formatPlural } from "../design/format.ts";
import { LAST_LOG_PAGE } from "./log-filters.ts";
import styles from "./log-pager.module.css";

interface LogPagerProps {
  readonly pagination: LogPage["pagination"];
  readonly onPage: (page: number) => void;
}

/** Newer and older pages. The service counts 10,000 operations; those behind are found by fewer days. */
export function LogPager({ pagination: { page, limit, total }, onPage }: LogPagerProps) {
  const last = Math.min(LAST_LOG_PAGE, Math.max(1, Math.ceil(total / limit)));
  const first = (page - 1) * limit + 1;
  const isCut = total >= LAST_LOG_PAGE * limit;
  return (
    <nav aria-label="Pages of the log" className={styles.pager}>
      <p role="status">
        {formatCount(first)} to {formatCount(Math.min(total, page * limit))} of {isCut && "more than "}
        {formatPlural(total, "operation")}
        {isCut && page === last && ". Choose days to see older ones."}
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
