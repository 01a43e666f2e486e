import { useQueryClient } from "@tanstack/react-query";
import ScrollText from "lucide-react/icons/scroll-text";
import { useEffect } from "react";
import { useOverview } from "../api/queries/overview.ts";
import { hasApiKeys } from "../api/tier-words.ts";
import { Problem } from "../design/problem.tsx";
import { SkeletonSection } from "../design/skeleton-section.tsx";
import { LinkButton } from "../shell/link-button.tsx";
import { Page } from "../shell/page.tsx";
import { AlertsSection } from "./alerts-section.tsx";
import { DaysSection } from "./days-section.tsx";
import { FreeSpaceSection } from "./free-space-section.tsx";
import { OperationsSection } from "./operations-section.tsx";
import { RateSection } from "./rate-section.tsx";
import { StorageSection } from "./storage-section.tsx";
import { TierSection } from "./tier-section.tsx";
import styles from "./usage-page.module.css";

/** The page loads figures again if they are older than this. */
const FRESH_MS = 5000;

export default function UsagePage() {
  const { data: overview, error, refetch } = useOverview();
  const queries = useQueryClient();
  useEffect(() => {
    const predicate = ({ state }: { state: { dataUpdatedAt: number } }) =>
      state.dataUpdatedAt > 0 && Date.now() - state.dataUpdatedAt > FRESH_MS;
    void queries.refetchQueries({ queryKey: ["overview"], predicate });
  }, [queries]);
  const log = overview !== undefined && hasApiKeys(overview.tier) && (
    <LinkButton to="/usage/log" icon={ScrollText}>
      Operation log
    </LinkButton>
  );
  return (
    <Page title="Usage" actions={log} isWide>
      {error !== null && <Problem error={error} title="The usage could not be loaded" onRetry={() => void refetch()} />}
      {overview === undefined && error === null && <UsageSkeleton />}
      {overview !== undefined && (
        <>
          <div className={styles.figures}>
            <StorageSection overview={overview} />
            <OperationsSection overview={overview} />
            <RateSection perMinute={overview.rateLimit.perMinute} tier={overview.tier} />
          </div>
          <div className={styles.days}>
            <DaysSection resetAt={overview.operations.resetAt} />
            <div className={styles.beside}>
              {hasApiKeys(overview.tier) && <AlertsSection />}
              <FreeSpaceSection files={overview.files} />
            </div>
          </div>
          <TierSection tier={overview.tier} />
        </>
      )}
    </Page>
  );
}

/** Placeholders until the figures are loaded, in their columns. */
function UsageSkeleton() {
  return (
    <>
      <div className={styles.figures} data-loading>
        <SkeletonSection rows={2} />
        <SkeletonSection rows={2} />
        <SkeletonSection rows={2} />
      </div>
      <div className={styles.days} data-loading>
        <SkeletonSection rows={5} />
        <SkeletonSection rows={2} />
      </div>
    </>
  );
}
