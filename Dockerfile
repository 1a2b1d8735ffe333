# heedful serve, in an image that needs no shell, no root and no writable disk.
#
#   docker build -t heedful .                                        # with search: --build-arg EXTRAS=serve,search
#   docker run --rm -p 127.0.0.1:8080:8080 --read-only heedful
#   docker run --rm -p 127.0.0.1:8080:8080 --read-only -v ./models:/models:ro heedful serve en-base /models/reviews

FROM python:3.12-slim AS build
ARG EXTRAS=serve
WORKDIR /source
COPY pyproject.toml constraints.txt README.md LICENSE ./
COPY src src
RUN pip wheel --no-cache-dir --wheel-dir /wheels --constraint constraints.txt ".[${EXTRAS}]"
RUN python -m venv --without-pip /opt/heedful \
 && pip --python /opt/heedful install --no-cache-dir --no-index --find-links /wheels "heedful[${EXTRAS}]"

FROM python:3.12-slim
RUN useradd --system --uid 10001 --user-group --no-create-home --shell /usr/sbin/nologin heedful
COPY --from=build /opt/heedful /opt/heedful
ENV PATH=/opt/heedful/bin:$PATH \
    PYTHONDONTWRITEBYTECODE=1 \
    PYTHONUNBUFFERED=1 \
    ORT_DISABLE_TELEMETRY=1 \
    HEEDFUL_HOST=0.0.0.0
USER 10001:10001
WORKDIR /
EXPOSE 8080
# not through a proxy, whatever the environment says of one
HEALTHCHECK --interval=15s --timeout=5s --start-period=30s --retries=3 CMD ["python", "-c", "import os, urllib.request as r; r.build_opener(r.ProxyHandler({})).open(f'http://127.0.0.1:{os.environ.get(\"HEEDFUL_PORT\", 8080)}/ready', timeout=4)"]
ENTRYPOINT ["heedful"]
CMD ["serve", "en-base"]
