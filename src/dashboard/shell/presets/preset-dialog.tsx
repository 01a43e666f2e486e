import { type SubmitEvent, useState } from "react";
import type { MediaHostError } from "../../../client/index.ts";
import type { Preset } from "../../../client/types.ts";
import { usePutPreset } from "../../api/queries/presets.ts";
import { Button } from "../../design/button.tsx";
import { Dialog } from "../../design/dialog.tsx";
import form from "../../design/dialog-form.module.css";
import { Field } from "../../design/field.tsx";
import { IdentifierField } from "../../design/identifier-field.tsx";
import { Problem } from "../../design/problem.tsx";
import { toast } from "../../design/toast.tsx";

interface PresetDialogProps {
  /** The preset to change; undefined for a new one. */
  readonly preset?: Preset | undefined;
  /** The parameters of a new preset. */
  readonly parameters?: string;
  /** The names of the account's presets. */
  readonly names?: readonly string[];
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
}

/** Adds or changes a preset: a named set of a variant's parameters (VAR-8). */
export function PresetDialog({ preset, parameters, names = [], open, onOpenChange }: PresetDialogProps) {
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={preset === undefined ? "New preset" : `Edit “${preset.name}”`}
      description={
        preset === undefined
          ? "Its size and quality are exact. It works within a minute."
          : "Pages that use it show the new size within a minute."
      }
    >
      <PresetForm
        preset={preset}
        parameters={parameters ?? preset?.parameters ?? ""}
        names={names}
        onEnd={() => onOpenChange(false)}
      />
    </Dialog>
  );
}

interface PresetFormProps {
  readonly preset: Preset | undefined;
  readonly parameters: string;
  readonly names: readonly string[];
  readonly onEnd: () => void;
}

function PresetForm({ preset, parameters, names, onEnd }: PresetFormProps) {
  const put = usePutPreset();
  const [name, setName] = useState(preset?.name ?? "");
  const [text, setText] = useState(parameters);
  const isTaken = preset === undefined && names.includes(name.trim());
  const refusals = refusalsOf(put.error);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (put.isPending || isTaken) return;
    put.mutate(
      { name: name.trim(), parameters: text.trim() },
      {
        onSuccess: (saved) => {
          toast({ title: `Preset “${saved.name}” saved`, description: "It works within a minute.", tone: "ok" });
          onEnd();
        },
      },
    );
  };
  return (
    <form onSubmit={submit} className={form.form}>
      {preset === undefined && (
        <IdentifierField
          value={name}
          hint="URLs have it, as in ?p=card."
          error={isTaken ? "A preset has this name" : refusals.name}
          onChange={setName}
        />
      )}
      <Field
        label="Parameters"
        name="parameters"
        hint="The parameters of a file's URL: w, h, fit, crop, q, fm, auto and others."
        placeholder="w=300&h=300&fit=crop&auto=format"
        value={text}
        required
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        error={refusals.parameters}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      {refusals.other && <Problem error={put.error} title="The preset could not be saved" />}
      <div className={form.actions}>
        <Button onClick={onEnd}>Cancel</Button>
        <Button type="submit" tone="main" busy={put.isPending}>
          Save
        </Button>
      </div>
    </form>
  );
}

interface Refusals {
  readonly name?: string | undefined;
  readonly parameters?: string | undefined;
  /** Whether the error belongs to no field. */
  readonly other: boolean;
}

/** The service's messages for the fields. It names each wrong parameter: `{w: "Must be a number of pixels over 0"}`. */
function refusalsOf(error: unknown): Refusals {
  if (error === null) return { other: false };
  const { statusCode, details = {} } = error as Partial<MediaHostError>;
  if (statusCode !== 400) return { other: true };
  const { name, parameters, ...wrong } = details;
  const lines = [
    ...(typeof parameters === "string" ? [parameters] : []),
    ...Object.entries(wrong).map(([each, words]) => `${each}: ${words}`),
  ];
  return {
    name: typeof name === "string" ? name : undefined,
    parameters: lines.length === 0 ? undefined : lines.join(". "),
    other: typeof name !== "string" && lines.length === 0,
  };
}
