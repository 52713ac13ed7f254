package dev.muster.web;

import jakarta.ws.rs.WebApplicationException;
import jakarta.ws.rs.core.Response;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/** An error as {@code application/problem+json} (RFC 9457). */
@Schema(name = "Problem", description = "An error: what, the value, and a likely cure.")
public record ProblemJson(String type, String title, int status, String detail) {
    /** The media type. */
    public static final String MEDIA_TYPE = "application/problem+json";

    /** There is none of that name. */
    static WebApplicationException notFound(String detail) {
        return thrown(404, "Not found", detail);
    }

    /** The question cannot be understood. */
    static WebApplicationException badRequest(String detail) {
        return thrown(400, "Bad request", detail);
    }

    /** It is known who asks, and they may not. */
    static WebApplicationException forbidden(String detail) {
        return thrown(403, "Forbidden", detail);
    }

    /** It cannot be answered just now. */
    static WebApplicationException unavailable(String detail) {
        return thrown(503, "Unavailable", detail);
    }

    private static WebApplicationException thrown(int status, String title, String detail) {
        return new WebApplicationException(detail, response(status, title, detail));
    }

    /** The answer itself. */
    public static Response response(int status, String title, String detail) {
        return Response.status(status)
                .type(MEDIA_TYPE)
                .entity(new ProblemJson("about:blank", title, status, detail))
                .build();
    }
}
