package dev.muster.web;

import jakarta.ws.rs.WebApplicationException;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.UriInfo;
import jakarta.ws.rs.ext.ExceptionMapper;
import jakarta.ws.rs.ext.Provider;

/** Says as a problem what the framework itself refuses: unknown paths, wrong methods, media types that nobody reads or writes. */
@Provider
public class RefusalMapper implements ExceptionMapper<WebApplicationException> {
    private static final int LONGEST_PATH = 200;

    private final @Context UriInfo uri;

    public RefusalMapper(@Context UriInfo uri) {
        this.uri = uri;
    }

    @Override
    public Response toResponse(WebApplicationException refused) {
        Response given = refused.getResponse();
        if (given.getEntity() instanceof ProblemJson) {
            return given;
        }
        int status = given.getStatus();
        Response.ResponseBuilder answer =
                Response.fromResponse(ProblemJson.response(status, title(given), detail(status)));
        Object allow = given.getHeaders().getFirst(HttpHeaders.ALLOW);
        return allow == null
                ? answer.build()
                : answer.header(HttpHeaders.ALLOW, allow).build();
    }

    private static String title(Response given) {
        String reason = given.getStatusInfo().getReasonPhrase();
        return reason == null ? "Refused" : reason;
    }

    private String detail(int status) {
        String path = uri.getPath();
        String shown = "'" + path.substring(0, Math.min(path.length(), LONGEST_PATH)) + "'";
        return switch (status) {
            case 404 ->
                "There is nothing at " + shown
                        + ". Maybe /api/v1/queues, /api/v1/jobs, /api/v1/nodeclasses, /api/v1/about or /api/v1/stream.";
            case 405 -> shown + " does not take this method. Maybe GET.";
            case 406 -> shown + " has no answer in a form that the header Accept asks for. Maybe application/json.";
            case 415 -> shown + " does not read bodies of this Content-Type. Maybe application/yaml.";
            default -> "The request to " + shown + " was refused.";
        };
    }
}
