import type { Settings } from "../../client/index.ts";
import { Section } from "../design/section.tsx";
import { SettingChoice } from "./setting-choice.tsx";

const MODES = [
  {
    value: "keep",
    title: "Keep everything",
    hint: "The place stays, too. An open file shows it, with a button that removes it.",
  },
  {
    value: "private",
    title: "Remove private metadata",
    hint: "Place, serial numbers and owner's name are removed. Time, camera, exposure and copyright stay.",
  },
  { value: "none", title: "Remove all metadata", hint: "Orientation, colours and resolution stay." },
] as const;

/** The metadata that later uploads keep (META-1). */
export function MetadataSection({ settings }: { readonly settings: Settings }) {
  return (
    <Section
      title="Metadata"
      description="The facts that cameras and phones write into files. Compressed images always lose them; Info still shows you time, camera and exposure."
    >
      <SettingChoice
        settings={settings}
        name="metadata"
        label="Files that are stored as uploaded"
        options={MODES}
        whenSaved="Applies to new uploads."
      />
    </Section>
  );
}
