/** A program's request, byte by byte, from its source. `HOST`, `BASE` and `KEY` are filled in. */
export interface ExactRequest {
  readonly program: string;
  readonly head: readonly string[];
  /** The bytes before the file. */
  readonly before: string;
  readonly after: string;
  /** The expected name in the service. */
  readonly originalFilename: string;
}

const form = (boundary: string, ...lines: readonly string[]) => `--${boundary}\r\n${lines.join("\r\n")}\r\n\r\n`;

const SHAREX = "--------------------8de29a1b2c3d4e5";
const DOTNET = "5f0c1f6e-3f5b-4a53-9c1e-0e8b8b0f9d11";
const QT = "boundary_.oOo._OTY1MjQzNDU2Nzg5MDEyMzQ1Njc4";
const CFNETWORK = "Boundary-6C3A9E0B-6D0F-4C55-9A4F-2D0A3E4B5C6D";
const FORM_DATA = "--------------------------049371823641028374650912";
const OKHTTP = "a3f1c2d4-5b6e-4f70-8192-a3b4c5d6e7f8";
const DART = "dart-http-boundary-x5vMc.2Tn+0h7wq_kLdU8o3ZrYbEaJf9sGpV1iN6tXeQmCuHRBW";

const EURO = "size \u20ac.png";
/** RFC 2047, which .NET uses for names that are not ASCII, besides RFC 5987. */
const EURO_ENCODED = `"=?utf-8?B?${Buffer.from(EURO).toString("base64")}?="`;

export const EXACT_REQUESTS: readonly ExactRequest[] = [
  {
    // ShareX.UploadersLib/Helpers/RequestHelpers.cs: HttpWebRequest, twenty hyphens and the ticks.
    program: "ShareX",
    head: [
      "POST /images/upload HTTP/1.1",
      "Host: HOST",
      "User-Agent: ShareX/19.0.2",
      "Authorization: Bearer KEY",
      "Expect: 100-continue",
      `Content-Type: multipart/form-data; boundary=${SHAREX}`,
    ],
    before: form(SHAREX, `Content-Disposition: form-data; name="file"; filename="${EURO}"`, "Content-Type: image/png"),
    after: `\r\n--${SHAREX}--\r\n`,
    originalFilename: EURO,
  },
  {
    // System.Net.Http MultipartFormDataContent; PowerShell 7's -Form. Its names have no quotes, its boundary has.
    program: ".NET HttpClient",
    head: [
      "POST /images/upload HTTP/1.1",
      "Host: HOST",
      "Authorization: Bearer KEY",
      `Content-Type: multipart/form-data; boundary="${DOTNET}"`,
    ],
    before: form(
      DOTNET,
      "Content-Type: image/png",
      `Content-Disposition: form-data; name=file; filename=${EURO_ENCODED}; filename*=utf-8''size%20%E2%82%AC.png`,
    ),
    after: `\r\n--${DOTNET}--\r\n`,
    originalFilename: EURO,
  },
  {
    // QHttpMultiPart: a boundary with base64's letters in quotes, `MIME-Version`, a length for each part.
    program: "Qt (ksnip, Flameshot)",
    head: [
      "POST /images/upload HTTP/1.1",
      "Host: HOST",
      "Authorization: Bearer KEY",
      `Content-Type: multipart/form-data; boundary="${QT}"`,
      "MIME-Version: 1.0",
      "Connection: Keep-Alive",
      "Accept-Encoding: gzip, deflate",
      "Accept-Language: en-US,*",
      "User-Agent: Mozilla/5.0",
    ],
    before: form(QT, "Content-Type: image/png", `Content-Disposition: form-data; name="file"; filename="${EURO}"`),
    after: `\r\n--${QT}--\r\n`,
    originalFilename: EURO,
  },
  {
    // Foundation's URLSession, which a shortcut's "Get Contents of URL" with a form uses.
    program: "an iOS shortcut",
    head: [
      "POST /images/upload HTTP/1.1",
      "Host: HOST",
      `Content-Type: multipart/form-data; boundary=${CFNETWORK}`,
      "Accept: */*",
      "Authorization: Bearer KEY",
      "Accept-Language: de-DE,de;q=0.9",
      "Accept-Encoding: gzip, deflate",
      "User-Agent: BackgroundShortcutRunner/2607 CFNetwork/1568.100.1 Darwin/24.0.0",
      "Connection: keep-alive",
    ],
    before: form(
      CFNETWORK,
      'Content-Disposition: form-data; name="file"; filename="IMG_0001.png"',
      "Content-Type: image/png",
    ),
    after: `\r\n--${CFNETWORK}--\r\n`,
    originalFilename: "IMG_0001.png",
  },
  {
    // picgo-plugin-web-uploader: the package form-data, and a header `contentType` without meaning.
    program: "PicGo",
    head: [
      "POST /images/upload HTTP/1.1",
      "Accept: application/json, text/plain, */*",
      `Content-Type: multipart/form-data; boundary=${FORM_DATA}`,
      "contentType: multipart/form-data",
      "User-Agent: PicGo",
      "Authorization: Bearer KEY",
      "Accept-Encoding: gzip, compress, deflate, br",
      "Host: HOST",
      "Connection: keep-alive",
    ],
    before: form(
      FORM_DATA,
      'Content-Disposition: form-data; name="file"; filename="20261122184500.png"',
      "Content-Type: image/png",
    ),
    after: `\r\n--${FORM_DATA}--\r\n`,
    originalFilename: "20261122184500.png",
  },
  {
    // okhttp3.MultipartBody: a length for each part; names as they are, quotes as %22.
    program: "OkHttp",
    head: [
      "POST /images/upload HTTP/1.1",
      "Authorization: Bearer KEY",
      `Content-Type: multipart/form-data; boundary=${OKHTTP}`,
      "Host: HOST",
      "Connection: Keep-Alive",
      "Accept-Encoding: gzip",
      "User-Agent: okhttp/4.12.0",
    ],
    before: form(
      OKHTTP,
      `Content-Disposition: form-data; name="file"; filename="${EURO}"`,
      "Content-Type: image/png",
      "Content-Length: LENGTH",
    ),
    after: `\r\n--${OKHTTP}--\r\n`,
    originalFilename: EURO,
  },
  {
    // package:http MultipartRequest: lower-case part headers, the type before the disposition, a boundary of 70 letters.
    program: "Dart (Flutter)",
    head: [
      "POST /images/upload HTTP/1.1",
      "user-agent: Dart/3.9 (dart:io)",
      `content-type: multipart/form-data; boundary=${DART}`,
      "accept-encoding: gzip",
      "authorization: Bearer KEY",
      "host: HOST",
    ],
    before: form(DART, "content-type: image/png", `content-disposition: form-data; name="file"; filename="${EURO}"`),
    after: `\r\n--${DART}--\r\n`,
    originalFilename: EURO,
  },
];
