"""What people write who want vectors over HTTP: sentence-transformers behind FastAPI, in the usual few lines.

python -m benchmarks.serve_rival 8081
"""

from __future__ import annotations

import sys

import uvicorn
from fastapi import FastAPI
from pydantic import BaseModel
from sentence_transformers import SentenceTransformer

from benchmarks.encoders import teacher_folder

app = FastAPI()
model = SentenceTransformer(str(teacher_folder()), device="cpu")


class Asked(BaseModel):
    """A request."""

    input: list[str]


class Found(BaseModel):
    """An answer."""

    embeddings: list[list[float]]


@app.post("/embed")
def embed(asked: Asked) -> Found:
    """Return a vector for each text."""
    return Found(embeddings=model.encode(asked.input).tolist())


if __name__ == "__main__":
    uvicorn.run(app, host="127.0.0.1", port=int(sys.argv[1]), log_level="warning")
