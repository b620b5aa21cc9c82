package dev.postroom.rabbitmq;

import com.rabbitmq.client.AMQP.BasicProperties;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The room that a connection has for a message's properties: all of them must fit into one frame. Whoever may send to a queue
 * can fill that room to the last byte, so that nothing can be added when the message goes elsewhere. The client refuses to
 * send such a message; it would come again and again, and those behind it never.
 *
 * @param bytes the frame's size; 0 for no limit
 */
record HeaderRoom(int bytes) {
    /** Names of what was left out, so that nobody looks for it. */
    static final String DROPPED = ReturnedAmqp.PREFIX + "dropped";

    private static final int LONGEST_NAMES = 500;

    boolean has(BasicProperties properties) {
        try {
            return bytes <= 0 || properties.toFrame(0, 0).size() <= bytes;
        } catch (IOException | IllegalArgumentException e) { // some value cannot be written at all
            return false;
        }
    }

    /** As they are if there is room, else without the largest of the user's headers. */
    BasicProperties fitted(BasicProperties properties) {
        if (has(properties)) {
            return properties;
        }
        Map<String, Object> headers = new HashMap<>(ReceivedAmqp.headers(properties));
        List<String> largestFirst = new ArrayList<>(headers.keySet());
        largestFirst.removeIf(ReturnedAmqp::isOurs);
        largestFirst.sort(Comparator.comparingInt((String name) ->
                        name.length() + String.valueOf(headers.get(name)).length())
                .reversed());
        BasicProperties fitted = properties;
        List<String> dropped = new ArrayList<>();
        for (String name : largestFirst) {
            headers.remove(name);
            dropped.add(name);
            headers.put(DROPPED, names(dropped));
            fitted = properties.builder().headers(headers).build();
            if (has(fitted)) {
                break;
            }
        }
        return fitted;
    }

    private static String names(List<String> dropped) {
        String all = String.join(" ", dropped);
        return all.length() <= LONGEST_NAMES ? all : all.substring(0, LONGEST_NAMES) + "…";
    }
}
