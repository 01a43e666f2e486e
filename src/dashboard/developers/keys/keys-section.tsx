import type { TierName } from "../../../domain/tiers.ts";
import { useKeys } from "../../api/queries/keys.ts";
import { hasApiKeys } from "../../api/tier-words.ts";
import { Problem } from "../../design/problem.tsx";
import { SkeletonSection } from "../../design/skeleton-section.tsx";
import { ApiKeys } from "./api-keys.tsx";
import { UploadKey } from "./upload-key.tsx";

interface KeysSectionProps {
  readonly tier: TierName;
}

/** The account's keys: API keys on Pro and Business, else the upload key. */
export default function KeysSection({ tier }: KeysSectionProps) {
  const { data: keys, error, refetch } = useKeys();
  if (keys !== undefined) {
    return hasApiKeys(tier) ? <ApiKeys keys={keys} tier={tier} /> : <UploadKey keys={keys} tier={tier} />;
  }
  if (error !== null)
    return <Problem error={error} title="The keys could not be loaded" onRetry={() => void refetch()} />;
  return <SkeletonSection />;
}
