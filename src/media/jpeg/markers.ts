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
/** Frames that the codec decodes: baseline, extended sequential and progressive, all Huffman-coded. */
export const SOF0 = 0xc0;
export const SOF1 = 0xc1;
export const SOF2 = 0xc2;
/** The same of the last two with arithmetic coding. */
export const SOF9 = 0xc9;
export const SOF10 = 0xca;

/** SOF0 to SOF15, without DHT, JPG and DAC that share their range. */
export function isFrameMarker(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && marker !== DHT && marker !== JPG && marker !== DAC;
}
