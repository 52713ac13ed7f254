package dev.muster.web;

import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.ext.ExceptionMapper;
import jakarta.ws.rs.ext.Provider;
import java.util.UUID;
import org.jboss.logging.Logger;

/** Says of an error only that there was one, and under which number the log has it: its text may be nobody's business. */
@Provider
public class FailureMapper implements ExceptionMapper<Exception> {
    private static final Logger LOG = Logger.getLogger(FailureMapper.class);

    @Override
    public Response toResponse(Exception failed) {
        String number = UUID.randomUUID().toString();
        LOG.errorf(failed, "a request could not be answered (%s)", number);
        return failed instanceof IllegalStateException
                ? ProblemJson.response(
                        503,
                        "Unavailable",
                        "Muster cannot answer just now (" + number + "). Maybe it is still starting.")
                : ProblemJson.response(
                        500, "Internal error", "Muster could not answer. Its log says why under " + number + ".");
    }
}
