package dev.muster.jobs;

import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.PodSpec;
import org.jspecify.annotations.Nullable;

/**
 * A pod template, and where it stands.
 *
 * @param podset name of the podset whose members it makes
 * @param at path of the template in the job, for messages
 * @param count members that run at the same time, at least 1
 * @param ranked whether each member has an index, and so its own exact node
 */
record Template(String podset, String at, @Nullable ObjectMeta meta, PodSpec pod, int count, boolean ranked) {}
