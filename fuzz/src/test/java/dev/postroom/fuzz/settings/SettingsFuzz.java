package dev.postroom.fuzz.settings;

import dev.postroom.PostroomException;
import dev.postroom.server.database.Installation;
import dev.postroom.server.serve.ConfiguredRelay;
import dev.postroom.server.settings.Settings;
import dev.postroom.server.settings.SettingsSources;
import dev.postroom.server.web.AdminSettings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Any settings either make a relay and an admin surface that could be started, or fail with an error that names one. */
public final class SettingsFuzz {
    private SettingsFuzz() {}

    public static void tryInput(byte[] input) {
        SettingsText text = SettingsText.of(new String(input, StandardCharsets.UTF_8));
        try {
            use(Settings.load(new SettingsSources(file(text), text.environment(), text.properties())));
        } catch (PostroomException e) {
            check(text, String.valueOf(e.getMessage()));
        }
    }

    private static void use(Settings settings) {
        // A name would be asked of the network.
        String address = settings.section("admin").text("address").orElse("127.0.0.1");
        if (address.matches("[0-9.]+|[0-9a-f:.]*:[0-9a-f:.]*")) {
            AdminSettings.from(settings, "local");
        }
        try (Installation installation = new Installation(settings)) {
            ConfiguredRelay.from(installation);
        }
    }

    private static void check(SettingsText text, String message) {
        boolean ofTheFile = message.contains("settings.yml");
        if (!message.contains("postroom.") && !message.contains("POSTROOM_") && !ofTheFile) {
            throw new AssertionError("the error names no setting: " + message);
        }
        for (String secret : text.secrets()) {
            if (message.contains(secret)) {
                throw new AssertionError("the error tells the secret " + secret + ": " + message);
            }
        }
    }

    private static @Nullable Path file(SettingsText text) {
        if (text.file().isEmpty()) {
            return null;
        }
        try {
            return Files.writeString(Started.FILE, text.file());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** When the first input is tried. */
    private static final class Started {
        static final Path FILE = temporaryFile();

        private static Path temporaryFile() {
            try {
                Path folder = Files.createTempDirectory("fuzz");
                Path file = folder.resolve("settings.yml");
                folder.toFile().deleteOnExit();
                file.toFile().deleteOnExit();
                return file;
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
