package dev.muster.web;

import dev.muster.web.access.Access;
import dev.muster.web.access.Visitor;
import jakarta.inject.Provider;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.SecurityContext;
import java.security.Principal;

/** Asks before each request of REST who comes, and hands that on as the request's principal, a {@link Visitor}. */
@jakarta.ws.rs.ext.Provider
public class AccessFilter implements ContainerRequestFilter {
    private final Provider<Access> access;

    /** Filters are made while the program is built up, before there is any configuration: hence asked for at use. */
    public AccessFilter(Provider<Access> access) {
        this.access = access;
    }

    @Override
    public void filter(ContainerRequestContext request) {
        Visitor visitor = access.get().visitor(request.getHeaderString(HttpHeaders.AUTHORIZATION));
        SecurityContext before = request.getSecurityContext();
        boolean secure = before != null && before.isSecure();
        request.setSecurityContext(new SecurityContext() {
            @Override
            public Principal getUserPrincipal() {
                return visitor;
            }

            @Override
            public boolean isUserInRole(String role) {
                return false;
            }

            @Override
            public boolean isSecure() {
                return secure;
            }

            @Override
            public String getAuthenticationScheme() {
                return "Bearer";
            }
        });
    }

    /** Who asks, as this filter found it. */
    public static Visitor visitor(SecurityContext context) {
        if (context.getUserPrincipal() instanceof Visitor visitor) {
            return visitor;
        }
        throw new IllegalStateException("the request was not looked at by the access filter");
    }
}
