import { KEY_PLACEHOLDER, type ToolFile } from "./tool-file.ts";

/**
 * A shell script. The key reaches curl through a file descriptor, because other users of a machine see process
 * arguments. `curl -F` needs quotes and backslashes in names escaped.
 */
export const scriptFile: ToolFile = {
  name: "script",
  filename: "media-host-upload.sh",
  mediaType: "text/x-shellscript",
  title: "Flameshot, ksnip, Spectacle, Typora, any shell",
  help:
    "Replace YOUR_KEY, and make the file executable. Flameshot: flameshot gui -r | media-host-upload.sh; ksnip: Settings, Uploader, Script " +
    "uploader; Spectacle: spectacle -rbno /tmp/s.png && media-host-upload.sh /tmp/s.png; Typora: Preferences, Image, Custom command.",
  make: (baseUrl) => `#!/bin/sh
# Uploads files or standard input, and writes one URL a line.
# Usage: media-host-upload.sh [FILE...]
set -u
host='${baseUrl}'
key=\${MEDIA_HOST_KEY:-'${KEY_PLACEHOLDER}'}

quote() {
  printf '%s' "$1" | sed 's/[\\\\"]/\\\\&/g'
}

upload() { # FILE NAME
  answer=$(
    curl -sS --fail-with-body -H @/dev/fd/3 -H 'Accept: text/plain' \\
      -F "file=@\\"$(quote "$1")\\";filename=\\"$(quote "$2")\\"" "$host/images/upload" 3<<EOF
Authorization: Bearer $key
EOF
  ) && printf '%s\\n' "$answer" && return
  printf '%s: %s\\n' "$2" "$answer" >&2
  return 1
}

[ $# -gt 0 ] || set -- -
failed=0
for file in "$@"; do
  if [ "$file" = - ]; then
    upload - "$(date +shot-%Y-%m-%d-%H%M%S)" || failed=1
  else
    upload "$file" "$(basename -- "$file")" || failed=1
  fi
done
exit $failed
`,
};
