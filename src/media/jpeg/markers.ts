/** ITU-T T.81, table B.1. */
export const SOI = 0xd8;
export const EOI = 0xd9;
export const SOS = 0xda;
export const DQT = 0xdb;
export const DNL = 0xdc;
export const DRI = 0xdd;
export const DHP = 0xde;
export const EXP = 0xdf;
export const DHT = 0xc4;
export const DAC = 0xcc;
export const JPG = 0xc8;
export const RST0 = 0xd0;
export const RST7 = 0xd7;
export const APP0 = 0xe0;
export const APP1 = 0xe1;
export const APP2 = 0xe2;
export const APP14 = 0xee;
export const APP15 = 0xef;
export const COM = 0xfe;
export const TEM = 0x01;
/** The beginning of an APP1 segment with a standard packet (XMP, part 3, 1.1.3). */
export const XMP = "http://ns.adobe.com/xap/1.0/\0";
/** The beginning of an APP2 segment that describes a gain map (ISO 21496-1). */
export const ISO_GAIN_MAP = "urn:iso:std:iso:ts:21496:-1\0";
/** The namespaces of gain maps in XMP: Adobe's, which Ultra HDR uses, and Apple's. */
export const ADOBE_GAIN_MAP = "http://ns.adobe.com/hdr-gain-map/";
export const APPLE_GAIN_MAP = "http://ns.apple.com/HDRGainMap/";
/** Frames that the codec decodes: baseline, extended sequential and progressive, all Huffman-coded. */
export const SOF0 = 0xc0;
export const SOF1 = 0xc1;
export const SOF2 = 0xc2;
/** SOF0 to SOF15, without DHT, JPG and DAC, which share their range. */
export function isFrameMarker(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && marker !== DHT && marker !== JPG && marker !== DAC;
}

/** SOF3, SOF7, SOF11 and SOF15. */
export function isLossless(frameMarker: number): boolean {
  return (frameMarker & 3) === 3;
}
