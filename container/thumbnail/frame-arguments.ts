/** Demuxers by type: what the sniffed type does not name is not tried. */
const DEMUXERS: ReadonlyMap<string, { name: string; whitelist: string; options: readonly string[] }> = new Map([
  ["video/mp4", mov()],
  ["video/quicktime", mov()],
  ["video/webm", { name: "matroska", whitelist: "matroska,webm", options: [] }],
  ["video/x-msvideo", { name: "avi", whitelist: "avi", options: [] }],
]);

/** A movie may name other files that hold its data (QuickTime's data references): those stay closed. */
function mov() {
  return {
    name: "mov",
    whitelist: "mov,mp4,m4a,3gp,3g2,mj2",
    options: ["-enable_drefs", "0", "-use_absolute_path", "0"],
  };
}

/** Video codecs that cameras, phones, browsers, editors and screen recorders write; a smaller surface than all that ffmpeg has. */
const DECODERS = [
  ...["h264", "hevc", "vp8", "vp9", "libvpx", "libvpx-vp9", "libdav1d", "libaom-av1", "av1"],
  ...["mpeg4", "msmpeg4v1", "msmpeg4v2", "msmpeg4", "h263", "h263p", "h263i", "flv", "mpeg1video", "mpeg2video"],
  ...["wmv1", "wmv2", "wmv3", "vc1", "vp6", "vp6f", "theora", "svq1", "svq3", "cinepak", "indeo3", "indeo5"],
  ...["mjpeg", "jpeg2000", "libopenjpeg", "dvvideo", "prores", "prores_lgpl", "dnxhd", "cfhd", "hap"],
  ...["rawvideo", "v210", "v408", "v410", "r210", "png", "qtrle", "rpza", "smc", "msrle", "msvideo1"],
  ...["huffyuv", "ffvhuff", "ffv1", "utvideo", "lagarith", "magicyuv"],
].join(",");

const MAX_ALLOC_BYTES = 512 * 1024 * 1024;
/** The system would let megabytes lie in the socket, fetched and never read. */
const SOCKET_BYTES = 256 * 1024;
/** How far past its start a run looks for a frame. */
const WINDOW_SECONDS = 10;
/** Up to 4K a frame leaves ffmpeg as it is, and larger ones are scaled down to that first. */
const MAX_SIDE = 4096;
/** Tone mapping works on 12 bytes a pixel, so what it gets is already small. */
const MAX_HDR_SIDE = 1280;
/** What paper white has in high dynamic range (ITU-R BT.2408); only what is brighter is squeezed. */
const DIFFUSE_WHITE_NITS = 203;
export const MAX_FRAME_BYTES = MAX_SIDE * MAX_SIDE * 3 + 64;

export const VIDEO_TYPES: ReadonlySet<string> = new Set(DEMUXERS.keys());

export interface FrameRequest {
  url: string;
  type: string;
  /** Undefined takes the first frame. */
  atSeconds: number | undefined;
  maxPixels: number;
  /** Spares the walk through every fragment of a movie that has no index of them; its duration stays unknown then. */
  ignoresIndex: boolean;
  /** Set to map the brightness of a video with this transfer function to what every screen can show. */
  hdrTransfer: string | undefined;
}

/** ffmpeg's arguments to write one frame as PPM to standard output, and `showinfo`'s words about it to standard error. */
export function frameArguments({ url, type, atSeconds, maxPixels, ignoresIndex, hdrTransfer }: FrameRequest): string[] {
  const demuxer = DEMUXERS.get(type);
  if (demuxer === undefined) throw new Error(`No demuxer for ${type}`);
  return [
    ...["-nostdin", "-loglevel", "info", "-max_alloc", String(MAX_ALLOC_BYTES)],
    ...["-protocol_whitelist", "http,tcp", "-format_whitelist", demuxer.whitelist, "-codec_whitelist", DECODERS],
    ...["-f", demuxer.name, ...demuxer.options, "-threads", "2", "-max_pixels", String(maxPixels)],
    ...["-recv_buffer_size", String(SOCKET_BYTES)],
    // A frame that breaks off where the file does, or where the bound on reading ends it, would be half gray.
    ...["-fflags", ignoresIndex ? "+discardcorrupt+ignidx" : "+discardcorrupt"],
    ...(atSeconds === undefined ? [] : ["-ss", String(atSeconds)]),
    ...["-t", String(WINDOW_SECONDS), "-i", url],
    // A capital V leaves out attached pictures: the cover of a song is no video.
    ...["-map", "0:V:0", "-frames:v", "1", "-vf", filters(hdrTransfer)],
    // What is not in the output's description cannot pass for anything else in the log (`ownWords`).
    ...["-map_metadata", "-1", "-map_chapters", "-1"],
    ...["-c:v", "ppm", "-f", "image2pipe", "pipe:1"],
  ];
}

function filters(hdrTransfer: string | undefined): string {
  const fit = (side: number) =>
    `scale=w=min(iw\\,${side}):h=min(ih\\,${side}):force_original_aspect_ratio=decrease:flags=bicubic+full_chroma_int+accurate_rnd`;
  if (hdrTransfer === undefined) return ["showinfo", fit(MAX_SIDE), "format=rgb24"].join(",");
  return [
    "showinfo",
    fit(MAX_HDR_SIDE),
    `zscale=transferin=${hdrTransfer}:primariesin=bt2020:matrixin=bt2020nc:transfer=linear:npl=${DIFFUSE_WHITE_NITS}`,
    "format=gbrpf32le",
    "zscale=primaries=bt709",
    "tonemap=mobius:desat=0",
    "zscale=transfer=bt709:matrix=bt709:range=tv",
    "format=yuv444p",
    "scale=flags=full_chroma_int+accurate_rnd",
    "format=rgb24",
  ].join(",");
}
