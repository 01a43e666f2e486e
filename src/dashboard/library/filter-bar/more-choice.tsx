import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { ImageSlots } from "../../api/queries/image-slots.ts";
import { Button } from "../../design/button.tsx";
import { Field } from "../../design/field.tsx";
import { Segmented } from "../../design/segmented.tsx";
import { Select } from "../../design/select.tsx";
import { EXPIRIES } from "../view/filters.ts";
import type { FilterProps } from "./filter-props.ts";
import { EXPIRY_TITLES } from "./list-facts.ts";
import styles from "./more-choice.module.css";

const ORIENTATION = [
  { value: "any", title: "Any" },
  { value: "landscape", title: "Landscape" },
  { value: "portrait", title: "Portrait" },
  { value: "square", title: "Square" },
] as const;
const VISIBILITY = [
  { value: "any", title: "Any" },
  { value: "public", title: "Public" },
  { value: "private", title: "Private" },
] as const;
const ALT = [
  { value: "any", title: "Any" },
  { value: "without", title: "Without" },
  { value: "with", title: "With" },
] as const;

const MOST_CAMERAS = 5;

/** Filters by the facts of files that few people need every day. */
export default function MoreChoice({ filters, onChange }: FilterProps) {
  const { camera, orientation, expiry, visibility, alt } = filters;
  const [text, setText] = useState(camera);
  const cameras = useShownCameras();
  const show = (name: string) => {
    setText(name);
    onChange({ ...filters, camera: name });
  };
  const given = <Value extends string>(value: Value | "any") => (value === "any" ? undefined : value);
  return (
    <form
      className={styles.facts}
      onSubmit={(event) => {
        event.preventDefault();
        show(text.trim());
      }}
    >
      <div>
        <p className={styles.label}>Orientation</p>
        <Segmented
          label="Orientation"
          options={ORIENTATION}
          value={orientation ?? "any"}
          onChange={(value) => onChange({ ...filters, orientation: given(value) })}
        />
      </div>
      <Field
        label="Camera"
        name="camera"
        maxLength={100}
        autoComplete="off"
        value={text}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
        after={<Button type="submit">Show</Button>}
      />
      {cameras.length > 0 && (
        <div className={styles.cameras}>
          {cameras.map((name) => (
            <Button key={name} size="small" aria-pressed={name === camera} onClick={() => show(name)}>
              {name}
            </Button>
          ))}
        </div>
      )}
      <Select
        label="Expiry"
        name="expiry"
        options={[{ value: "", title: "Any" }, ...EXPIRIES.map((value) => ({ value, title: EXPIRY_TITLES[value] }))]}
        value={expiry ?? ""}
        onChange={(value) => onChange({ ...filters, expiry: EXPIRIES.find((each) => each === value) })}
      />
      <div>
        <p className={styles.label}>Visibility</p>
        <Segmented
          label="Visibility"
          options={VISIBILITY}
          value={visibility ?? "any"}
          onChange={(value) => onChange({ ...filters, visibility: given(value) })}
        />
      </div>
      <div>
        <p className={styles.label}>Alt text</p>
        <Segmented
          label="Alt text"
          options={ALT}
          value={alt ?? "any"}
          onChange={(value) => onChange({ ...filters, alt: given(value) })}
        />
      </div>
    </form>
  );
}

/** The cameras of files that the page has loaded, the most frequent first. */
function useShownCameras(): string[] {
  const client = useQueryClient();
  const [cameras] = useState(() => {
    const counts = new Map<string, number>();
    for (const [, page] of client.getQueriesData<Partial<ImageSlots>>({ queryKey: ["images"] })) {
      for (const item of page?.items ?? [])
        if (item?.camera) counts.set(item.camera, (counts.get(item.camera) ?? 0) + 1);
    }
    return [...counts].sort(([, one], [, other]) => other - one).map(([name]) => name);
  });
  return cameras.slice(0, MOST_CAMERAS);
}
