"""Uploads a file by tuspy in chunks of 5 MiB, and resumes another run's upload: upload-by-tus.py BASE FILE NAME URLS [STOP_AT] (KEY: environment).

Prints its first offset, its last offset, and the last answer's body."""

import os
import sys

from tusclient import client
from tusclient.storage import filestorage

base, path, name, urls, *stop_at = sys.argv[1:]

headers = {"Authorization": "Bearer " + os.environ["KEY"]}
uploader = client.TusClient(base + "/images/upload", headers=headers).uploader(
    path,
    chunk_size=5 * 1024 * 1024,
    metadata={"filename": name, "filetype": "video/mp4", "tags": "python"},
    store_url=True,
    url_storage=filestorage.FileStorage(urls),
)
print(uploader.offset)
uploader.upload(stop_at=int(stop_at[0]) if stop_at else None)
print(uploader.offset)
print(uploader.request.response_content.decode())
