import type { TierName } from "../../../domain/tiers.ts";
import { Section } from "../../design/section.tsx";
import { KeyTools } from "../../shell/key-tools/key-tools.tsx";
import { ShareXTool } from "./sharex-tool.tsx";

interface SnippetsSectionProps {
  readonly tier: TierName;
}

/** Code and files for uploads from other programs. The key is a placeholder, because the service stores only a hash of each key. */
export default function SnippetsSection({ tier }: SnippetsSectionProps) {
  return (
    <Section title="Snippets" description="Replace YOUR_KEY. A key can be read only when it is made.">
      <KeyTools shareX={<ShareXTool tier={tier} />} />
    </Section>
  );
}
