import type { LucideIcon } from "lucide-react";
import type { ReactNode } from "react";
import type { OperatorList } from "../api/queries/operator.ts";
import { Button } from "../design/button.tsx";
import { Empty } from "../design/empty.tsx";
import { Problem } from "../design/problem.tsx";
import { Skeleton } from "../design/skeleton.tsx";
import styles from "./operator.module.css";

interface OperatorListProps<Item> {
  readonly of: OperatorList<Item>;
  /** The listed things: "accounts". */
  readonly what: string;
  /** Shown if there are none. */
  readonly empty: { readonly icon: LucideIcon; readonly title: string; readonly text?: ReactNode };
  readonly children: (items: readonly Item[]) => ReactNode;
}

/** The states of a list: loading, failing, empty, and more pages. */
export function OperatorListView<Item>({ of: list, what, empty, children }: OperatorListProps<Item>) {
  const { items, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage, isFetchNextPageError } = list;
  return (
    <>
      {items === undefined && error === null && (
        <>
          <Skeleton height={44} />
          <Skeleton height={44} />
          <Skeleton height={44} />
        </>
      )}
      {items?.length === 0 && (
        <Empty icon={empty.icon} title={empty.title}>
          {empty.text}
        </Empty>
      )}
      {items !== undefined && items.length > 0 && children(items)}
      {error !== null && (
        <Problem
          error={error}
          title={items === undefined ? `The ${what} could not be loaded` : `More ${what} could not be loaded`}
          onRetry={() => void (isFetchNextPageError ? fetchNextPage() : refetch())}
        />
      )}
      {hasNextPage && !isFetchNextPageError && (
        <div className={styles.more}>
          <Button busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            Show more
          </Button>
        </div>
      )}
    </>
  );
}
