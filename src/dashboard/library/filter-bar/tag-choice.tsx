import { useQuery } from "@tanstack/react-query";
import Check from "lucide-react/icons/check";
import Minus from "lucide-react/icons/minus";
import { useState } from "react";
import { tagsQuery } from "../../api/queries/tags.ts";
import { Field } from "../../design/field.tsx";
import { formatCount } from "../../design/format.ts";
import { IconButton } from "../../design/icon-button.tsx";
import type { FilterProps } from "./filter-props.ts";
import styles from "./tag-choice.module.css";

/** The library's tags; each can be required or excluded. */
export default function TagChoice({ filters, onChange }: FilterProps) {
  const [text, setText] = useState("");
  const { data: found = [] } = useQuery(tagsQuery(text.trim(), 30));
  const { tags, not } = filters;
  const chosen = [...tags, ...not].filter((tag) => !found.some((each) => each.tag === tag));
  const toggle = (list: "tags" | "not", tag: string) => {
    const other = list === "tags" ? "not" : "tags";
    const isIn = filters[list].includes(tag);
    const rest = filters[list].filter((each) => each !== tag);
    onChange({
      ...filters,
      [other]: filters[other].filter((each) => each !== tag),
      [list]: isIn ? rest : [...rest, tag],
    });
  };
  return (
    <div className={styles.choice}>
      <Field label="Find a tag" name="tag" value={text} onChange={(event) => setText(event.currentTarget.value)} />
      <ul className={styles.list}>
        {[...chosen.map((tag) => ({ tag, count: undefined })), ...found].map(({ tag, count }) => (
          <li
            key={tag}
            className={styles.row}
            data-state={tags.includes(tag) ? "with" : not.includes(tag) ? "without" : ""}
          >
            <button
              type="button"
              className={styles.tag}
              aria-pressed={tags.includes(tag)}
              onClick={() => toggle("tags", tag)}
            >
              <Check size={14} aria-hidden="true" />
              <span className={styles.name}>{tag}</span>
              {count !== undefined && <span className={styles.count}>{formatCount(count)}</span>}
            </button>
            <IconButton
              size="small"
              icon={Minus}
              label={`Exclude ${tag}`}
              aria-pressed={not.includes(tag)}
              onClick={() => toggle("not", tag)}
            />
          </li>
        ))}
      </ul>
      {found.length === 0 && <p className={styles.none}>No tags match</p>}
    </div>
  );
}
