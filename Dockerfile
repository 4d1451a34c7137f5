# Built with glibc because the runtime's native parts have no musl builds. No secrets are baked in: see README.md.
FROM node:24-bookworm-slim@sha256:6f7b03f7c2c8e2e784dcf9295400527b9b1270fd37b7e9a7285cf83b6951452d AS build
WORKDIR /app
COPY package.json package-lock.json ./
COPY portal/package.json ./portal/
COPY clients/typescript/package.json ./clients/typescript/
COPY clients/cli/package.json ./clients/cli/
# With optional packages: the bundlers of the gateway and of the portal have one for each platform.
RUN npm ci
COPY nest-cli.json tsconfig.json tsconfig.build.json ormconfig.ts ./
COPY scripts/build-if-needed.mjs scripts/bundle.mjs scripts/bundle-cli.mjs scripts/compress-portal.mjs ./scripts/
COPY portal ./portal
COPY clients ./clients
COPY src ./src
RUN npm run build

FROM node:24-bookworm-slim@sha256:6f7b03f7c2c8e2e784dcf9295400527b9b1270fd37b7e9a7285cf83b6951452d AS packages
WORKDIR /app
COPY package.json package-lock.json ./
COPY portal/package.json ./portal/
COPY clients/typescript/package.json ./clients/typescript/
COPY clients/cli/package.json ./clients/cli/
# Optional packages are the embedded database and identity provider: development only.
RUN npm ci --omit=dev --omit=optional --ignore-scripts
# All that the lock file has: what builds, and what the pages of the portal are made of, is in it. With --omit, npm would leave out what is
# used in development too.
RUN mkdir sbom && npm sbom --package-lock-only --sbom-format=cyclonedx > sbom/access-gateway.cdx.json

FROM node:24-bookworm-slim@sha256:6f7b03f7c2c8e2e784dcf9295400527b9b1270fd37b7e9a7285cf83b6951452d
ENV NODE_ENV=production HOST=0.0.0.0 DATA_DIR=/var/lib/access-gateway
WORKDIR /app
# The journal of recordings: mount a volume that the next container finds again, or set RECORDING_MODE=store.
RUN mkdir -p /var/lib/access-gateway && chown 10001:10001 /var/lib/access-gateway
VOLUME /var/lib/access-gateway
COPY --from=packages /app/node_modules ./node_modules
COPY --from=build /app/dist/bundle ./dist/bundle
COPY --from=build /app/dist/portal ./dist/portal
# CycloneDX 1.5: docker run --rm --entrypoint cat access-gateway sbom/access-gateway.cdx.json
COPY --from=packages /app/sbom ./sbom
COPY package.json ./
USER 10001:10001
EXPOSE 8009 15432 2222
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT || 8009}${process.env.API_PREFIX || '/api'}/healthz`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
# Node itself is process 1, so SIGTERM reaches it; it handles the signal and ends by itself.
CMD ["node", "--max-semi-space-size=8", "--heap-growing-percent=200", "."]
