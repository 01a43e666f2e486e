import { Checkbox } from "../../design/checkbox.tsx";
import { FILE_TYPES, type FileType } from "../view/file-types.ts";
import type { FilterProps } from "./filter-props.ts";
import styles from "./type-choice.module.css";

const NAMES = Object.keys(FILE_TYPES) as FileType[];

/** Types of files. A file of any checked type is shown. */
export default function TypeChoice({ filters, onChange }: FilterProps) {
  return (
    <div className={styles.types}>
      {NAMES.map((name) => (
        <Checkbox
          key={name}
          label={FILE_TYPES[name].title}
          checked={filters.types.includes(name)}
          onChange={({ currentTarget: { checked } }) =>
            onChange({
              ...filters,
              types: NAMES.filter((each) => (each === name ? checked : filters.types.includes(each))),
            })
          }
        />
      ))}
    </div>
  );
}
