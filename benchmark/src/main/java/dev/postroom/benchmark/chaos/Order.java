package dev.postroom.benchmark.chaos;

/** One order, as a message says it. Each customer's are numbered, with gaps where one was rolled back. */
record Order(int customer, long number) {

    String text() {
        return customer + ":" + number;
    }

    static Order parse(String text) {
        int colon = text.indexOf(':');
        return new Order(Integer.parseInt(text.substring(0, colon)), Long.parseLong(text.substring(colon + 1)));
    }
}
