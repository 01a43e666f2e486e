import { useQuery } from "@tanstack/react-query";
import { type Ref, useId, useState } from "react";
import { tagsQuery } from "../api/queries/tags.ts";
import { Chip } from "../design/chip.tsx";
import styles from "./tags.module.css";

const MOST_SUGGESTED = 12;

interface TagsProps {
  readonly tags: readonly string[];
  readonly fieldRef: Ref<HTMLInputElement>;
  readonly onAdd: (tag: string) => void;
  readonly onRemove: (tag: string) => void;
}

/** A file's tags: each can be removed, and a field adds one. */
export function Tags({ tags, fieldRef, onAdd, onRemove }: TagsProps) {
  const [text, setText] = useState("");
  const id = useId();
  const names = useTagNames(text).filter((name) => !tags.includes(name));
  const add = () => {
    for (const tag of text.split(",").map((part) => part.trim())) if (tag !== "" && !tags.includes(tag)) onAdd(tag);
    setText("");
  };
  return (
    <div className={styles.tags}>
      {tags.map((tag) => (
        <Chip key={tag} size="small" onRemove={() => onRemove(tag)} removeLabel={`Remove ${tag}`} tabIndex={-1}>
          {tag}
        </Chip>
      ))}
      <input
        ref={fieldRef}
        className={styles.field}
        aria-label="Add a tag"
        placeholder="Add a tag"
        list={id}
        value={text}
        maxLength={200}
        autoComplete="off"
        onChange={({ currentTarget }) => setText(currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== "Enter" && event.key !== ",") return;
          event.preventDefault();
          add();
        }}
        onBlur={add}
      />
      <datalist id={id}>
        {names.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
    </div>
  );
}

/** The account's most used tags that contain a text. */
function useTagNames(text: string): readonly string[] {
  const q = text.trim();
  const { data = [] } = useQuery({ ...tagsQuery(q, MOST_SUGGESTED), enabled: q !== "" });
  return data.map(({ tag }) => tag);
}
