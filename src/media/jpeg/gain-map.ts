import { APP1, APP2 } from "./markers.ts";
import { startsWith } from "./starts-with.ts";

/** What tells of an HDR gain map in the primary image's XMP: Adobe's namespace, as Ultra HDR has it, and Apple's. */
const XMP_MARKS = ["hdrgm:Version", "http://ns.adobe.com/hdr-gain-map/", "http://ns.apple.com/HDRGainMap/"];
const APPLE_MARK = "http://ns.apple.com/HDRGainMap/";

/**
 * Whether an application segment of the primary image announces an HDR gain map (Ultra HDR image format; ISO 21496-1): a
 * second JPEG behind the first that brightens it on displays that can, and that would be lost with all else behind it.
 * @param content without marker and length
 */
export function announcesGainMap(marker: number, content: Uint8Array): boolean {
  if (marker === APP2) return startsWith(content, "urn:iso:std:iso:ts:21496:-1");
  if (marker !== APP1 || !startsWith(content, "http://ns.adobe.com/xap/1.0/\0")) return false;
  return XMP_MARKS.some((mark) => includesText(content, mark));
}

/** Whether what stands behind the primary image has a gain map as Apple writes it: only its own XMP tells of it. */
export function holdsAppleGainMap(behind: Uint8Array): boolean {
  return includesText(behind, APPLE_MARK);
}

/** One pass over the bytes. `text` is ASCII. */
function includesText(bytes: Uint8Array, text: string): boolean {
  const first = text.charCodeAt(0);
  for (let at = 0; at <= bytes.length - text.length; at++) {
    if (bytes[at] === first && startsWith(bytes, text, at)) return true;
  }
  return false;
}
