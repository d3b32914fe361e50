# docker build -t tideline .
# docker run --rm -v "$PWD:/models" tideline check net.pnml deadlock

FROM debian:bookworm-slim AS build
RUN apt-get update && apt-get install -y --no-install-recommends \
    gcc libc6-dev make coinor-libclp-dev libexpat1-dev libjansson-dev \
    liblzma-dev libxxhash-dev libzstd-dev zlib1g-dev
COPY . /tideline
RUN make -s -C /tideline -j"$(nproc)" install PREFIX=/usr DESTDIR=/installed

FROM debian:bookworm-slim
RUN apt-get update && apt-get install -y --no-install-recommends \
    coinor-libclp1 libexpat1 libjansson4 liblzma5 libxxhash0 libzstd1 zlib1g && \
    rm -rf /var/lib/apt/lists/* && useradd --create-home tideline
COPY --from=build /installed/usr/bin/tideline /usr/bin/tideline
USER tideline
WORKDIR /models
ENTRYPOINT ["tideline"]
CMD ["help"]
