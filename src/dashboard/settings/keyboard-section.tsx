import { Section } from "../design/section.tsx";
import { Switch } from "../design/switch.tsx";
import { setSingleKeys, useSingleKeys } from "../shell/single-keys.ts";

/** The switch for single-key shortcuts (WCAG 2.1.4). This browser stores it, not the account. */
export function KeyboardSection() {
  const isOn = useSingleKeys();
  return (
    <Section title="Keyboard" description="Applies to this browser.">
      <Switch
        label="Single-key shortcuts"
        hint="Such as U to upload and / to search. Turn them off if you use speech input."
        checked={isOn}
        onChange={(event) => setSingleKeys(event.currentTarget.checked)}
      />
    </Section>
  );
}
