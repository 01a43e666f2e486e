import { useQuery } from "@tanstack/react-query";
import BookmarkPlus from "lucide-react/icons/bookmark-plus";
import { useState } from "react";
import type { Preset } from "../../../client/types.ts";
import { MAX_PRESETS } from "../../../domain/file-rules.ts";
import { api } from "../../api/client.ts";
import { Button } from "../../design/button.tsx";
import { CodeBlock } from "../../design/code-block.tsx";
import { Problem } from "../../design/problem.tsx";
import { Segmented } from "../../design/segmented.tsx";
import { Skeleton } from "../../design/skeleton.tsx";
import { Tabs } from "../../design/tabs.tsx";
import { PresetDialog } from "../../shell/presets/preset-dialog.tsx";
import { type FileFacts, isVideo } from "../file-facts.ts";
import { LINK_AGES } from "../signed-link.ts";
import { type Choice, type Planned, queryOf, toSizing } from "./choice.ts";
import styles from "./sizes-dialog.module.css";
import { outputsOf, signingCode } from "./variant-code.ts";

interface OutputsProps {
  readonly file: FileFacts;
  readonly choice: Choice;
  readonly planned: Planned;
  readonly presets: readonly Preset[];
  /** Whether the chosen variant needs no signature of the owner's server. */
  readonly isServed: boolean;
  readonly isPrivate: boolean;
}

/** The code that shows the chosen variant, to be copied. */
export function Outputs({ file, choice, planned, presets, isServed, isPrivate }: OutputsProps) {
  const [age, setAge] = useState<string>(String(LINK_AGES[1].seconds));
  const signed = useQuery({
    queryKey: ["signed-urls", file._id, file.url, age],
    queryFn: ({ signal }) => api.signedUrls(file._id, Number(age), { signal }),
    enabled: isPrivate && isServed,
    // A link that was made earlier ends earlier.
    staleTime: 60_000,
  });
  const urls = isPrivate ? signed.data : file;
  return (
    <section className={styles.outputs} aria-label="Code">
      {isPrivate && isServed && (
        <div className={styles.private}>
          <p>This file is private. The code below has a signature and works for:</p>
          <Segmented
            label="Time for which the code works"
            options={LINK_AGES.map(({ seconds, title }) => ({ value: String(seconds), title }))}
            value={age}
            onChange={setAge}
          />
        </div>
      )}
      {isPrivate && signed.error !== null && (
        <Problem error={signed.error} title="The file could not be signed" onRetry={() => void signed.refetch()} />
      )}
      {!isServed && <CodeBlock code={signingCode({ file, planned })} label="code of your server" />}
      {isServed && urls === undefined && signed.error === null && <Skeleton height={90} />}
      {isServed && urls !== undefined && (
        <Tabs
          label="Code"
          tabs={outputsOf({ file, url: urls.url, thumbnailUrl: urls.thumbnailUrl, choice, planned }).map(
            ({ id, title, code }) => ({ id, title, content: <CodeBlock code={code} label={title} /> }),
          )}
        />
      )}
      {file.alt === null && !isVideo(file) && (
        <p className={styles.hint}>
          This file has no alt text, so the code has its name. Add alt text in the file view.
        </p>
      )}
      {isServed && choice.preset === undefined && presets.length < MAX_PRESETS && (
        <SaveAsPreset choice={choice} names={presets.map(({ name }) => name)} />
      )}
    </section>
  );
}

/** A preset is for all files, so it has neither a focal point nor a frame. */
function SaveAsPreset({ choice, names }: { readonly choice: Choice; readonly names: readonly string[] }) {
  const [isOpen, setOpen] = useState(false);
  const sizing = toSizing({ ...choice, frame: undefined }, null);
  return (
    <>
      <Button icon={BookmarkPlus} className={styles.save} onClick={() => setOpen(true)}>
        Save as preset
      </Button>
      <PresetDialog
        parameters={sizing === undefined ? "" : queryOf(sizing)}
        names={names}
        open={isOpen}
        onOpenChange={setOpen}
      />
    </>
  );
}
