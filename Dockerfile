# held serve in a container: slim, without root, its work in the volume /work.
#
#   docker build -t held . && docker run -p 8321:8321 -v held-work:/work held
#
# It listens beyond loopback, so it wants a token: HELD_TOKEN, or the one that it prints at the start.
FROM python:3.11-slim

COPY pyproject.toml README.md LICENSE /src/
COPY src /src/src
RUN pip install --no-cache-dir "/src[serve,docx]" && rm -rf /src

RUN useradd --create-home --uid 1000 held && mkdir /work && chown held /work
USER held
VOLUME /work
EXPOSE 8321
HEALTHCHECK CMD ["python", "-c", "import urllib.request as u; u.urlopen('http://127.0.0.1:8321/health')"]
ENTRYPOINT ["held", "serve", "--host", "0.0.0.0", "--work", "/work"]
