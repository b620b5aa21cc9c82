package dev.postroom.admin.http;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.http.MediaType;
import org.springframework.web.servlet.function.HandlerFunction;
import org.springframework.web.servlet.function.RouterFunction;
import org.springframework.web.servlet.function.RouterFunctions;
import org.springframework.web.servlet.function.ServerResponse;
import org.webjars.WebJarVersionLocator;

/**
 * The page: its own files, and those of the libraries it uses, which come as WebJars and are asked for without their
 * version. Only files that exist on the class path are kept, so there is an end to them. Thread-safe.
 */
public final class StaticFiles {
    private static final String PAGE = "dev/postroom/admin/page/";
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_@-][A-Za-z0-9._@-]{0,100}");
    private static final int MOST_PARTS = 12;

    private final String base;
    private final WebJarVersionLocator webJars = new WebJarVersionLocator();
    private final Map<String, StaticFile> known = new ConcurrentHashMap<>();

    /** @param base where the page is, empty for the root */
    public StaticFiles(String base) {
        this.base = base;
    }

    public RouterFunction<ServerResponse> routes() {
        RouterFunctions.Builder routes = RouterFunctions.route();
        add(routes, base + "/", request -> answer(PAGE + "index.html"));
        add(routes, base + "/assets/{*file}", request -> file(PAGE + "assets", request.pathVariable("file")));
        add(routes, base + "/webjars/{*file}", request -> webJar(request.pathVariable("file")));
        if (!base.isEmpty()) {
            // Relative links need the slash at the end.
            add(routes, base, request -> Answers.redirect(request.requestPath().value() + "/"));
        }
        return routes.build();
    }

    private static void add(RouterFunctions.Builder routes, String path, HandlerFunction<ServerResponse> answer) {
        routes.GET(path, answer).HEAD(path, answer);
    }

    private ServerResponse file(String folder, String file) {
        return isPlain(file) ? answer(folder + file) : missing();
    }

    private ServerResponse webJar(String file) {
        if (!isPlain(file)) {
            return missing();
        }
        int slash = file.indexOf('/', 1);
        String path = slash < 0 ? null : webJars.fullPath(file.substring(1, slash), file.substring(slash + 1));
        return path == null ? missing() : answer(path);
    }

    /** Every part is a plain name, so nothing leads out of the folder. */
    private static boolean isPlain(String file) {
        String[] parts = file.split("/", -1);
        if (parts.length < 2 || parts.length > MOST_PARTS || !parts[0].isEmpty()) {
            return false;
        }
        for (int i = 1; i < parts.length; i++) {
            if (!NAME.matcher(parts[i]).matches()) {
                return false;
            }
        }
        return true;
    }

    private ServerResponse answer(String resource) {
        StaticFile file = known.get(resource);
        if (file == null) {
            file = load(resource);
            if (file == null) {
                return missing();
            }
            known.put(resource, file);
        }
        return Answers.file(file);
    }

    private static @Nullable StaticFile load(String resource) {
        MediaType type = StaticFile.type(resource);
        if (type == null) {
            return null;
        }
        try (InputStream in = StaticFiles.class.getClassLoader().getResourceAsStream(resource)) {
            return in == null ? null : StaticFile.of(in.readAllBytes(), type);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + resource + ": " + e.getMessage(), e);
        }
    }

    private static ServerResponse missing() {
        return Answers.problem(Problem.NOT_FOUND, "there is no such file: look at the page from its beginning");
    }
}
