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

/**
 * Horspool's search: most bytes are never looked at, and a file made of almost the text takes a step or two a byte.
 * @param text ASCII
 */
function includesText(bytes: Uint8Array, text: string): boolean {
  const last = text.length - 1;
  const lastCode = text.charCodeAt(last);
  const shifts = new Uint8Array(256).fill(text.length);
  for (let i = 0; i < last; i++) shifts[text.charCodeAt(i)] = last - i;
  for (let end = last; end < bytes.length; ) {
    const byte = bytes[end] as number;
    if (byte === lastCode && startsWith(bytes, text, end - last)) return true;
    end += shifts[byte] as number;
  }
  return false;
}
