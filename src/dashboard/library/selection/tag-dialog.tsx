import { useQuery } from "@tanstack/react-query";
import { type FormEvent, useId, useState } from "react";
import { readTags } from "../../../domain/tags.ts";
import { tagsQuery } from "../../api/queries/tags.ts";
import { Button } from "../../design/button.tsx";
import { Chip } from "../../design/chip.tsx";
import { Dialog } from "../../design/dialog.tsx";
import { Field } from "../../design/field.tsx";
import type { Item, Patch } from "../changes/patch.ts";
import { files } from "../words.ts";
import styles from "./tag-dialog.module.css";

interface TagDialogProps {
  readonly open: boolean;
  readonly onOpenChange: () => void;
  readonly description: string | undefined;
  /** Empty if there are too many to read. */
  readonly items: readonly Item[];
  readonly count: number;
  readonly onPatch: (patch: Patch) => void;
}

const SUGGESTED = 12;

/** Asks which tags to add to and remove from files. A tag that only some of them have shows their number. */
export function TagDialog({ open, onOpenChange, description, items, count, onPatch }: TagDialogProps) {
  const form = useId();
  const [text, setText] = useState("");
  const [added, setAdded] = useState<readonly string[]>([]);
  const [removed, setRemoved] = useState<readonly string[]>([]);
  const { data: known = [] } = useQuery(tagsQuery(text.trim(), 30));
  const counts = countTags(items);
  const present = [...counts.keys()].filter((tag) => !added.includes(tag));
  const typed = readTags(text.split(","));
  const suggested = known.filter(({ tag }) => counts.get(tag) !== items.length && !added.includes(tag));

  const add = (tags: readonly string[]) => {
    setAdded([...new Set([...added, ...tags])]);
    setRemoved(removed.filter((tag) => !tags.includes(tag)));
    setText("");
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (typed.problem !== undefined) return;
    const addTags = [...new Set([...added, ...typed.tags])];
    if (addTags.length + removed.length > 0) {
      onPatch({ ...(addTags.length > 0 && { addTags }), ...(removed.length > 0 && { removeTags: removed }) });
    }
    onOpenChange();
  };
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={`Tags of ${files(count)}`}
      description={description}
      footer={
        <>
          <Button onClick={onOpenChange}>Cancel</Button>
          <Button type="submit" form={form} tone="main">
            Save
          </Button>
        </>
      }
    >
      <form id={form} className={styles.form} onSubmit={submit}>
        <Field
          label="Add tags"
          name="tags"
          value={text}
          autoComplete="off"
          placeholder="press, hero"
          hint="Press Enter to add a tag, and again to save."
          error={typed.problem}
          onChange={(event) => setText(event.currentTarget.value)}
          onKeyDown={(event) => {
            // Enter in an empty field saves, unless the key is still held from adding a tag.
            const isAdding =
              event.key === "," ? typed.tags.length > 0 : event.key === "Enter" && (text !== "" || event.repeat);
            if (!isAdding || event.nativeEvent.isComposing) return;
            event.preventDefault();
            if (typed.problem === undefined) add(typed.tags);
          }}
        />
        <p className="hidden-text" role="status">
          {added.length > 0 && `Added: ${added.join(", ")}`}
        </p>
        {added.length + present.length > 0 && (
          <div className={styles.chips} role="group" aria-label="Tags after saving">
            {added.map((tag) => (
              <Chip
                key={tag}
                on
                onRemove={() => setAdded(added.filter((each) => each !== tag))}
                removeLabel={`Remove ${tag}`}
              >
                {tag}
              </Chip>
            ))}
            {present
              .filter((tag) => !removed.includes(tag))
              .map((tag) => (
                <Chip
                  key={tag}
                  title={counts.get(tag) === items.length ? undefined : "Click to add to all selected files"}
                  onClick={() => counts.get(tag) !== items.length && add([tag])}
                  onRemove={() => setRemoved([...removed, tag])}
                  removeLabel={`Remove ${tag}`}
                >
                  {tag}
                  {counts.get(tag) !== items.length && (
                    <span className={styles.some}>
                      {counts.get(tag)} of {items.length}
                    </span>
                  )}
                </Chip>
              ))}
          </div>
        )}
        {suggested.length > 0 && (
          <div className={styles.chips} role="group" aria-label="Suggestions">
            <span className={styles.label}>Used before</span>
            {suggested.slice(0, SUGGESTED).map(({ tag }) => (
              <Chip key={tag} size="small" onClick={() => add([tag])}>
                {tag}
              </Chip>
            ))}
          </div>
        )}
      </form>
    </Dialog>
  );
}

function countTags(items: readonly Item[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { tags } of items) for (const tag of tags) counts.set(tag, (counts.get(tag) ?? 0) + 1);
  return counts;
}
