import { useState } from "react";
import type { Preset } from "../../../client/types.ts";
import { MAX_VARIANT_EDGE } from "../../../domain/variants/grid.ts";
import { Field } from "../../design/field.tsx";
import { Segmented } from "../../design/segmented.tsx";
import { Select } from "../../design/select.tsx";
import { Slider } from "../../design/slider.tsx";
import { type FileFacts, isVideo } from "../file-facts.ts";
import { type Choice, FORMATS, type Format, WIDTHS } from "./choice.ts";
import styles from "./size-controls.module.css";

const FORMAT_TITLES: Readonly<Record<Format, string>> = {
  auto: "Auto",
  avif: "AVIF",
  webp: "WebP",
  jpg: "JPEG",
  png: "PNG",
};

const SHAPES = [
  { value: "1:1", title: "1:1", ratio: 1 },
  { value: "4:3", title: "4:3", ratio: 4 / 3 },
  { value: "3:2", title: "3:2", ratio: 3 / 2 },
  { value: "16:9", title: "16:9", ratio: 16 / 9 },
  { value: "9:16", title: "9:16", ratio: 9 / 16 },
] as const;

const FIRST_SHAPE = 1;

interface SizeControlsProps {
  readonly file: FileFacts;
  readonly choice: Choice;
  readonly onChange: (choice: Choice) => void;
  readonly presets: readonly Preset[];
  /** Whether the owner's setting allows only presets. */
  readonly isPresetOnly: boolean;
}

/** The size, crop, format and quality of a variant, or a preset. */
export function SizeControls({ file, choice, onChange, presets, isPresetOnly }: SizeControlsProps) {
  const named = presets.map(({ name }) => ({ value: name, title: name }));
  const preset = presets.find(({ name }) => name === choice.preset);
  return (
    <>
      {presets.length > 0 && (
        <div className={styles.group}>
          <Select
            label="Preset"
            name="preset"
            options={isPresetOnly ? named : [{ value: "", title: "None" }, ...named]}
            value={choice.preset ?? ""}
            onChange={(name) => onChange({ ...choice, preset: name === "" ? undefined : name })}
          />
          {preset !== undefined && <p className={styles.parameters}>{preset.parameters}</p>}
        </div>
      )}
      {choice.preset === undefined && !isPresetOnly && <OwnSize file={file} choice={choice} onChange={onChange} />}
    </>
  );
}

function OwnSize({ file, choice, onChange }: Pick<SizeControlsProps, "file" | "choice" | "onChange">) {
  const { width, height, fit, format, quality } = choice;
  const shape = SHAPES.find(({ ratio }) => width && height && Math.round(width / ratio) === height);
  const heightFor = (wide: number | undefined, ratio: number) => wide && Math.max(1, Math.round(wide / ratio));
  const setWidth = (wide: number | undefined) =>
    onChange({ ...choice, width: wide, height: fit === "crop" && shape ? heightFor(wide, shape.ratio) : height });
  const setFit = (next: Choice["fit"]) =>
    onChange({ ...choice, fit: next, height: next === "crop" ? (height ?? heightFor(width, FIRST_SHAPE)) : undefined });
  return (
    <>
      <fieldset className={styles.group}>
        <legend>Size</legend>
        <Segmented
          className={styles.wide ?? ""}
          label="Width"
          options={WIDTHS.map((each) => ({ value: String(each), title: String(each) }))}
          value={width === undefined ? undefined : String(width)}
          onChange={(value) => setWidth(Number(value))}
        />
        <div className={styles.sides}>
          <Pixels label="Width in pixels" name="width" value={width} onChange={setWidth} required={fit === "crop"} />
          <Pixels
            label="Height in pixels"
            name="height"
            value={height}
            onChange={(high) => onChange({ ...choice, height: high })}
            required={fit === "crop"}
          />
        </div>
      </fieldset>
      <fieldset className={styles.group}>
        <legend>Crop</legend>
        <Segmented
          className={styles.wide ?? ""}
          label="Crop"
          options={[
            { value: "clip", title: "Whole picture" },
            { value: "crop", title: "Cut to shape" },
          ]}
          value={fit}
          onChange={setFit}
        />
        {fit === "crop" && (
          <Segmented
            className={styles.wide ?? ""}
            label="Shape"
            options={SHAPES}
            value={shape?.value}
            onChange={(value) => {
              const { ratio } = SHAPES.find((each) => each.value === value) ?? SHAPES[0];
              onChange({ ...choice, height: heightFor(width, ratio) });
            }}
          />
        )}
      </fieldset>
      <fieldset className={styles.group}>
        <legend>Format</legend>
        <Segmented
          className={styles.wide ?? ""}
          label="Format"
          options={FORMATS.map((value) => ({ value, title: FORMAT_TITLES[value] }))}
          value={format}
          onChange={(value) => onChange({ ...choice, format: value })}
        />
        {format === "auto" && <p className={styles.hint}>AVIF or WebP if the visitor's browser can show it.</p>}
        {format !== "png" && (
          <div className={styles.quality}>
            <span aria-hidden>Quality</span>
            <Slider
              label="Quality"
              min={10}
              max={100}
              step={5}
              value={quality}
              onChange={(value) => onChange({ ...choice, quality: value })}
            />
            <output>{quality}</output>
          </div>
        )}
      </fieldset>
      {isVideo(file) && <Frame file={file} choice={choice} onChange={onChange} />}
    </>
  );
}

interface PixelsProps {
  readonly label: string;
  readonly name: string;
  readonly value: number | undefined;
  readonly required: boolean;
  readonly onChange: (value: number | undefined) => void;
}

/** A number of pixels. An empty field that is not required follows the picture's shape. */
function Pixels({ label, name, value, required, onChange }: PixelsProps) {
  const [text, setText] = useState(String(value ?? ""));
  const [shown, setShown] = useState(value);
  // A width that was chosen elsewhere replaces the text.
  if (shown !== value) {
    setShown(value);
    if (readPixels(text) !== value) setText(String(value ?? ""));
  }
  const isWrong = text.trim() === "" ? required : readPixels(text) === undefined;
  return (
    <Field
      label={label}
      name={name}
      inputMode="numeric"
      autoComplete="off"
      placeholder={required ? "" : "Auto"}
      value={text}
      error={isWrong ? `A number from 1 to ${MAX_VARIANT_EDGE}` : undefined}
      onChange={({ currentTarget }) => {
        setText(currentTarget.value);
        const pixels = readPixels(currentTarget.value);
        setShown(pixels);
        onChange(pixels);
      }}
    />
  );
}

/** @returns undefined for an empty text and for a wrong number */
function readPixels(text: string): number | undefined {
  const pixels = /^\d{1,4}$/.test(text.trim()) ? Number(text) : 0;
  return pixels >= 1 && pixels <= MAX_VARIANT_EDGE ? pixels : undefined;
}

/** The moment of a video that its poster shows. */
function Frame({ file, choice, onChange }: Pick<SizeControlsProps, "file" | "choice" | "onChange">) {
  const seconds = Math.floor((file.durationMs ?? 0) / 100) / 10;
  const { frame } = choice;
  return (
    <fieldset className={styles.group}>
      <legend>Moment</legend>
      <Segmented
        className={styles.wide ?? ""}
        label="Moment"
        options={[
          { value: "thumbnail", title: "Thumbnail" },
          { value: "frame", title: "Another frame" },
        ]}
        value={frame === undefined ? "thumbnail" : "frame"}
        onChange={(value) => onChange({ ...choice, frame: value === "frame" ? 0 : undefined })}
      />
      {frame !== undefined && (
        <div className={styles.quality}>
          <span aria-hidden>Second</span>
          <Slider
            label="Second"
            min={0}
            max={seconds}
            step={0.1}
            value={frame}
            valueText={`${frame} of ${seconds} seconds`}
            onChange={(value) => onChange({ ...choice, frame: Math.round(10 * value) / 10 })}
          />
          <output>{frame.toFixed(1)}</output>
        </div>
      )}
    </fieldset>
  );
}
