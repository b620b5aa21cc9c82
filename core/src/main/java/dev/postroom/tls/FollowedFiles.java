package dev.postroom.tls;

import dev.postroom.PostroomException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import javax.net.ssl.KeyManager;
import javax.net.ssl.TrustManager;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the files say now. They are looked at for each handshake, which costs three calls of the file system beside a
 * handshake's milliseconds; a watching thread would have to be owned and ended. Thread-safe.
 */
final class FollowedFiles {
    private static final Logger LOG = LoggerFactory.getLogger(Tls.class);

    private final Tls files;
    private List<String> stamps;
    private Managers current;

    @SuppressWarnings("ArrayRecordComponent") // handed through, never compared
    private record Managers(TrustManager[] trust, KeyManager[] keys) {}

    FollowedFiles(Tls files) {
        this.files = files;
        this.stamps = stamps();
        this.current = load();
    }

    TrustManager[] trust() {
        return current().trust();
    }

    KeyManager[] keys() {
        return current().keys();
    }

    private synchronized Managers current() {
        List<String> now = stamps(); // before reading: what changes in between is seen the next time
        if (!now.equals(stamps)) {
            stamps = now;
            try {
                current = load();
                LOG.info("TLS_RELOADED authorities={} certificate={}", files.authorities(), files.certificate());
            } catch (PostroomException e) { // half of a renewal, most likely: the other half changes the stamps again
                LOG.warn("TLS_RELOAD_FAILED error=\"{}\" the last good files stay in use", e.getMessage());
            }
        }
        return current;
    }

    private Managers load() {
        Path authorities = files.authorities();
        return new Managers(
                PemFiles.trust(authorities == null ? null : PemFiles.certificates(authorities)),
                files.certificate() == null || files.privateKey() == null
                        ? new KeyManager[] {new NoKeys()}
                        : PemFiles.keys(
                                PemFiles.certificates(files.certificate()), PemFiles.privateKey(files.privateKey())));
    }

    private List<String> stamps() {
        return Stream.of(files.authorities(), files.certificate(), files.privateKey())
                .filter(Objects::nonNull)
                .map(FollowedFiles::stamp)
                .toList();
    }

    /** The key of the file tells one that was moved here within the same tick of the clock. */
    private static String stamp(Path file) {
        try {
            BasicFileAttributes of = Files.readAttributes(file, BasicFileAttributes.class);
            return of.lastModifiedTime() + " " + of.size() + " " + of.fileKey();
        } catch (IOException e) {
            return "missing";
        }
    }
}
