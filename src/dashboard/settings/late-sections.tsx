import type { Settings } from "../../client/index.ts";
import { MetadataSection } from "./metadata-section.tsx";
import { SizesSection } from "./sizes/sizes-section.tsx";

/** The sections that load after the compression's. */
export default function LateSections({ settings }: { readonly settings: Settings }) {
  return (
    <>
      <MetadataSection settings={settings} />
      <SizesSection settings={settings} />
    </>
  );
}
