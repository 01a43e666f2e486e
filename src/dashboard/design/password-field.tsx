import Eye from "lucide-react/icons/eye";
import EyeOff from "lucide-react/icons/eye-off";
import { useState } from "react";
import { Field, type FieldProps } from "./field.tsx";
import styles from "./password-field.module.css";
import { passwordStrength } from "./password-strength.ts";

const SHORTEST = 8;
const LONGEST = 128;
const STRENGTHS = ["Weak: add words or characters", "Fair", "Good", "Strong"] as const;

interface PasswordFieldProps extends Omit<FieldProps, "type" | "after" | "hint" | "autoComplete"> {
  /** Whether the user chooses the password here. The field then shows how strong it is. */
  readonly isNew?: boolean;
}

/** A field for a password, with a button that shows the password. */
export function PasswordField({ isNew = false, onInput, ...props }: PasswordFieldProps) {
  const [isShown, setShown] = useState(false);
  const [text, setText] = useState("");
  const Icon = isShown ? EyeOff : Eye;
  return (
    <Field
      {...(isNew && { minLength: SHORTEST, maxLength: LONGEST, hint: <Strength of={String(props.value ?? text)} /> })}
      {...props}
      type={isShown ? "text" : "password"}
      autoComplete={isNew ? "new-password" : "current-password"}
      autoCapitalize="none"
      spellCheck={false}
      className={styles.field}
      onInput={(event) => {
        setText(event.currentTarget.value);
        onInput?.(event);
      }}
      after={
        <button type="button" className={styles.toggle} aria-pressed={isShown} onClick={() => setShown(!isShown)}>
          <Icon size={17} aria-hidden />
          <span className="hidden-text">Show password</span>
        </button>
      }
    />
  );
}

/** The strength of a password that is typed, else the rule. */
function Strength({ of: text }: { readonly of: string }) {
  if (text.length < SHORTEST) return `At least ${SHORTEST} characters`;
  const strength = passwordStrength(text);
  return (
    <span className={styles.strength} data-strength={strength}>
      <span className={styles.bars} aria-hidden>
        {STRENGTHS.map((words, level) => (
          <i key={words} data-on={level <= strength || undefined} />
        ))}
      </span>
      <span aria-live="polite">{STRENGTHS[strength]}</span>
    </span>
  );
}
