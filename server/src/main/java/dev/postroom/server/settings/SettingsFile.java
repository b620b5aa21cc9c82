package dev.postroom.server.settings;

import java.io.IOException;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.DumperOptions;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.representer.Representer;
import org.yaml.snakeyaml.resolver.Resolver;

/** Reads a YAML file into flat keys: {@code postroom.routes[0].topic}. */
final class SettingsFile {
    /** A file may be shared with the frameworks it runs in; anything else at the top is a forgotten indentation. */
    private static final Set<String> OTHERS = Set.of("spring", "logging", "server", "management");

    /** What the parser says before it quotes the file. */
    private static final List<String> TELLING = List.of(
            "found undefined alias",
            "found undefined tag handle",
            "found duplicate anchor",
            "found duplicate key",
            "could not determine a constructor for the tag");

    private final Path path;
    private final Map<String, String> values = new LinkedHashMap<>();

    private SettingsFile(Path path) {
        this.path = path;
    }

    static Map<String, String> read(Path path) {
        SettingsFile file = new SettingsFile(path);
        file.add("", file.parse());
        return file.values;
    }

    private @Nullable Object parse() {
        LoaderOptions options = new LoaderOptions();
        options.setAllowDuplicateKeys(false);
        DumperOptions unused = new DumperOptions();
        Yaml yaml = new Yaml(
                new SafeConstructor(options), new Representer(unused), unused, options, new EverythingIsText());
        try (Reader reader = Files.newBufferedReader(path, StandardCharsets.UTF_8)) {
            return yaml.load(reader);
        } catch (MarkedYAMLException e) {
            String where = e.getProblemMark() == null
                    ? ""
                    : " in line " + (e.getProblemMark().getLine() + 1);
            throw new SettingsException(List.of(path + " is not YAML" + where + ": " + problem(e.getProblem())));
        } catch (NoSuchFileException e) {
            throw new SettingsException(List.of("there is no settings file " + path + ": check --config"));
        } catch (YAMLException | IOException e) {
            throw new SettingsException(
                    List.of("cannot read the settings file " + path + ": " + e.getMessage() + ": check --config"));
        }
    }

    /** What the parser says, up to where it quotes the file: an alias that is none may be a password that begins with '*'. */
    private static String problem(@Nullable String said) {
        for (String telling : TELLING) {
            if (said != null
                    && said.startsWith(telling)
                    && !KnownSettings.isWord(said.substring(telling.length()).strip())) {
                return telling + " here; a value that begins with a special character needs quotes";
            }
        }
        return String.valueOf(said);
    }

    private void add(String key, @Nullable Object value) {
        if (value instanceof Map<?, ?> map) {
            map.forEach((name, inner) -> add(key.isEmpty() ? name + "" : key + "." + name, inner));
        } else if (value instanceof List<?> list && (list.stream().anyMatch(Map.class::isInstance) || isList(key))) {
            for (int i = 0; i < list.size(); i++) {
                add(key + "[" + i + "]", list.get(i));
            }
        } else if (value instanceof List<?> list) {
            put(key, list.stream().map(String::valueOf).collect(Collectors.joining(",")));
        } else if (value != null) {
            put(key, value.toString());
        }
    }

    /** Whether its values have places of their own: a secret may contain what separates words. */
    private static boolean isList(String key) {
        return KnownSettings.find(key + "[0]").isPresent();
    }

    private void put(String key, String value) {
        String top = key.contains(".") ? key.substring(0, key.indexOf('.')) : key;
        if (top.equals("postroom")) {
            values.put(key, value);
        } else if (!OTHERS.contains(top)) {
            throw new SettingsException(
                    List.of(key + " is not a setting: in " + path + " settings stand under 'postroom:'"));
        }
    }

    /** Without this a password of 0123 would be the number 83, and a name of "no" would be false. */
    private static final class EverythingIsText extends Resolver {
        @Override
        protected void addImplicitResolvers() {}
    }
}
