package dev.muster.kube;

import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.client.KubernetesClient;
import org.jspecify.annotations.Nullable;

/** Where the Lease {@code muster-leader} is kept. Each call is one request and throws what the client throws. */
interface LeaseStore {
    /** The Lease as stored now; null when there is none. */
    @Nullable
    Lease read();

    /** Stores a new Lease and gives it as stored; fails with 409 when there is one. */
    Lease create(Lease fresh);

    /** Stores a changed Lease and gives it as stored; fails with 409 when it has changed since it was read. */
    Lease update(Lease changed);

    /** The one in a namespace of the API server. The client must time out well within the renew deadline. */
    static LeaseStore in(String namespace, KubernetesClient client) {
        return new LeaseStore() {
            @Override
            public @Nullable Lease read() {
                return client.leases()
                        .inNamespace(namespace)
                        .withName(Leadership.NAME)
                        .get();
            }

            @Override
            public Lease create(Lease fresh) {
                return client.resource(fresh).create();
            }

            @Override
            public Lease update(Lease changed) {
                return client.resource(changed).update();
            }
        };
    }
}
