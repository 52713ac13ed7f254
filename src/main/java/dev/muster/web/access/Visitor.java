package dev.muster.web.access;

import java.security.Principal;
import java.util.List;
import java.util.function.Supplier;

/** Who asks, and what may be shown to them. */
public interface Visitor extends Principal {
    /** Whoever it is, where nobody is asked who they are: sees all. */
    Visitor ANYBODY = new Visitor() {
        @Override
        public String getName() {
            return "anybody";
        }

        @Override
        public boolean isKnown() {
            return false;
        }

        @Override
        public boolean sees(String namespace) {
            return true;
        }

        @Override
        public Reach reach(Supplier<List<String>> namespaces) {
            return Reach.ALL;
        }
    };

    /** Whether it is an account of the cluster, whose rights may end. */
    boolean isKnown();

    /** Whether the gangs of this namespace may be shown. Throws {@link Denial} when the API server does not say. */
    boolean sees(String namespace);

    /**
     * Which of these namespaces may be shown.
     *
     * @param namespaces asked for only when not simply all may be shown
     * @throws Denial when there are too many to ask about, or the API server does not say
     */
    Reach reach(Supplier<List<String>> namespaces);
}
