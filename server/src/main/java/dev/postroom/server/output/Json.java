package dev.postroom.server.output;

import dev.postroom.admin.view.ViewJson;
import java.io.PrintWriter;

/** Prints one JSON document, indented, with times in ISO form. */
public final class Json {
    private Json() {}

    public static void print(PrintWriter out, Object document) {
        out.println(ViewJson.text(document));
        out.flush();
    }
}
