import { createHash } from "node:crypto";
import { BASE_URL, callJson } from "./api.ts";

/** A software authenticator: it registers a passkey, and answers challenges for a log-in (WebAuthn, 6.3). */

const COORDINATE_BYTES = 32;
/** User present, user verified (WebAuthn, 6.1). */
const VERIFIED = 0x05;
const HAS_CREDENTIAL = 0x40;

/** An ES256 key pair with the credential's id. */
export interface TestPasskey {
  /** base64url */
  readonly id: string;
  readonly keys: CryptoKeyPair;
}

interface Options {
  /** base64url */
  readonly challenge: string;
}

/** Fields of an answer that differ from those of a synced passkey, which counts no uses. */
export interface AnswerChanges {
  readonly counter?: number;
  readonly origin?: string;
  readonly flags?: number;
  /** base64url */
  readonly userHandle?: string;
  /** The pair that signs. */
  readonly keys?: CryptoKeyPair;
}

export async function makePasskey(): Promise<TestPasskey> {
  const algorithm = { name: "ECDSA", namedCurve: "P-256" };
  const keys = (await crypto.subtle.generateKey(algorithm, true, ["sign", "verify"])) as CryptoKeyPair;
  return { id: Buffer.from(crypto.getRandomValues(new Uint8Array(16))).toString("base64url"), keys };
}

/** Adds a new passkey to the account of a session. */
export async function addPasskey(token: string): Promise<TestPasskey> {
  const passkey = await makePasskey();
  const options = await (await callJson("POST", "/passkeys/options", token, {})).json<Options>();
  const added = await callJson("POST", "/passkeys", token, await registrationOf(passkey, options));
  if (added.status !== 201) throw new Error(`POST /passkeys answered ${added.status}: ${await added.text()}`);
  return passkey;
}

/** The body of `POST /passkeys`: a browser's answer to the options, with no attestation. */
export async function registrationOf({ id, keys }: TestPasskey, { challenge }: Options) {
  const point = new Uint8Array((await crypto.subtle.exportKey("raw", keys.publicKey)) as ArrayBuffer).subarray(1);
  const credentialId = Buffer.from(id, "base64url");
  const authData = Buffer.concat([
    toAuthenticatorData(VERIFIED | HAS_CREDENTIAL, 0),
    new Uint8Array(16),
    Uint8Array.of(0, credentialId.length),
    credentialId,
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
    name: "Test",
    id,
    type: "public-key",
    clientExtensionResults: {},
    response: {
      clientDataJSON: Buffer.from(clientData).toString("base64url"),
      attestationObject: attestation.toString("base64url"),
    },
  };
}

/** The body of `POST /auth/passkey`: a browser's answer to the options. */
export async function answerOf(passkey: TestPasskey, { challenge }: Options, changes: AnswerChanges = {}) {
  const { counter = 0, origin = BASE_URL, flags = VERIFIED, userHandle, keys = passkey.keys } = changes;
  const authenticatorData = toAuthenticatorData(flags, counter);
  const clientData = Buffer.from(JSON.stringify({ type: "webauthn.get", challenge, origin }));
  const signed = Buffer.concat([authenticatorData, createHash("sha256").update(clientData).digest()]);
  const algorithm = { name: "ECDSA", hash: "SHA-256" };
  const signature = new Uint8Array(await crypto.subtle.sign(algorithm, keys.privateKey, signed));
  return {
    id: passkey.id,
    rawId: passkey.id,
    type: "public-key",
    clientExtensionResults: {},
    response: {
      clientDataJSON: clientData.toString("base64url"),
      authenticatorData: authenticatorData.toString("base64url"),
      signature: toDer(signature).toString("base64url"),
      ...(userHandle === undefined ? {} : { userHandle }),
    },
  };
}

/** The first 37 bytes of authenticator data (WebAuthn, 6.1). */
function toAuthenticatorData(flags: number, counter: number): Buffer {
  const data = Buffer.alloc(37);
  createHash("sha256").update(new URL(BASE_URL).hostname).digest().copy(data);
  data.writeUInt8(flags, 32);
  data.writeUInt32BE(counter, 33);
  return data;
}

/** WebCrypto signs with two numbers of 32 bytes, WebAuthn with a DER sequence of two integers. */
function toDer(signature: Uint8Array): Buffer {
  const integers = [signature.subarray(0, COORDINATE_BYTES), signature.subarray(COORDINATE_BYTES)].map((bytes) => {
    const digits = bytes.subarray(bytes.findIndex((byte) => byte !== 0));
    // A zero keeps the number positive.
    const positive = (digits[0] as number) >= 0x80 ? Buffer.concat([Uint8Array.of(0), digits]) : digits;
    return Buffer.concat([Uint8Array.of(0x02, positive.length), positive]);
  });
  const content = Buffer.concat(integers);
  return Buffer.concat([Uint8Array.of(0x30, content.length), content]);
}
