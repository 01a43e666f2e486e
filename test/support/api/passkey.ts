import { createHash } from "node:crypto";
import { BASE_URL } from "./api.ts";

const COORDINATE_BYTES = 32;
/** User present, user verified, with a credential (WebAuthn, 6.1). */
const FLAGS = 0x45;

/** The answer of a browser to the options: the body of `POST /passkeys`, with a new ES256 key and no attestation. */
export async function newPasskeyAnswer({ challenge }: { readonly challenge: string }) {
  const { publicKey } = (await crypto.subtle.generateKey({ name: "ECDSA", namedCurve: "P-256" }, true, [
    "sign",
    "verify",
  ])) as CryptoKeyPair;
  const point = new Uint8Array((await crypto.subtle.exportKey("raw", publicKey)) as ArrayBuffer).subarray(1);
  const id = crypto.getRandomValues(new Uint8Array(16));
  const authData = Buffer.concat([
    createHash("sha256").update(new URL(BASE_URL).hostname).digest(),
    Uint8Array.of(FLAGS, 0, 0, 0, 0),
    new Uint8Array(16),
    Uint8Array.of(0, id.length),
    id,
    // CBOR: {1: 2, 3: -7, -1: 1, -2: x, -3: y}
    Uint8Array.of(0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21, 0x58, COORDINATE_BYTES),
    point.subarray(0, COORDINATE_BYTES),
    Uint8Array.of(0x22, 0x58, COORDINATE_BYTES),
    point.subarray(COORDINATE_BYTES),
  ]);
  const text = (value: string) => Buffer.from(String.fromCharCode(0x60 + value.length) + value, "latin1");
  const attestation = Buffer.concat([
    ...[Uint8Array.of(0xa3), text("fmt"), text("none"), text("attStmt"), Uint8Array.of(0xa0)],
    ...[text("authData"), Uint8Array.of(0x58, authData.length), authData],
  ]);
  const clientData = JSON.stringify({ type: "webauthn.create", challenge, origin: BASE_URL });
  return {
    ...{ name: "Test", id: Buffer.from(id).toString("base64url"), type: "public-key", clientExtensionResults: {} },
    response: {
      clientDataJSON: Buffer.from(clientData).toString("base64url"),
      attestationObject: attestation.toString("base64url"),
    },
  };
}
