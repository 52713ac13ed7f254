# Muster's image: ./mvnw package, then docker build -t muster . (also with podman or buildah). Without an engine: docs/install.md.
# The base is a parameter; any image with a Java of at least 17 on its PATH will do: --build-arg BASE=...
ARG BASE=eclipse-temurin:25-jre
FROM ${BASE}
WORKDIR /opt/muster
# what changes least comes first, so that a new version of Muster is a small layer
COPY --chown=0:0 target/quarkus-app/lib/ lib/
COPY --chown=0:0 target/quarkus-app/quarkus/ quarkus/
COPY --chown=0:0 target/quarkus-app/app/ app/
COPY --chown=0:0 target/quarkus-app/quarkus-run.jar quarkus-run.jar
# nobody may write into it, and it writes to /tmp alone: made for a read-only root
USER 10001:10001
EXPOSE 8443 9000 9443
ENTRYPOINT ["java", "-jar", "/opt/muster/quarkus-run.jar"]
