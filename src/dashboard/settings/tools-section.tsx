import type { TierName } from "../../domain/tiers.ts";
import { Section } from "../design/section.tsx";
import { KeyTools } from "../shell/key-tools/key-tools.tsx";
import { ShareXTool } from "./sharex-tool.tsx";

interface ToolsSectionProps {
  readonly tier: TierName;
}

/**
 * The lazy part of the settings page: uploads from other programs. The key is a placeholder, because the service stores only a hash of each
 * key.
 */
export default function ToolsSection({ tier }: ToolsSectionProps) {
  return (
    <Section title="Tools" description="Replace YOUR_KEY.">
      <KeyTools shareX={<ShareXTool tier={tier} />} />
    </Section>
  );
}
