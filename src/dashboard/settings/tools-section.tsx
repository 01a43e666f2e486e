import type { TierName } from "../../domain/tiers.ts";
import { Section } from "../design/section.tsx";
import { KeyTools } from "../shell/key-tools/key-tools.tsx";
import { ShareXTool } from "./sharex-tool.tsx";

interface ToolsSectionProps {
  readonly tier: TierName;
}

/** How to upload from elsewhere, with a placeholder for the key: keys are stored hashed. */
export function ToolsSection({ tier }: ToolsSectionProps) {
  return (
    <Section title="Tools" description="Put your key where YOUR_KEY stands.">
      <KeyTools shareX={<ShareXTool tier={tier} />} />
    </Section>
  );
}
