import { Link } from "wouter";
import type { TierName } from "../../../domain/tiers.ts";
import { useFreshKey } from "../../api/fresh-key.ts";
import { useKeys } from "../../api/queries/keys.ts";
import { hasApiKeys } from "../../api/tier-words.ts";
import { isolate } from "../../design/format.ts";
import { Section } from "../../design/section.tsx";
import KeyTools from "../../shell/key-tools/key-tools.tsx";
import { NewKeyButton } from "../keys/new-key-button.tsx";
import { canUpload } from "../keys/scopes.ts";
import { ShareXTool } from "./sharex-tool.tsx";

interface SnippetsSectionProps {
  readonly tier: TierName;
}

/**
 * Code and files for uploads from other programs. They have the key that this tab has made last. Otherwise the key is a placeholder, because
 * the service stores only a hash of each key.
 */
export default function SnippetsSection({ tier }: SnippetsSectionProps) {
  const { data: keys } = useKeys();
  const fresh = useFreshKey();
  // Another tab may have revoked the key.
  const isKnown = keys === undefined || keys.some(({ _id }) => _id === fresh?._id);
  const key =
    fresh !== undefined && isKnown && (fresh.kind === "upload" || canUpload(fresh.scopes)) ? fresh : undefined;
  return (
    <Section
      title="Snippets"
      description={
        key === undefined ? (
          <>
            Replace YOUR_KEY. A key is shown only once:{" "}
            {hasApiKeys(tier) ? "create a key" : <Link to="/developers">create a key</Link>}, and the code has it until
            you close or reload this tab.
          </>
        ) : (
          <>
            The code has the key “{isolate(key.name)}”, which ends with <code>{key.lastFour}</code>, until you close or
            reload this tab.
          </>
        )
      }
      aside={hasApiKeys(tier) && keys !== undefined && <NewKeyButton keys={keys} />}
    >
      <KeyTools secret={key?.key} shareX={<ShareXTool tier={tier} />} />
      <p>
        The <a href="/docs/quick-start">guide</a> has more languages' recipes, the client and every endpoint.
      </p>
    </Section>
  );
}
