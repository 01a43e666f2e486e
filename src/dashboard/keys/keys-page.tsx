import { Suspense } from "react";
import { useAccount } from "../api/queries/account.ts";
import { useKeys } from "../api/queries/keys.ts";
import { hasApiKeys } from "../api/tier-words.ts";
import { lazyPart } from "../design/lazy-part.tsx";
import { Problem } from "../design/problem.tsx";
import { Section } from "../design/section.tsx";
import { Skeleton } from "../design/skeleton.tsx";
import { Page } from "../shell/page.tsx";
import { NewKeyButton } from "./new-key-button.tsx";

// An account has one of them.
const ApiKeys = lazyPart(() => import("./api-keys.tsx"));
const UploadKey = lazyPart(() => import("./upload-key.tsx"));

export default function KeysPage() {
  const tier = useAccount().data?.tier;
  const { data: keys, error, refetch } = useKeys();
  const isReady = tier !== undefined && keys !== undefined;
  return (
    <Page title="Keys" actions={isReady && hasApiKeys(tier) && <NewKeyButton keys={keys} />} isWide>
      {error !== null && keys === undefined && (
        <Problem error={error} title="The keys could not be loaded" onRetry={() => void refetch()} />
      )}
      {!isReady && error === null && (
        <Section title="Keys">
          <Skeleton height={44} />
          <Skeleton height={44} />
        </Section>
      )}
      <Suspense fallback={null}>
        {isReady && (hasApiKeys(tier) ? <ApiKeys keys={keys} tier={tier} /> : <UploadKey keys={keys} tier={tier} />)}
      </Suspense>
    </Page>
  );
}
