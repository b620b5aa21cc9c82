package dev.postroom.tls;

import dev.postroom.PostroomException;
import java.nio.file.Path;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * Whom to trust and which certificate to show, from PEM files. Each method returns changed settings and leaves these as they
 * are. Thread-safe.
 *
 * <pre>{@code
 * RabbitMq.at("amqps://mq.example").tls(Tls.files().authorities(Path.of("ca.pem")).context());
 * }</pre>
 *
 * @param authorities certificates of those who vouch for the server; null for those that the JVM trusts
 * @param certificate what to show, with the certificates between it and its authority behind it; null for none
 * @param privateKey of that certificate, in PKCS#8 without a password
 */
public record Tls(
        @Nullable Path authorities,
        @Nullable Path certificate,
        @Nullable Path privateKey) {

    /** The JVM's own authorities, and no certificate of ours. */
    public static Tls files() {
        return new Tls(null, null, null);
    }

    /** Trusts the authorities in this file, and nobody else. */
    public Tls authorities(Path pem) {
        return new Tls(pem, certificate, privateKey);
    }

    /** Shows this certificate to servers that ask for one. */
    public Tls certificate(Path chain, Path key) {
        return new Tls(authorities, chain, key);
    }

    /**
     * A context that reads the files again when they have changed: connections made from then on use what they say. Files
     * that cannot be read then are logged, and the last good ones stay in use.
     *
     * @throws PostroomException when a file is missing or is not what it should be
     */
    public SSLContext context() {
        if ((certificate == null) != (privateKey == null)) {
            throw new PostroomException(
                    "certificate and private-key belong together, and only one is given: give both, or neither");
        }
        FollowedFiles followed = new FollowedFiles(this);
        return LiveContext.of(followed::trust, followed::keys);
    }
}
