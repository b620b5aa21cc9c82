package dev.postroom.spring.boot;

import static java.util.Objects.requireNonNull;

import dev.postroom.PostroomException;
import dev.postroom.spring.boot.DestinationProperties.TlsProperties;
import dev.postroom.tls.LiveContext;
import dev.postroom.tls.Tls;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.ssl.NoSuchSslBundleException;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.boot.ssl.SslManagerBundle;

/**
 * What a destination's TLS settings mean.
 *
 * @param bundles the application's; null when it has none
 */
public record ConfiguredTls(@Nullable SslBundles bundles) {

    /** For an application without bundles. */
    static final ConfiguredTls WITHOUT_BUNDLES = new ConfiguredTls(null);

    /** Empty when nothing is said of it, and the client's own defaults are meant. */
    Optional<SSLContext> context(TlsProperties settings) {
        Tls files = new Tls(path(settings.authorities()), path(settings.certificate()), path(settings.privateKey()));
        boolean noFiles = files.equals(Tls.files());
        if (settings.bundle() == null) {
            return noFiles ? Optional.empty() : Optional.of(files.context());
        }
        if (!noFiles) {
            throw new PostroomException("there are a bundle and files: remove one or the other");
        }
        return Optional.of(following(settings.bundle()));
    }

    /** Connections made after the bundle was updated use what it has then. */
    private SSLContext following(String name) {
        if (bundles == null) {
            throw new PostroomException("there are no SSL bundles: configure spring.ssl.bundle.pem." + name);
        }
        try {
            SslBundle now = bundles.getBundle(name);
            AtomicReference<SslManagerBundle> current = new AtomicReference<>(now.getManagers());
            bundles.addBundleUpdateHandler(name, updated -> current.set(updated.getManagers()));
            return LiveContext.of(
                    () -> requireNonNull(current.get()).getTrustManagers(),
                    () -> requireNonNull(current.get()).getKeyManagers());
        } catch (NoSuchSslBundleException e) {
            throw new PostroomException("there is no SSL bundle called '" + name + "': configure spring.ssl.bundle.pem."
                    + name + ", or correct the name");
        }
    }

    private static @Nullable Path path(@Nullable String file) {
        return file == null ? null : Path.of(file);
    }
}
