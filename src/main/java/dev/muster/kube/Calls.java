package dev.muster.kube;

import dev.muster.kinds.KindName;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.Optional;

/** The calls that writing needs, one request each. */
interface Calls {
    /** Merges the patch into the job and gives it as stored then. */
    HasMetadata patchJob(KindName kind, String namespace, String name, String mergePatch) throws WriteFailed;

    /** Whether the API server would let a write with this fence through to the job; nothing is stored. */
    boolean wouldAccept(KindName kind, String namespace, String name, String fence) throws WriteFailed;

    /** The job as stored now; empty when there is none. */
    Optional<HasMetadata> job(KindName kind, String namespace, String name) throws WriteFailed;

    /** Metadata of an object that stands between a job and its pods; empty when there is none. */
    default Optional<ObjectMeta> owner(KindName kind, String namespace, String name) throws WriteFailed {
        return job(kind, namespace, name).map(HasMetadata::getMetadata);
    }

    /** The pod as stored now; empty when there is none. */
    Optional<Pod> pod(String namespace, String name) throws WriteFailed;

    /** Applies an RFC 6902 patch to the pod and gives it as stored then. */
    Pod patchPod(String namespace, String name, String jsonPatch) throws WriteFailed;

    /** Deletes the pod, with its own grace, if it still has this resourceVersion. */
    void deletePod(String namespace, String name, String resourceVersion) throws WriteFailed;

    /** Stores an Event about a job. */
    void event(HasMetadata regarding, Note note) throws WriteFailed;

    /**
     * What an Event says.
     *
     * @param warning whether its type is Warning, else Normal
     * @param reason one word in camel case
     * @param action what was done, one word
     * @param text for people; cut at 1,024 characters
     */
    record Note(boolean warning, String reason, String action, String text) {
        private static final int LONGEST = 1024;

        public Note {
            text = text.length() <= LONGEST ? text : text.substring(0, LONGEST - 1) + "…";
        }
    }
}
