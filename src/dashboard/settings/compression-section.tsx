import { useState } from "react";
import type { Settings } from "../../client/index.ts";
import { useUpdateSettings } from "../api/queries/settings.ts";
import { Button } from "../design/button.tsx";
import { describeError } from "../design/describe-error.ts";
import { Section } from "../design/section.tsx";
import { Switch } from "../design/switch.tsx";
import { toast } from "../design/toast.tsx";
import { CompressionPreview } from "./compression-preview.tsx";
import styles from "./compression-section.module.css";
import { parseQuality } from "./quality.ts";
import { QualityField } from "./quality-field.tsx";

interface CompressionSectionProps {
  readonly settings: Settings;
}

/** Whether images are compressed, and how. Saved by a button: it is how every later upload is stored. */
export function CompressionSection({ settings }: CompressionSectionProps) {
  const update = useUpdateSettings();
  const [isOn, setIsOn] = useState(settings.autoCompress);
  const [text, setText] = useState(String(settings.compressionQuality));
  const quality = parseQuality(text);
  const isChanged = isOn !== settings.autoCompress || quality !== settings.compressionQuality;
  const reset = () => {
    setIsOn(settings.autoCompress);
    setText(String(settings.compressionQuality));
  };
  const save = () =>
    update.mutate(
      { autoCompress: isOn, ...(quality !== undefined && { compressionQuality: quality }) },
      {
        onSuccess: (saved) =>
          toast({
            title: saved.autoCompress
              ? `Images are compressed at quality ${saved.compressionQuality}`
              : "Images are stored as uploaded",
            description: "From the next upload on.",
            tone: "ok",
          }),
        onError: (error) =>
          toast({
            ...{ title: "The settings are not saved", description: describeError(error).message, tone: "danger" },
            action: { title: "Retry", run: save },
          }),
      },
    );
  return (
    <Section title="Compression" description="For files that are uploaded from now on; what is stored stays as it is.">
      <Switch
        label="Compress images on upload"
        hint="Photos become much smaller at the same width and height. Where they were taken is removed from them. PNGs stay lossless; videos and animations are never touched."
        checked={isOn}
        onChange={(event) => setIsOn(event.currentTarget.checked)}
      />
      <QualityField text={text} isEnabled={isOn} onChange={setText} />
      {isOn && <CompressionPreview quality={quality} />}
      <div className={styles.actions}>
        <Button
          tone="main"
          busy={update.isPending}
          disabled={!isChanged || (isOn && quality === undefined)}
          onClick={save}
        >
          Save
        </Button>
        {isChanged && (
          <Button tone="quiet" onClick={reset}>
            Discard
          </Button>
        )}
        <span role="status" className={styles.state}>
          {isChanged ? "Not saved yet" : ""}
        </span>
      </div>
    </Section>
  );
}
