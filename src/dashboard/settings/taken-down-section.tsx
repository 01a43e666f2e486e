import { useInfiniteQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import { api } from "../api/client.ts";
import { Button } from "../design/button.tsx";
import { formatDate } from "../design/format.ts";
import { Problem } from "../design/problem.tsx";
import rows from "../design/rows.module.css";
import { Section } from "../design/section.tsx";

const PAGE_ITEMS = 20;

/** The files that the operator took down, with the reasons. Nothing is shown if there are none. */
export function TakenDownSection() {
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useTakenDown();
  const files = data?.pages.flatMap(({ images }) => images) ?? [];
  if (files.length === 0 && error === null) return null;
  return (
    <Section
      title="Taken down"
      description="The operator of this service took these files down. Their links do not work, and they count as storage until you delete them."
    >
      {error !== null && (
        <Problem
          error={error}
          title="The files that were taken down could not be loaded"
          onRetry={() => void refetch()}
        />
      )}
      <ul className={rows.list} aria-label="Files that were taken down">
        {files.map(({ _id, prompt, status, takedown }) => (
          <li key={_id} className={rows.item}>
            <div className={rows.words}>
              <Link to={`/${status === "trash" ? "trash" : "library"}/${_id}`} className={rows.name}>
                <bdi>{prompt}</bdi>
              </Link>
              <p className={rows.facts}>
                {takedown && `${formatDate(takedown.at)} · Reason: ${takedown.reason}`}
                {status === "trash" && " · In the trash"}
              </p>
            </div>
          </li>
        ))}
      </ul>
      {hasNextPage && (
        <Button busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          Show more
        </Button>
      )}
    </Section>
  );
}

/** The account's files that the operator took down, also the ones in the trash, newest first, in pages. */
function useTakenDown() {
  return useInfiniteQuery({
    queryKey: ["taken-down"],
    queryFn: ({ signal, pageParam: cursor }) =>
      api.imagePage({ takenDown: true, folderId: "all", status: "all", limit: PAGE_ITEMS, cursor }, { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ pagination }) => pagination.nextCursor ?? undefined,
  });
}
