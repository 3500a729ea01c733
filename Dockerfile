# syntax=docker/dockerfile:1

# The image holds one static binary and the authorities for TLS to a trace collector. Nothing in it can be run but mxrest.
#
#   docker build -t mxrest --build-arg VERSION=$(git describe --tags --always) --build-arg REVISION=$(git rev-parse HEAD) .
#   docker run --read-only --cap-drop ALL -p 127.0.0.1:8080:8080 mxrest

# The Go that releases are built with; 1.26.8 has known faults in net/http and crypto/tls. Built on the builder's own platform, for the
# target's.
FROM --platform=$BUILDPLATFORM golang:1.27.3 AS build
WORKDIR /src
ENV CGO_ENABLED=0 GOTOOLCHAIN=local
# The modules first: they change less often than the source, and are then taken from the build cache.
COPY go.mod go.sum ./
RUN go mod download
COPY api/ api/
COPY cmd/ cmd/
COPY internal/ internal/
COPY web/ web/
ARG VERSION=dev
ARG REVISION=unknown
ARG TARGETOS
ARG TARGETARCH
# The flags of `make dist`: the same bytes each time.
RUN GOOS=$TARGETOS GOARCH=$TARGETARCH go build -trimpath -buildvcs=false -ldflags "-s -w -buildid= -X main.version=$VERSION -X main.revision=$REVISION" -o /out/mxrest ./cmd/mxrest

FROM scratch
ARG VERSION=dev
ARG REVISION=unknown
LABEL org.opencontainers.image.title="mxrest" \
      org.opencontainers.image.description="Typed JSON in, MXAccess message bytes out, and back. Encodes and decodes; never talks to a plant." \
      org.opencontainers.image.licenses="MIT" \
      org.opencontainers.image.version="$VERSION" \
      org.opencontainers.image.revision="$REVISION"
COPY --from=build /etc/ssl/certs/ca-certificates.crt /etc/ssl/certs/ca-certificates.crt
COPY --from=build /out/mxrest /mxrest
# No name is needed for a user without a password file; the number is what Kubernetes' runAsNonRoot looks at. It writes no file: run it
# with a read-only root.
USER 65532:65532
# All addresses of the container; which of them is reachable is decided by who publishes the port. Metrics and profiles have a port of
# their own that is not meant to be published.
ENV MXREST_LISTEN=0.0.0.0:8080 \
    MXREST_ADMIN_LISTEN=0.0.0.0:9090
EXPOSE 8080 9090
STOPSIGNAL SIGTERM
# Asks /readyz of the server that these variables start.
HEALTHCHECK --interval=5s --timeout=4s --start-period=5s --retries=2 CMD ["/mxrest", "health"]
ENTRYPOINT ["/mxrest"]
CMD ["serve"]
