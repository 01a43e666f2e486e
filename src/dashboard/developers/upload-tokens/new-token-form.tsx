import { type SubmitEvent, useState } from "react";
import type { NewUploadToken, UploadTokenRequest } from "../../../client/types.ts";
import { readTags } from "../../../domain/tags.ts";
import { isOrigin } from "../../../domain/upload-token.ts";
import { useCreateUploadToken } from "../../api/queries/upload-tokens.ts";
import { Button } from "../../design/button.tsx";
import form from "../../design/dialog-form.module.css";
import { Field } from "../../design/field.tsx";
import { isUnconfirmed } from "../../design/is-unconfirmed.ts";
import { Problem } from "../../design/problem.tsx";
import { Segmented } from "../../design/segmented.tsx";
import { Select } from "../../design/select.tsx";
import { fieldErrors } from "../../shell/field-errors.ts";
import { FolderSelect } from "../keys/folder-select.tsx";
import { LIFETIMES, readLimit, readMegabytes, TYPES } from "./token-words.ts";
import styles from "./upload-tokens.module.css";

const VISIBILITIES = [
  { value: "", title: "The page chooses" },
  { value: "public", title: "Public" },
  { value: "private", title: "Private" },
] as const;

/** A new token with its limits. */
export interface MadeToken extends NewUploadToken {
  readonly limits: UploadTokenRequest;
}

interface NewTokenFormProps {
  readonly onMade: (token: MadeToken) => void;
  readonly onCancel: () => void;
}

/** Asks for the limits of a new token. The proposed limits suit a form with a few photos. */
export function NewTokenForm({ onMade, onCancel }: NewTokenFormProps) {
  const create = useCreateUploadToken();
  const [maxFiles, setMaxFiles] = useState("5");
  const [megabytes, setMegabytes] = useState("100");
  const [kind, setKind] = useState<(typeof TYPES)[number]["value"]>("all");
  const [lifetime, setLifetime] = useState<string>("3600");
  const [folderId, setFolderId] = useState<string | null>(null);
  const [tags, setTags] = useState("");
  const [visibility, setVisibility] = useState<string>("");
  const [origins, setOrigins] = useState("");
  const [wasRefused, setRefused] = useState(false);
  const { fields, message } = fieldErrors(create.error, ["maxFiles", "maxBytes", "tags"]);
  const pages = origins.split(/[\s,]+/).filter((each) => each !== "");
  const wrongPage = pages.find((each) => !isOrigin(each));
  const { tags: tagList, problem } = readTags(tags.split(","));
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const isWrong = wrongPage !== undefined || problem !== undefined;
    setRefused(isWrong);
    if (isWrong || create.isPending) return;
    const limits = {
      maxFiles: readLimit(maxFiles),
      maxBytes: readMegabytes(megabytes),
      types: [...(TYPES.find(({ value }) => value === kind)?.types ?? [])],
      folderId,
      tags: tagList,
      visibility: visibility === "" ? null : (visibility as "public" | "private"),
      origins: pages,
      expiresIn: Number(lifetime),
    };
    create.mutate(limits, { onSuccess: (token) => onMade({ ...token, limits }) });
  };
  return (
    <form onSubmit={submit} className={form.form}>
      <div className={styles.pair}>
        <Field
          label="Most files"
          name="maxFiles"
          type="number"
          inputMode="numeric"
          min={1}
          step={1}
          placeholder="Any number"
          value={maxFiles}
          error={fields.maxFiles}
          onChange={(event) => setMaxFiles(event.currentTarget.value)}
        />
        <Field
          label="Most MB, together"
          name="maxBytes"
          type="number"
          inputMode="decimal"
          min={0.1}
          step="any"
          placeholder="Any size"
          value={megabytes}
          error={fields.maxBytes}
          onChange={(event) => setMegabytes(event.currentTarget.value)}
        />
      </div>
      {(maxFiles === "" || megabytes === "") && (
        <p role="status" className={styles.warning}>
          A visitor can fill your storage and use up the month's operations unless both limits are set.
        </p>
      )}
      <div className={styles.choice}>
        <span className={styles.label} aria-hidden>
          Files
        </span>
        <Segmented label="Files" options={TYPES} value={kind} onChange={setKind} />
      </div>
      <Select label="Expires" name="lifetime" options={LIFETIMES} value={lifetime} onChange={setLifetime} />
      <FolderSelect
        value={folderId}
        onChange={setFolderId}
        hint="The token stores in this folder and the folders below it."
      />
      <details className={styles.more}>
        <summary>Tags, visibility, pages</summary>
        <div className={form.form}>
          <Field
            label="Tags of each file"
            name="tags"
            placeholder="guest, wedding"
            autoComplete="off"
            autoCapitalize="none"
            value={tags}
            error={wasRefused ? problem : fields.tags}
            onChange={(event) => setTags(event.currentTarget.value)}
          />
          <Select
            label="Visibility"
            name="visibility"
            options={VISIBILITIES}
            value={visibility}
            onChange={setVisibility}
          />
          <Field
            label="Pages that may use it"
            name="origins"
            placeholder="https://shop.example"
            hint="Origins, separated by commas. Without one, every page may use the token."
            autoComplete="off"
            autoCapitalize="none"
            inputMode="url"
            value={origins}
            error={
              wasRefused && wrongPage !== undefined
                ? `${wrongPage} is not an origin, such as https://shop.example`
                : undefined
            }
            onChange={(event) => setOrigins(event.currentTarget.value)}
          />
        </div>
      </details>
      {message !== undefined && <Problem error={create.error} title={titleOfFailure(create.error)} />}
      <div className={form.actions}>
        <Button onClick={onCancel}>Cancel</Button>
        <Button type="submit" tone="main" busy={create.isPending}>
          Create token
        </Button>
      </div>
    </form>
  );
}

/** The service may have made the token if its answer was lost. */
function titleOfFailure(error: Error | null): string {
  return isUnconfirmed(error)
    ? "The token was not confirmed. If it was made, revoke it in the list, because it cannot be shown again."
    : "The token could not be created";
}
