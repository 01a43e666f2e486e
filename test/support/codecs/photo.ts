const PHOTO =
  "/9j/2wBDAAMCAgMCAgMDAwMEAwMEBQgFBQQEBQoHBwYIDAoMDAsKCwsNDhIQDQ4RDgsLEBYQERMUFRUVDA8XGBYUGBIUFRT/2wBDAQMEBAUEBQkFBQkUDQsNFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBT/wAARCAAQABgDASIAAhEBAxEB/8QAFQABAQAAAAAAAAAAAAAAAAAAAAb/xAAUEAEAAAAAAAAAAAAAAAAAAAAA/8QAFQEBAQAAAAAAAAAAAAAAAAAAAAX/xAAUEQEAAAAAAAAAAAAAAAAAAAAA/9oADAMBAAIRAxEAPwCfAXUQAB//2Q==";
const BALLAST_BYTES = 60_000;

/** A JPEG of 24 x 16 pixels that compression makes much smaller, because most of it is a comment (T.81, B.2.4.5). */
export function photoWithComment(): Uint8Array<ArrayBuffer> {
  const photo = Uint8Array.from(atob(PHOTO), (char) => char.charCodeAt(0));
  const bytes = new Uint8Array(photo.length + 4 + BALLAST_BYTES);
  bytes.set(photo.subarray(0, 2));
  bytes.set([0xff, 0xfe, (BALLAST_BYTES + 2) >> 8, (BALLAST_BYTES + 2) & 255], 2);
  bytes.set(photo.subarray(2), BALLAST_BYTES + 6);
  return bytes;
}
