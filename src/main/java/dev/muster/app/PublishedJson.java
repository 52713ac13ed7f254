package dev.muster.app;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.muster.web.Published;
import io.quarkus.jackson.ObjectMapperCustomizer;
import jakarta.inject.Singleton;

/** REST and the live stream write what everybody may see. */
@Singleton
public class PublishedJson implements ObjectMapperCustomizer {
    @Override
    public void customize(ObjectMapper mapper) {
        Published.only(mapper);
    }
}
