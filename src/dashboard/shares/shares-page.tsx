import { useQuery } from "@tanstack/react-query";
import Share2 from "lucide-react/icons/share-2";
import { foldersQuery } from "../api/queries/folders.ts";
import { useShares } from "../api/queries/shares.ts";
import { Button } from "../design/button.tsx";
import { Empty } from "../design/empty.tsx";
import { Problem } from "../design/problem.tsx";
import rows from "../design/rows.module.css";
import { Section } from "../design/section.tsx";
import { SkeletonSection } from "../design/skeleton-section.tsx";
import { LinkButton } from "../shell/link-button.tsx";
import { Page } from "../shell/page.tsx";
import { ShareRow } from "./share-row.tsx";
import { filesInWords } from "./share-words.ts";
import styles from "./shares.module.css";

/** The account's shares: pages of files for people without an account. */
export default function SharesPage() {
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useShares();
  const { data: folders } = useQuery(foldersQuery);
  const shares = data?.pages.flatMap((page) => page.shares);
  return (
    <Page title="Shares" isWide>
      {error !== null && (
        <Problem error={error} title="The shares could not be loaded" onRetry={() => void refetch()} />
      )}
      {shares === undefined && error === null && <SkeletonSection />}
      {shares?.length === 0 && (
        <Empty
          icon={Share2}
          title="Nothing shared yet"
          action={<LinkButton to="/library">Open the library</LinkButton>}
        >
          Select files in the library and choose Share, or choose it in the menu of a folder. You get the link of a page
          that everyone can open without an account.
        </Empty>
      )}
      {shares !== undefined && shares.length > 0 && (
        <Section title="Shared pages" description="Everyone who has the link can open the page, without an account.">
          <ul className={rows.list} aria-label="Shares">
            {shares.map((share) => (
              <ShareRow key={share._id} of={share} what={filesInWords(share, folders)} />
            ))}
          </ul>
          {hasNextPage && (
            <div className={styles.more}>
              <Button busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
                Show more
              </Button>
            </div>
          )}
        </Section>
      )}
    </Page>
  );
}
