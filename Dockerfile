# held in a container: slim, without root. Without a command it is `held serve`, with its work in the volume /work.
#
#   docker build -t held .
#   docker run --rm -v "$PWD:/data" held extract /data/report.pdf --format tree
#   docker run --rm -p 8321:8321 -v held-work:/work held
#
# The server listens beyond loopback, so it wants a token: HELD_TOKEN, or the one that it prints at the start.
FROM python:3.12-slim AS build

# The reader in C is built where a compiler is at hand; without it reading takes longer.
# hadolint ignore=DL3008
RUN apt-get update && apt-get install -y --no-install-recommends gcc libc6-dev && rm -rf /var/lib/apt/lists/*
COPY pyproject.toml hatch_build.py README.md LICENSE /src/
COPY samples/report-en.pdf /src/samples/
COPY src /src/src
RUN pip wheel --no-cache-dir --wheel-dir /wheels "/src[serve]"

FROM python:3.12-slim

# The wheels of the stage before are the only versions there are.
# hadolint ignore=DL3013
RUN --mount=type=bind,from=build,source=/wheels,target=/wheels \
    pip install --no-cache-dir --no-index --find-links /wheels "held[serve]" \
    && useradd --create-home --uid 1000 held && mkdir /work && chown held /work
USER 1000
VOLUME /work
EXPOSE 8321
HEALTHCHECK CMD ["python", "-c", "import urllib.request as u; u.urlopen('http://127.0.0.1:8321/health')"]
ENTRYPOINT ["held"]
CMD ["serve", "--host", "0.0.0.0", "--work", "/work"]
