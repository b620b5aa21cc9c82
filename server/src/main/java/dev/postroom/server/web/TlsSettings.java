package dev.postroom.server.web;

import dev.postroom.PostroomException;
import dev.postroom.server.settings.Section;
import java.io.IOException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.ssl.pem.PemContent;

/**
 * A certificate of this server's own, with its chain, and the private key that belongs to it, as PEM files.
 *
 * @param certificateKey the setting's name, for errors
 */
record TlsSettings(String certificateKey, String privateKeyKey, Path certificate, Path privateKey) {
    private static final Map<String, String> SIGNATURES =
            Map.of("RSA", "SHA256withRSA", "EC", "SHA256withECDSA", "EdDSA", "EdDSA");

    /** Fails, naming the file, where the two do not make a server. */
    static Optional<TlsSettings> from(Section tls) {
        Optional<String> certificate = tls.text("certificate");
        Optional<String> privateKey = tls.text("private-key");
        if (certificate.isEmpty() && privateKey.isEmpty()) {
            return Optional.empty();
        }
        String missing = certificate.isEmpty() ? "certificate" : "private-key";
        if (certificate.isEmpty() || privateKey.isEmpty()) {
            throw new PostroomException(tls.key(missing) + " is missing: https takes both, a certificate and its key");
        }
        TlsSettings settings = new TlsSettings(
                tls.key("certificate"),
                tls.key("private-key"),
                file(tls.key("certificate"), certificate.get()),
                file(tls.key("private-key"), privateKey.get()));
        settings.check();
        return Optional.of(settings);
    }

    private static Path file(String setting, String text) {
        try {
            return Path.of(text).toAbsolutePath();
        } catch (InvalidPathException e) {
            throw new PostroomException(setting + " cannot be the name of a file (" + e.getReason() + "): correct it");
        }
    }

    private void check() {
        X509Certificate own = part(certificateKey, certificate, "certificate", pem -> pem.getCertificates())
                .get(0);
        PrivateKey key = part(privateKeyKey, privateKey, "private key without a password", pem -> pem.getPrivateKey());
        if (!belongTogether(own, key)) {
            throw new PostroomException(
                    privateKeyKey + " (" + privateKey + ") does not belong to " + certificateKey + " ("
                            + certificate
                            + "): give the key that this certificate was made for, and the server's own certificate"
                            + " first in its file");
        }
    }

    private static <T> T part(String setting, Path file, String what, Function<PemContent, @Nullable T> reading) {
        try {
            T read = reading.apply(PemContent.load(file));
            if (read != null) {
                return read;
            }
        } catch (IOException e) {
            throw unusable(setting, file, "it cannot be read (" + e.getClass().getSimpleName() + ")");
        } catch (RuntimeException e) {
            // none of that kind
        }
        throw unusable(setting, file, "it has no " + what + " in PEM form");
    }

    private static PostroomException unusable(String setting, Path file, String why) {
        return new PostroomException(setting + " is " + file + ", which is of no use: " + why);
    }

    private static boolean belongTogether(X509Certificate certificate, PrivateKey key) {
        try {
            String algorithm = SIGNATURES.getOrDefault(key.getAlgorithm(), "SHA256with" + key.getAlgorithm());
            byte[] sample = {1, 2, 3};
            Signature signing = Signature.getInstance(algorithm);
            signing.initSign(key);
            signing.update(sample);
            Signature verifying = Signature.getInstance(algorithm);
            verifying.initVerify(certificate.getPublicKey());
            verifying.update(sample);
            return verifying.verify(signing.sign());
        } catch (GeneralSecurityException e) {
            return false;
        }
    }

    /** For Spring Boot, which watches both files and takes new ones when they belong together. */
    List<String> arguments() {
        String bundle = "spring.ssl.bundle.pem.admin.";
        return List.of(
                bundle + "keystore.certificate=" + certificate.toUri(),
                bundle + "keystore.private-key=" + privateKey.toUri(),
                bundle + "keystore.verify-keys=true",
                bundle + "options.enabled-protocols=TLSv1.3,TLSv1.2",
                bundle + "reload-on-update=true",
                // The two are seldom written at once.
                "spring.ssl.bundle.watch.file.quiet-period=2s",
                "server.ssl.bundle=admin");
    }
}
