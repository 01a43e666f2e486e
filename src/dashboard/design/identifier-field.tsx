import type { ReactNode } from "react";
import { Field } from "./field.tsx";

interface IdentifierFieldProps {
  readonly value: string;
  readonly hint: ReactNode;
  readonly error: string | undefined;
  readonly onChange: (value: string) => void;
}

/** Asks for the name of a webhook or a preset, which is a part of URLs. */
export function IdentifierField({ onChange, ...props }: IdentifierFieldProps) {
  return (
    <Field
      {...props}
      label="Name"
      name="name"
      title="Lower-case letters, digits and hyphens only"
      pattern="[a-z0-9\-]{1,40}"
      maxLength={40}
      required
      autoComplete="off"
      autoCapitalize="none"
      spellCheck={false}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
