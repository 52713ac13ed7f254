package dev.muster.core.share;

import dev.muster.core.model.Queue;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The queues of a forest, level by level: roots by name, then their children by parent and name, and so on. So a parent
 * always stands before its children, siblings stand side by side in the order of their names, and the order does not depend
 * on the order of input. Queues whose way up does not end at a root are left out, each with the problem.
 */
record TreeShape(List<Queue> queues, SortedMap<String, String> problems) {
    static TreeShape of(Collection<Queue> given) {
        SortedMap<String, Queue> byName = new TreeMap<>();
        SortedMap<String, String> problems = new TreeMap<>();
        for (Queue queue : given) {
            if (byName.putIfAbsent(queue.name(), queue) != null) {
                problems.put(queue.name(), "queue \"" + queue.name() + "\" is declared twice; no declaration counts");
            }
        }
        byName.keySet().removeAll(problems.keySet());
        for (Queue queue : byName.values()) {
            if (!problems.containsKey(queue.name())) {
                judge(queue, byName, problems);
            }
        }
        byName.keySet().removeAll(problems.keySet());
        return new TreeShape(levelByLevel(byName.values()), problems);
    }

    private static void judge(Queue queue, Map<String, Queue> byName, Map<String, String> problems) {
        List<String> way = new ArrayList<>();
        Queue here = queue;
        while (true) {
            way.add(here.name());
            String parent = here.parent();
            if (parent == null) {
                return;
            }
            int back = way.indexOf(parent);
            if (back >= 0) {
                blameCycle(way.subList(back, way.size()), problems);
                blameWay(way.subList(0, back), "its ancestor \"" + parent + "\" is part of a cycle", problems);
                return;
            }
            if (problems.containsKey(parent)) {
                blameWay(way, "its ancestor \"" + parent + "\" is broken", problems);
                return;
            }
            Queue next = byName.get(parent);
            if (next == null) {
                problems.put(
                        here.name(),
                        "queue \"" + here.name() + "\" names the parent \"" + parent
                                + "\", which does not exist. Maybe it was renamed or deleted");
                blameWay(way.subList(0, way.size() - 1), "its ancestor \"" + here.name() + "\" is broken", problems);
                return;
            }
            here = next;
        }
    }

    private static void blameCycle(List<String> members, Map<String, String> problems) {
        String round = String.join(" -> ", members) + " -> " + members.get(0);
        for (String member : members) {
            problems.put(
                    member,
                    "queue \"" + member + "\" is its own ancestor: " + round
                            + ". Maybe one of them should name another parent, or none");
        }
    }

    private static void blameWay(List<String> way, String why, Map<String, String> problems) {
        way.forEach(name -> problems.putIfAbsent(name, "queue \"" + name + "\" has no place in the tree: " + why));
    }

    private static List<Queue> levelByLevel(Collection<Queue> sorted) {
        Map<String, List<Queue>> children = new HashMap<>();
        List<Queue> order = new ArrayList<>();
        for (Queue queue : sorted) {
            String parent = queue.parent();
            if (parent == null) {
                order.add(queue);
            } else {
                children.computeIfAbsent(parent, name -> new ArrayList<>()).add(queue);
            }
        }
        for (int i = 0; i < order.size(); i++) {
            order.addAll(children.getOrDefault(order.get(i).name(), List.of()));
        }
        return List.copyOf(order);
    }
}
