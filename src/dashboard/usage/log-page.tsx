import ScrollText from "lucide-react/icons/scroll-text";
import { useAccount } from "../api/queries/account.ts";
import { hasApiKeys, tierName } from "../api/tier-words.ts";
import { Empty } from "../design/empty.tsx";
import { Problem } from "../design/problem.tsx";
import { SkeletonSection } from "../design/skeleton-section.tsx";
import { LinkButton } from "../shell/link-button.tsx";
import { Page } from "../shell/page.tsx";
import { Log } from "./log.tsx";

export default function LogPage() {
  const { data: account, error, refetch } = useAccount();
  const tier = account?.tier;
  const back = <LinkButton to="/usage">Usage</LinkButton>;
  return (
    <Page title="Operation log" actions={back} isWide>
      {tier === undefined && error !== null && (
        <Problem error={error} title="The account could not be loaded" onRetry={() => void refetch()} />
      )}
      {tier === undefined && error === null && <SkeletonSection rows={8} />}
      {tier !== undefined && !hasApiKeys(tier) && (
        <Empty icon={ScrollText} title="The log is available on Pro and Business" action={back}>
          It lists each upload, deletion and view of the last 90 days with its key. On {tierName(tier)}, the Usage page
          shows the operations of each day.
        </Empty>
      )}
      {tier !== undefined && hasApiKeys(tier) && <Log />}
    </Page>
  );
}
