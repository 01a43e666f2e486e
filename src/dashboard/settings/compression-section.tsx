import { Suspense, useEffect, useState } from "react";
import type { Settings } from "../../client/index.ts";
import { useUpdateSettings } from "../api/queries/settings.ts";
import { Button } from "../design/button.tsx";
import { describeError } from "../design/describe-error.ts";
import { lazyPart } from "../design/lazy-part.tsx";
import { Section } from "../design/section.tsx";
import { Skeleton } from "../design/skeleton.tsx";
import { Switch } from "../design/switch.tsx";
import { toast } from "../design/toast.tsx";
import styles from "./compression-section.module.css";
import { parseQuality } from "./quality.ts";
import { QualityField } from "./quality-field.tsx";

const CompressionPreview = lazyPart(() => import("./compression-preview.tsx"));

interface CompressionSectionProps {
  readonly settings: Settings;
}

/** Turns compression on or off and sets the quality. Changes need the Save button, because they affect all later uploads. */
export function CompressionSection({ settings }: CompressionSectionProps) {
  const update = useUpdateSettings();
  const { autoCompress, compressionQuality } = settings;
  const [isOn, setIsOn] = useState(autoCompress);
  const [text, setText] = useState(String(compressionQuality));
  const quality = parseQuality(text);
  const isSwitched = isOn !== autoCompress;
  const isChanged = isSwitched || quality !== compressionQuality;
  const reset = () => {
    setIsOn(autoCompress);
    setText(String(compressionQuality));
  };
  // Another tab may have changed them.
  useEffect(() => setIsOn(autoCompress), [autoCompress]);
  useEffect(() => setText(String(compressionQuality)), [compressionQuality]);
  const save = () =>
    update.mutate(
      {
        ...(isSwitched && { autoCompress: isOn }),
        ...(quality !== undefined && quality !== compressionQuality && { compressionQuality: quality }),
      },
      {
        onSuccess: (saved) =>
          toast({
            title: saved.autoCompress
              ? `Images are compressed at quality ${saved.compressionQuality}`
              : "Images are stored as uploaded",
            description: "Applies to new uploads.",
            tone: "ok",
          }),
        onError: (error) =>
          toast({
            title: "The settings could not be saved",
            description: describeError(error).message,
            tone: "danger",
            action: { title: "Retry", run: save },
          }),
      },
    );
  return (
    <Section title="Compression" description="Applies to new uploads. Stored files do not change.">
      <Switch
        label="Compress images on upload"
        hint="Makes photos much smaller at the same width and height and removes their GPS location. PNGs stay lossless. Videos and animations are not compressed."
        checked={isOn}
        onChange={(event) => setIsOn(event.currentTarget.checked)}
      />
      <QualityField text={text} isEnabled={isOn} onChange={setText} />
      {isOn && (
        <Suspense fallback={<Skeleton height={30} />}>
          <CompressionPreview quality={quality} />
        </Suspense>
      )}
      <div className={styles.actions}>
        <Button
          tone="main"
          busy={update.isPending}
          disabled={!isChanged || (quality === undefined && (isOn || !isSwitched))}
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
          {isChanged ? "Not saved" : ""}
        </span>
      </div>
    </Section>
  );
}
