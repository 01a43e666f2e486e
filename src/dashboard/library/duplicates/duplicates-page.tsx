import Files from "lucide-react/icons/files";
import { Suspense, useEffect } from "react";
import { useDuplicates } from "../../api/queries/duplicates.ts";
import { Button } from "../../design/button.tsx";
import { Empty } from "../../design/empty.tsx";
import { lazyPart } from "../../design/lazy-part.tsx";
import { Problem } from "../../design/problem.tsx";
import { SkeletonSection } from "../../design/skeleton-section.tsx";
import { LinkButton } from "../../shell/link-button.tsx";
import { Page } from "../../shell/page.tsx";
import styles from "./duplicates.module.css";

const DuplicateList = lazyPart(() => import("./duplicate-list.tsx"));

/** Groups of files with the same bytes. One file of a group is kept, and the others go to the trash. */
export default function DuplicatesPage() {
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetching, isFetchingNextPage } = useDuplicates();
  const groups = data?.pages.flatMap((page) => page.groups) ?? [];
  const isLooking = groups.length === 0 && hasNextPage;
  // The service answers empty pages while it looks through a large library.
  useEffect(() => {
    if (isLooking && !isFetching && error === null) void fetchNextPage();
  }, [isLooking, isFetching, error, fetchNextPage]);
  return (
    <Page title="Duplicates" isWide>
      {error !== null && (
        <Problem
          error={error}
          title="The duplicates could not be loaded"
          onRetry={() => void (data === undefined ? refetch() : fetchNextPage())}
        />
      )}
      {error === null && (data === undefined || isLooking) && <SkeletonSection rows={4} />}
      {data !== undefined && groups.length === 0 && !hasNextPage && (
        <Empty icon={Files} title="No duplicates" action={<LinkButton to="/library">Open the library</LinkButton>}>
          No two files of your library have the same bytes. Files in the trash do not count.
        </Empty>
      )}
      {groups.length > 0 && (
        <p className={styles.hint}>
          The files of a group have the same bytes. The files that you do not keep move to the trash. Their links work
          until they are deleted.
        </p>
      )}
      {data !== undefined && (
        <Suspense fallback={groups.length > 0 && <SkeletonSection rows={4} />}>
          <DuplicateList groups={groups} />
        </Suspense>
      )}
      {groups.length > 0 && hasNextPage && (
        <div className={styles.more}>
          <Button busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            Show more
          </Button>
        </div>
      )}
    </Page>
  );
}
