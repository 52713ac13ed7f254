package dev.muster.app;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.quarkus.kubernetes.client.KubernetesClientObjectMapperCustomizer;
import jakarta.inject.Singleton;

/** The Kubernetes client passes over fields of a newer CRD, which would end a watch; files are still read strictly. */
@Singleton
public class LenientReading implements KubernetesClientObjectMapperCustomizer {
    @Override
    public void customize(ObjectMapper mapper) {
        mapper.configure(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES, false);
    }
}
