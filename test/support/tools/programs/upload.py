"""Uploads a file with one of three libraries, and prints the answer's status, URL and name: upload.py LIBRARY BASE FILE (KEY: environment)."""

import asyncio
import os
import sys

library, base, path = sys.argv[1:]
url = base + "/images/upload"
headers = {"Authorization": "Bearer " + os.environ["KEY"]}


def with_requests(as_body):
    import requests

    with open(path, "rb") as file:
        if as_body:
            params = {"filename": os.path.basename(path)}
            answer = requests.post(url, params=params, data=file, headers={**headers, "Content-Type": "image/png"})
        else:
            answer = requests.post(url, files={"file": file}, data={"tags": "python"}, headers=headers)
        return answer.status_code, answer.json()


def with_httpx():
    import httpx

    with open(path, "rb") as file:
        answer = httpx.post(url, files={"file": file}, headers=headers, timeout=60)
        return answer.status_code, answer.json()


async def with_aiohttp():
    import aiohttp

    with open(path, "rb") as file:
        async with aiohttp.ClientSession(headers=headers) as session:
            async with session.post(url, data={"file": file}) as answer:
                return answer.status, await answer.json()


if library == "aiohttp":
    status, body = asyncio.run(with_aiohttp())
elif library == "httpx":
    status, body = with_httpx()
else:
    status, body = with_requests(library == "requests-body")
print(status, body.get("url", body.get("error")), body.get("originalFilename"), sep="\n")
