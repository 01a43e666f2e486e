import { scriptFile } from "../../../domain/tool-files/script.ts";
import { type SnippetInput, toConfigFile } from "./config-files.ts";
import { next, react } from "./react-snippets.ts";
import type { Snippet } from "./snippet.ts";

/**
 * Code that uploads one file, for the usual languages. A key consists of letters, digits and `_`, so it needs no escaping. The quick start of the
 * documentation has the same code.
 */
export function toSnippets(input: SnippetInput): readonly Snippet[] {
  return [curl, javascript, react, next, python, php, go, shell, powershell].map((make) => make(input));
}

function curl({ baseUrl, key }: SnippetInput): Snippet {
  const text = `curl -H "Authorization: Bearer ${key}" \\\n  -F "file=@photo.jpg" \\\n  ${baseUrl}/images/upload`;
  return {
    id: "curl",
    title: "curl",
    hint: 'Returns JSON. Add -H "Accept: text/plain" to get only the file\'s URL.',
    files: [{ name: "curl", text }],
  };
}

function javascript({ baseUrl, key }: SnippetInput): Snippet {
  const text = `import { openAsBlob } from "node:fs";

const form = new FormData();
form.append("file", await openAsBlob("photo.jpg"), "photo.jpg");
const answer = await fetch("${baseUrl}/images/upload", {
  method: "POST",
  headers: { Authorization: "Bearer ${key}" },
  body: form,
});
const result = await answer.json();
if (!answer.ok) throw new Error(result.error);
console.log(result.url);`;
  return {
    id: "javascript",
    title: "JavaScript",
    hint: "Node 20 or newer, no package needed. Do not use the key in public pages.",
    files: [{ name: "JavaScript", text }],
  };
}

function python({ baseUrl, key }: SnippetInput): Snippet {
  const text = `import requests

with open("photo.jpg", "rb") as file:
    answer = requests.post(
        "${baseUrl}/images/upload",
        headers={"Authorization": "Bearer ${key}"},
        files={"file": file},
        timeout=120,
    )
result = answer.json()
if not answer.ok:
    raise SystemExit(result["error"])
print(result["url"])`;
  return {
    id: "python",
    title: "Python",
    hint: "Python 3 with the requests package.",
    files: [{ name: "Python", text }],
  };
}

function php({ baseUrl, key }: SnippetInput): Snippet {
  const text = `<?php
$curl = curl_init('${baseUrl}/images/upload');
curl_setopt_array($curl, [
    CURLOPT_HTTPHEADER => ['Authorization: Bearer ${key}'],
    CURLOPT_POSTFIELDS => ['file' => new CURLFile('photo.jpg')],
    CURLOPT_RETURNTRANSFER => true,
    CURLOPT_TIMEOUT => 120,
]);
$answer = curl_exec($curl);
if ($answer === false) {
    throw new RuntimeException(curl_error($curl));
}
$result = json_decode($answer, true);
if (curl_getinfo($curl, CURLINFO_RESPONSE_CODE) !== 201) {
    throw new RuntimeException($result['error']);
}
echo $result['url'], "\\n";`;
  return { id: "php", title: "PHP", hint: "PHP 8 with the extension curl.", files: [{ name: "PHP", text }] };
}

function go({ baseUrl, key }: SnippetInput): Snippet {
  const text = `package main

import (
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	"os"
)

func main() {
	file, err := os.Open("photo.jpg")
	if err != nil {
		log.Fatal(err)
	}
	defer file.Close()
	request, err := http.NewRequest("POST", "${baseUrl}/images/upload?filename=photo.jpg", file)
	if err != nil {
		log.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer ${key}")
	request.Header.Set("Content-Type", "image/jpeg")
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		log.Fatal(err)
	}
	defer answer.Body.Close()
	var result struct{ URL, Error string }
	if err := json.NewDecoder(answer.Body).Decode(&result); err != nil {
		log.Fatal(err)
	}
	if answer.StatusCode != http.StatusCreated {
		log.Fatal(result.Error)
	}
	fmt.Println(result.URL)
}`;
  return {
    id: "go",
    title: "Go",
    hint: "Only the standard library. The file is streamed as the request's body.",
    files: [{ name: "Go", text }],
  };
}

function shell(input: SnippetInput): Snippet {
  const { filename, text } = toConfigFile(scriptFile, input);
  return {
    id: "shell",
    title: "Shell",
    hint: `Save it as ${filename} and make it executable: flameshot gui -r | ${filename}, or ${filename} photo.jpg. It prints the links.`,
    files: [{ name: "Shell", text }],
  };
}

function powershell({ baseUrl, key }: SnippetInput): Snippet {
  const text = `$answer = Invoke-RestMethod ${baseUrl}/images/upload -Method Post \`
  -Headers @{ Authorization = "Bearer ${key}" } \`
  -Form @{ file = Get-Item photo.jpg }
$answer.url`;
  return { id: "powershell", title: "PowerShell", hint: "PowerShell 7.", files: [{ name: "PowerShell", text }] };
}
