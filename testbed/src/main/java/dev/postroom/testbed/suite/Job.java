package dev.postroom.testbed.suite;

/**
 * A class to be tested, or one method of it.
 *
 * @param selection the class's name, with {@code #method} when only that shall run
 * @param withLong also what is tagged as long
 */
record Job(Variant variant, TestModule module, String selection, boolean withLong) {

    String title() {
        return selection.substring(selection.lastIndexOf('.') + 1);
    }

    String place() {
        return variant.isFirst() ? module.name() : module.name() + " (" + variant.label() + ")";
    }
}
