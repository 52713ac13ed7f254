package dev.muster.core.decide;

import dev.muster.core.model.Amounts;
import java.math.BigInteger;
import java.util.Map;

/**
 * GPUs that a pod makes unusable by what it takes beside them: who takes half of a node's CPUs leaves half of its GPUs to
 * nobody.
 *
 * <p>Of each resource of the node the pod takes a part; the largest part, in GPUs of the node, is what it makes unusable,
 * rounded up to whole ones. An eighth of a GPU is forgiven, for a node offers a little less than it has: so an eighth of the
 * CPUs that were bought is not charged as two GPUs of eight. Pod slots do not count.
 */
final class Unusable {
    private static final BigInteger FORGIVEN_PARTS = BigInteger.valueOf(8);

    private Unusable() {}

    /**
     * Whole GPUs, at least those that are asked.
     *
     * @param node what a node of the class offers; without GPUs nothing is unusable
     */
    static long gpus(Amounts requests, String gpu, Amounts node) {
        long most = requests.get(gpu);
        long offered = node.get(gpu);
        if (offered == 0 || !Amounts.isDevice(gpu)) {
            return most;
        }
        for (Map.Entry<String, Long> asked : requests.byResource().entrySet()) {
            long there = node.get(asked.getKey());
            if (there > 0 && !asked.getKey().equals(gpu) && !asked.getKey().equals(Amounts.PODS)) {
                most = Math.max(most, part(Math.min(asked.getValue(), there), there, offered));
            }
        }
        return most;
    }

    /** ceil(asked / there * gpus - 1/8), never below 0. */
    private static long part(long asked, long there, long gpus) {
        BigInteger eighths = BigInteger.valueOf(asked)
                .multiply(BigInteger.valueOf(gpus))
                .multiply(FORGIVEN_PARTS)
                .subtract(BigInteger.valueOf(there));
        if (eighths.signum() <= 0) {
            return 0;
        }
        BigInteger whole = BigInteger.valueOf(there).multiply(FORGIVEN_PARTS);
        return eighths.add(whole).subtract(BigInteger.ONE).divide(whole).longValueExact();
    }
}
