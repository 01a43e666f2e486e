import type { Settings } from "../../../client/index.ts";
import type { VariantMode } from "../../../domain/file-rules.ts";
import { SettingChoice } from "../setting-choice.tsx";

const MODES: readonly { readonly value: VariantMode; readonly title: string; readonly hint: string }[] = [
  { value: "open", title: "Every size", hint: "Everyone who has a file's URL can ask for any size and format." },
  {
    value: "presets",
    title: "Presets and signed sizes",
    hint: "URLs with ?p= and URLs that your server signs. Other sizes answer 403.",
  },
  {
    value: "signed",
    title: "Signed sizes only",
    hint: "URLs that your server signs with a signing key. Other sizes answer 403.",
  },
  { value: "off", title: "No sizes", hint: "Only the files themselves. Every size answers 403." },
];

/** Decides which sizes are served (SET-4). */
export function VariantsField({ settings }: { readonly settings: Settings }) {
  return (
    <SettingChoice
      settings={settings}
      name="variants"
      label="Served sizes"
      options={MODES}
      whenSaved="The choice of sizes takes effect within a minute."
    />
  );
}
