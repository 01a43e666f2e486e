import { randomBytes } from "node:crypto";
import { hashSecret } from "../auth/secrets.ts";

const TOKEN_BYTES = 32;
/** Characters that are not mistaken for others, and spell no words. */
const CODE_CHARACTERS = "BCDFGHJKLMNPQRSTVWXZ23456789";
const CODE_LENGTH = 8;
/** The largest multiple of the characters in a byte. */
const FAIR_BYTES = CODE_CHARACTERS.length * 9;

/** 256 bits, base64url. */
export function newProofToken(): string {
  return randomBytes(TOKEN_BYTES).toString("base64url");
}

/** A code of 38 bits to type, for example `BX4K-9TQM`. */
export function newProofCode(): string {
  let code = "";
  while (code.length < CODE_LENGTH) {
    for (const byte of randomBytes(CODE_LENGTH)) {
      if (byte < FAIR_BYTES && code.length < CODE_LENGTH) code += CODE_CHARACTERS[byte % CODE_CHARACTERS.length];
    }
  }
  return `${code.slice(0, CODE_LENGTH / 2)}-${code.slice(CODE_LENGTH / 2)}`;
}

/** The hash of a code as people type it: in any case, with or without the hyphen. */
export function hashProofCode(accountId: string, code: string): Promise<string> {
  return hashSecret(`${accountId}\n${code.toUpperCase().replace(/[^0-9A-Z]/g, "")}`);
}
