package dev.muster.web;

import dev.muster.web.access.Denial;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.ext.ExceptionMapper;
import jakarta.ws.rs.ext.Provider;

/** Says as a problem why a caller gets no answer. */
@Provider
public class DenialMapper implements ExceptionMapper<Denial> {
    @Override
    public Response toResponse(Denial denial) {
        String detail = String.valueOf(denial.getMessage());
        return switch (denial.kind()) {
            case UNKNOWN_CALLER ->
                Response.fromResponse(ProblemJson.response(401, "Unauthorized", detail))
                        .header(HttpHeaders.WWW_AUTHENTICATE, "Bearer")
                        .build();
            case NOT_ALLOWED -> ProblemJson.response(403, "Forbidden", detail);
            case NO_ANSWER ->
                Response.fromResponse(ProblemJson.response(503, "Unavailable", detail))
                        .header(HttpHeaders.RETRY_AFTER, 1)
                        .build();
        };
    }
}
