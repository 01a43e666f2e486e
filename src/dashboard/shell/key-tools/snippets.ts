import { scriptFile } from "../../../domain/tool-files/script.ts";
import { type SnippetInput, toConfigFile } from "./config-files.ts";

interface Snippet {
  readonly id: "curl" | "javascript" | "python" | "shell" | "powershell";
  readonly title: string;
  /** How to use the code. */
  readonly hint: string;
  readonly text: string;
}

/** Code that uploads one file, for tools that most machines have. A key consists of letters, digits and `_`, so it needs no escaping. */
export function toSnippets(input: SnippetInput): readonly Snippet[] {
  return [curl(input), javascript(input), python(input), shell(input), powershell(input)];
}

function curl({ baseUrl, key }: SnippetInput): Snippet {
  return {
    id: "curl",
    title: "curl",
    hint: 'Returns JSON. Add -H "Accept: text/plain" to get only the file\'s URL.',
    text: `curl -H "Authorization: Bearer ${key}" \\\n  -F "file=@photo.jpg" \\\n  ${baseUrl}/images/upload`,
  };
}

function javascript({ baseUrl, key }: SnippetInput): Snippet {
  return {
    id: "javascript",
    title: "JavaScript",
    hint: "Node 20 or newer, no package needed. Do not use the key in public pages.",
    text: `import { openAsBlob } from "node:fs";

const form = new FormData();
form.append("file", await openAsBlob("photo.jpg"), "photo.jpg");
const answer = await fetch("${baseUrl}/images/upload", {
  method: "POST",
  headers: { Authorization: "Bearer ${key}" },
  body: form,
});
const result = await answer.json();
if (!answer.ok) throw new Error(result.error);
console.log(result.url);`,
  };
}

function python({ baseUrl, key }: SnippetInput): Snippet {
  return {
    id: "python",
    title: "Python",
    hint: "Python 3 with the requests package.",
    text: `import requests

with open("photo.jpg", "rb") as file:
    answer = requests.post(
        "${baseUrl}/images/upload",
        headers={"Authorization": "Bearer ${key}"},
        files={"file": file},
    )
result = answer.json()
if not answer.ok:
    raise SystemExit(result["error"])
print(result["url"])`,
  };
}

function shell(input: SnippetInput): Snippet {
  const { filename, text } = toConfigFile(scriptFile, input);
  return {
    id: "shell",
    title: "Shell",
    hint: `Save it as ${filename} and make it executable: flameshot gui -r | ${filename}, or ${filename} photo.jpg. It prints the links.`,
    text,
  };
}

function powershell({ baseUrl, key }: SnippetInput): Snippet {
  return {
    id: "powershell",
    title: "PowerShell",
    hint: "PowerShell 7.",
    text: `$answer = Invoke-RestMethod ${baseUrl}/images/upload -Method Post \`
  -Headers @{ Authorization = "Bearer ${key}" } \`
  -Form @{ file = Get-Item photo.jpg }
$answer.url`,
  };
}
