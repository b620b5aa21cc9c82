package dev.postroom.testbed;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The mirrors that this machine gets its packages from, as apt's settings have them. */
final class AptSources {

    private static final Set<String> NAMES_OF_RELEASES =
            Set.of("oldoldstable", "oldstable", "stable", "testing", "unstable", "sid");

    /** {@code deb [options] mirror suite components}. */
    private static final Pattern LINE = Pattern.compile("deb\\s+(?:\\[[^\\]]*\\]\\s+)?(\\S+)\\s+(\\S+)\\s+(.+)");

    private final Path settings;
    private final String codename;

    /**
     * @param settings apt's folder
     * @param codename of the machine's own Debian, such as bookworm
     */
    AptSources(Path settings, String codename) {
        this.settings = settings;
        this.codename = codename;
    }

    /**
     * Those that have a suite called as one of Debian's, in the order of apt. Some of them may be somebody else's, who uses
     * Debian's names: only Debian's signature tells.
     */
    List<String> mirrors() throws IOException {
        Set<String> mirrors = new LinkedHashSet<>();
        for (Path file : files()) {
            String text = Files.readString(file, StandardCharsets.UTF_8);
            if (file.toString().endsWith(".sources")) {
                addStanzas(text, mirrors);
            } else {
                addLines(text, mirrors);
            }
        }
        return List.copyOf(mirrors);
    }

    private List<Path> files() throws IOException {
        List<Path> files = new ArrayList<>();
        files.add(settings.resolve("sources.list"));
        Path parts = settings.resolve("sources.list.d");
        if (Files.isDirectory(parts)) {
            try (Stream<Path> all = Files.list(parts)) {
                all.filter(file -> file.toString().endsWith(".list")
                                || file.toString().endsWith(".sources"))
                        .sorted()
                        .forEach(files::add);
            }
        }
        return files.stream().filter(Files::isReadable).toList();
    }

    private void addLines(String text, Set<String> mirrors) {
        text.lines().forEach(line -> {
            Matcher source = LINE.matcher(line.replaceFirst("#.*", "").strip());
            if (source.matches()) {
                add(List.of(source.group(1)), words(source.group(2)), words(source.group(3)), mirrors);
            }
        });
    }

    /** Paragraphs of {@code Field: words}; further lines of a field are indented. */
    private void addStanzas(String text, Set<String> mirrors) {
        String withoutComments = text.replaceAll("(?m)^#.*\\R?", "");
        for (String stanza : withoutComments.split("\\n\\s*\\n", -1)) {
            Map<String, List<String>> fields = new HashMap<>();
            for (String field : stanza.strip().replaceAll("\\n[ \\t]+", " ").split("\\n", -1)) {
                String[] parts = field.split(":", 2);
                if (parts.length == 2) {
                    fields.put(parts[0].strip().toLowerCase(Locale.ROOT), words(parts[1]));
                }
            }
            boolean enabled = !fields.getOrDefault("enabled", List.of()).contains("no");
            if (enabled && fields.getOrDefault("types", List.of()).contains("deb")) {
                add(
                        fields.getOrDefault("uris", List.of()),
                        fields.getOrDefault("suites", List.of()),
                        fields.getOrDefault("components", List.of()),
                        mirrors);
            }
        }
    }

    private void add(List<String> uris, List<String> suites, List<String> components, Set<String> mirrors) {
        boolean likeDebian =
                suites.stream().anyMatch(suite -> suite.equals(codename) || NAMES_OF_RELEASES.contains(suite));
        if (likeDebian && components.contains("main")) {
            uris.stream().filter(uri -> !uri.startsWith("cdrom:")).forEach(mirrors::add);
        }
    }

    private static List<String> words(String text) {
        return List.of(text.strip().split("\\s+", -1));
    }
}
