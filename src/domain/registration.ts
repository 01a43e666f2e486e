/** `open`: everyone may open an account. `invited`: invited addresses. `closed`: only the operator. */
export const REGISTRATION_MODES = ["open", "invited", "closed"] as const;
export type RegistrationMode = (typeof REGISTRATION_MODES)[number];

/** The action of the registration form's widget (Turnstile documentation, "Widget configurations"). */
export const TURNSTILE_ACTION = "register";

/** The mode that a variable names; undefined if it is not a mode. Empty means the default. */
export function parseRegistrationMode(text: string | undefined): RegistrationMode | undefined {
  return REGISTRATION_MODES.find((mode) => mode === (text || "open"));
}
