/** Who may open an account: anybody, whoever was invited, or nobody but the operator. */
export const REGISTRATION_MODES = ["open", "invited", "closed"] as const;
export type RegistrationMode = (typeof REGISTRATION_MODES)[number];

/** The action that the widget of the registration form names (Turnstile documentation, "Widget configurations"). */
export const TURNSTILE_ACTION = "register";

/** The mode that a variable names; undefined where it names none. An empty one is the default. */
export function parseRegistrationMode(text: string | undefined): RegistrationMode | undefined {
  return REGISTRATION_MODES.find((mode) => mode === (text || "open"));
}
