import KeyRound from "lucide-react/icons/key-round";
import { useKeys } from "../../api/queries/keys.ts";
import { Empty } from "../../design/empty.tsx";
import { Problem } from "../../design/problem.tsx";
import { SkeletonSection } from "../../design/skeleton-section.tsx";
import { LinkButton } from "../../shell/link-button.tsx";
import { Page } from "../../shell/page.tsx";
import { OneKey } from "./one-key.tsx";

interface OneKeyPageProps {
  readonly id: string;
}

/** The page of one key, or the fact that there is no such key. */
export default function OneKeyPage({ id }: OneKeyPageProps) {
  const { data: keys, error, refetch } = useKeys();
  const key = keys?.find(({ _id }) => _id === id);
  const back = <LinkButton to="/developers">All keys</LinkButton>;
  if (key !== undefined) return <OneKey key={id} of={key} />;
  return (
    <Page title="Key" actions={back} isWide>
      {error !== null && <Problem error={error} title="The key could not be loaded" onRetry={() => void refetch()} />}
      {keys === undefined && error === null && <SkeletonSection />}
      {keys !== undefined && (
        <Empty icon={KeyRound} title="Key not found" action={back}>
          It may have been revoked. Its operations stay in the log for 90 days.
        </Empty>
      )}
    </Page>
  );
}
