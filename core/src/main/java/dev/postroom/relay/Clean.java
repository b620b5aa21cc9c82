package dev.postroom.relay;

/** Text from elsewhere as it may stand in one line of a log. */
final class Clean {
    private static final int LONGEST = 500;

    private Clean() {}

    /** As {@link #text}, in quotes if it has spaces: it must not look like further pairs of key and value. */
    static String word(String text) {
        String clean = text(text);
        return clean.indexOf(' ') < 0 ? clean : '"' + clean + '"';
    }

    /** Shortened, without quotes and without what could end the line or steer a terminal. */
    static String text(String text) {
        int length = Math.min(text.length(), LONGEST);
        StringBuilder clean = null;
        for (int i = 0; i < length; i++) {
            char c = text.charAt(i);
            boolean unfit = Character.isISOControl(c) || c == '"' || c == '\u2028' || c == '\u2029';
            if (unfit && clean == null) {
                clean = new StringBuilder(text.substring(0, length));
            }
            if (unfit && clean != null) {
                clean.setCharAt(i, c == '"' ? '\'' : ' ');
            }
        }
        String result = clean == null ? text.substring(0, length) : clean.toString();
        return text.length() > LONGEST ? result + "…" : result;
    }
}
