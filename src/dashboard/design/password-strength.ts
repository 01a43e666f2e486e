/** 0 is weak, 3 is strong. */
export type PasswordStrength = 0 | 1 | 2 | 3;

/** The least bits of each level above weak. */
const LEVELS = [28, 42, 60];

const CLASSES = [
  { of: /\p{Ll}/u, bits: 4.7 },
  { of: /\p{Lu}/u, bits: 4.7 },
  { of: /\p{Nd}/u, bits: 3.3 },
  { of: /./su, bits: 5 },
] as const;

/** A letter of a word: the letters before it make it likely. */
const LETTER_BITS = 2.5;
/** The same character again, or the next of the alphabet. */
const STEP_BITS = 0.5;

/** Estimates how hard a password is to guess. The service decides which passwords it takes (SIGN-4). */
export function passwordStrength(password: string): PasswordStrength {
  let bits = 0;
  let before: { readonly code: number; readonly kind: number } | undefined;
  for (const character of password) {
    const code = character.codePointAt(0) ?? 0;
    const kind = CLASSES.findIndex(({ of }) => of.test(character));
    if (before !== undefined && Math.abs(code - before.code) <= 1) bits += STEP_BITS;
    else if (kind < 2 && before?.kind === kind) bits += LETTER_BITS;
    else bits += CLASSES[kind]?.bits ?? 0;
    before = { code, kind };
  }
  return LEVELS.filter((level) => bits >= level).length as PasswordStrength;
}
