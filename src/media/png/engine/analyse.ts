import { pixelCount, pixels, READ, readNextOfPass } from "./source-rows";

/** Finds the redundant samples of a picture by examining every pixel. */

const MAX_COLOURS: i32 = 256;
const SLOTS: i32 = 1024;

let samples: i32 = 0;
let sampleBytes: i32 = 0;
let hasKey: bool = false;
/** The samples of the transparent colour, in the form in which pixels are compared. */
let key: u64 = 0;

let isOpaque: bool = true;
let isGray: bool = true;
let isHalvable: bool = true;
let isKeyUsed: bool = false;
/** Colours as red << 24 | green << 16 | blue << 8 | alpha, in the order of their first pixel. */
const found = memory.data(MAX_COLOURS * 4, 16);
/** One more than MAX_COLOURS if there are too many. */
let foundCount: i32 = 0;
/** Hash table: the position of a colour plus one; 0 is free. */
const slots = memory.data(SLOTS * 2, 16);
let last: u32 = 0;
let lastPlace: i32 = -1;

/** @param count samples of a pixel, 1 to 4 @param bytes of a sample, 1 or 2 */
export function beginAnalysis(count: i32, bytes: i32): void {
  samples = count;
  sampleBytes = bytes;
  hasKey = false;
  isOpaque = true;
  isGray = true;
  isHalvable = bytes === 2;
  isKeyUsed = false;
  foundCount = 0;
  lastPlace = -1;
  memory.fill(slots, 0, SLOTS * 2);
}

/** Sets a transparent colour (PNG, 11.3.1.1) of a gray or RGB picture. */
export function setKey(red: i32, green: i32, blue: i32): void {
  hasKey = true;
  key = keyOf(red, green, blue);
}

function keyOf(red: u32, green: u32, blue: u32): u64 {
  return ((<u64>red) << 32) | ((<u64>green) << 16) | blue;
}

/** Reads and analyses some bytes' worth of rows. @returns like `readNextOfPass` */
export function analyseRows(bytes: i32): i32 {
  for (let left = bytes; left > 0; left -= pixelCount * samples * sampleBytes + 1) {
    const status = readNextOfPass();
    if (status !== READ) return status;
    if (sampleBytes === 2) analyseDeep();
    else if (isUndecided()) analyseRow();
  }
  return READ;
}

/** Whether more pixels of 8 bits a sample could change the result. */
function isUndecided(): bool {
  const hasAlpha = (samples & 1) === 0;
  return foundCount <= MAX_COLOURS || (isGray && samples >= 3) || (isOpaque && hasAlpha) || (hasKey && !isKeyUsed);
}

function analyseRow(): void {
  const end = pixels + pixelCount * samples;
  for (let at = pixels; at < end; at += samples) {
    const colour = colourAt(at);
    if (colour !== last || lastPlace < 0) add(colour);
  }
}

/** The colour of a pixel with 8 bits a sample, or with 16 that 8 would represent: red << 24 | green << 16 | blue << 8 | alpha. */
export function colourAt(at: usize): u32 {
  let colour: u32;
  // A row has spare bytes at its end.
  if (sampleBytes === 2) return deepColourAt(at);
  if (samples === 4) colour = bswap(load<u32>(at));
  else if (samples === 3) colour = bswap(load<u32>(at)) | 0xff;
  else if (samples === 2) colour = (<u32>load<u8>(at) * 0x01010100) | load<u8>(at, 1);
  else colour = (<u32>load<u8>(at) * 0x01010100) | 0xff;
  if (hasKey && keyOf(colour >> 24, (colour >> 16) & 0xff, (colour >> 8) & 0xff) === key) {
    isKeyUsed = true;
    return colour & 0xffffff00;
  }
  return colour;
}

function deepColourAt(at: usize): u32 {
  const red = <u32>load<u8>(at);
  const green = samples >= 3 ? <u32>load<u8>(at, 2) : red;
  const blue = samples >= 3 ? <u32>load<u8>(at, 4) : red;
  let alpha: u32 = (samples & 1) === 0 ? load<u8>(at + 2 * samples - 2) : 0xff;
  if (hasKey && keyOf(red * 257, green * 257, blue * 257) === key) alpha = 0;
  return (red << 24) | (green << 16) | (blue << 8) | alpha;
}

function analyseDeep(): void {
  const pixelBytes = 2 * samples;
  const end = pixels + pixelCount * pixelBytes;
  const hasColours = samples >= 3;
  for (let at = pixels; at < end; at += pixelBytes) {
    const red = sample16(at);
    const green = hasColours ? sample16(at + 2) : red;
    const blue = hasColours ? sample16(at + 4) : red;
    let alpha: u32 = (samples & 1) === 0 ? sample16(at + pixelBytes - 2) : 0xffff;
    if (hasKey && keyOf(red, green, blue) === key) {
      alpha = 0;
      isKeyUsed = true;
    }
    if (alpha !== 0xffff) isOpaque = false;
    if (red !== green || red !== blue) isGray = false;
    if (!isHalvable) continue;
    isHalvable = isTwice(red) && isTwice(green) && isTwice(blue) && isTwice(alpha);
    if (!isHalvable) foundCount = MAX_COLOURS + 1;
    else add(((red & 0xff00) << 16) | ((green & 0xff00) << 8) | (blue & 0xff00) | (alpha >> 8));
  }
}

function sample16(at: usize): u32 {
  return ((<u32>load<u8>(at)) << 8) | load<u8>(at, 1);
}

function isTwice(value: u32): bool {
  return value >> 8 === (value & 0xff);
}

/** Adds the transparent colour for pixels that no pass covers. */
export function addClear(): void {
  add(0);
}

function add(colour: u32): void {
  last = colour;
  lastPlace = 0;
  if ((colour & 0xff) !== 0xff) isOpaque = false;
  const red = colour >> 24;
  if (red !== ((colour >> 16) & 0xff) || red !== ((colour >> 8) & 0xff)) isGray = false;
  if (foundCount > MAX_COLOURS) return;
  const slot = slotOf(colour);
  if (load<u16>(slot) !== 0) return;
  if (foundCount < MAX_COLOURS) {
    store<u32>(found + (foundCount << 2), colour);
    store<u16>(slot, <u16>(foundCount + 1));
  }
  foundCount += 1;
}

/** The slot of a colour, or the free slot for it. */
function slotOf(colour: u32): usize {
  let slot = ((colour * 0x9e3779b1) >> 8) & (SLOTS - 1);
  let place = <i32>load<u16>(slots + (slot << 1));
  while (place !== 0 && load<u32>(found + ((place - 1) << 2)) !== colour) {
    slot = (slot + 1) & (SLOTS - 1);
    place = <i32>load<u16>(slots + (slot << 1));
  }
  return slots + (slot << 1);
}

/** The position of a known colour, from 0. */
export function placeOf(colour: u32): i32 {
  return <i32>load<u16>(slotOf(colour)) - 1;
}

export function foundAt(): usize {
  return found;
}

/** More than 256 if there are too many. */
export function foundColours(): i32 {
  return foundCount;
}

/** Bits: whether every pixel is opaque, is gray, has two equal bytes a sample; whether the transparent colour occurs. */
export function analysis(): i32 {
  return (isOpaque ? 1 : 0) | (isGray ? 2 : 0) | (isHalvable ? 4 : 0) | (isKeyUsed ? 8 : 0);
}
