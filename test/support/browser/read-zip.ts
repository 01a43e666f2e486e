const END = 0x06054b50;
const ENTRY = 0x02014b50;

/** The files of a zip that is not compressed and has no zip64 records, by their names. @throws if it is damaged */
export function readZip(zip: Buffer): Map<string, Buffer> {
  const end = zip.length - 22;
  if (zip.readUInt32LE(end) !== END) throw new Error("This is no zip without a comment");
  const files = new Map<string, Buffer>();
  let at = zip.readUInt32LE(end + 16);
  for (let left = zip.readUInt16LE(end + 10); left > 0; left--) {
    if (zip.readUInt32LE(at) !== ENTRY) throw new Error(`No entry at ${at}`);
    const [size, offset] = [zip.readUInt32LE(at + 24), zip.readUInt32LE(at + 42)];
    const [nameLength, extraLength, commentLength] = [28, 30, 32].map((field) => zip.readUInt16LE(at + field));
    const name = zip.toString("utf8", at + 46, at + 46 + (nameLength ?? 0));
    const start = offset + 30 + zip.readUInt16LE(offset + 26) + zip.readUInt16LE(offset + 28);
    files.set(name, zip.subarray(start, start + size));
    at += 46 + (nameLength ?? 0) + (extraLength ?? 0) + (commentLength ?? 0);
  }
  return files;
}
