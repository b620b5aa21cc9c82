package dev.postroom.server.settings;

import dev.postroom.server.text.DurationText;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** How a setting's text is read. */
enum Kind {
    TEXT("some text") {
        @Override
        Object read(String text) {
            return require(!text.isBlank(), text);
        }
    },
    ANY_TEXT("any text") {
        @Override
        Object read(String text) {
            return text;
        }
    },
    FLAG("true or false") {
        @Override
        Object read(String text) {
            require(text.equals("true") || text.equals("false"), text);
            return Boolean.valueOf(text);
        }
    },
    COUNT("a whole number from 1 to 1000000000") {
        @Override
        Object read(String text) {
            int value = Integer.parseInt(text.replace("_", ""));
            require(value >= 1 && value <= 1_000_000_000, text);
            return value;
        }
    },
    COUNT_OR_NONE("a whole number from 0 to 1000000000") {
        @Override
        Object read(String text) {
            int value = Integer.parseInt(text.replace("_", ""));
            require(value >= 0 && value <= 1_000_000_000, text);
            return value;
        }
    },
    PORT("a port from 0 to 65535, 0 for any free one") {
        @Override
        Object read(String text) {
            int value = Integer.parseInt(text);
            require(value >= 0 && value <= 65_535, text);
            return value;
        }
    },
    BYTES("a number of bytes such as 65536, 64KiB or 16MiB") {
        @Override
        Object read(String text) {
            Matcher form = SIZE.matcher(text);
            require(form.matches(), text);
            String unit = form.group(2) == null ? "" : form.group(2);
            int shift = unit.equals("KiB") ? 10 : unit.equals("MiB") ? 20 : unit.equals("GiB") ? 30 : 0;
            long bytes = Long.parseLong(form.group(1)) << shift;
            require(bytes <= Integer.MAX_VALUE, text);
            return (int) bytes;
        }
    },
    RATIO("a number from 0 to 1 such as 0.2") {
        @Override
        Object read(String text) {
            double value = Double.parseDouble(text);
            require(value >= 0 && value <= 1, text);
            return value;
        }
    },
    FACTOR("a number from 1 to 100 such as 2 or 1.5") {
        @Override
        Object read(String text) {
            double value = Double.parseDouble(text);
            require(value >= 1 && value <= 100, text);
            return value;
        }
    },
    DURATION(DurationText.EXPECTED) {
        @Override
        Object read(String text) {
            return DurationText.parse(text);
        }
    },
    DURATION_OR_NONE(DurationText.EXPECTED + ", or none") {
        @Override
        Object read(String text) {
            return text.equals("none") ? text : DurationText.parse(text);
        }
    };

    private static final Pattern SIZE = Pattern.compile("(\\d{1,10})(KiB|MiB|GiB)?");

    private final String expected;

    Kind(String expected) {
        this.expected = expected;
    }

    /** The value; any IllegalArgumentException means that it is not one. */
    abstract Object read(String text);

    /** What the value should have been, for the error. */
    String expected() {
        return expected;
    }

    private static String require(boolean fits, String text) {
        if (!fits) {
            throw new IllegalArgumentException(text);
        }
        return text;
    }
}
