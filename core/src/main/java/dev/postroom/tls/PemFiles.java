package dev.postroom.tls;

import dev.postroom.PostroomException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.List;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/** Certificates and keys as most tools write them. Errors name the file, and nothing of what a key's file contains. */
final class PemFiles {
    private static final long LONGEST = 4 << 20;
    private static final String KEY_BEGIN = "-----BEGIN PRIVATE KEY-----";
    private static final String KEY_END = "-----END PRIVATE KEY-----";
    private static final List<String> KEY_TYPES = List.of("EC", "RSA", "EdDSA");
    private static final char[] NO_PASSWORD = {};

    private PemFiles() {}

    static List<Certificate> certificates(Path file) {
        try {
            List<Certificate> all = List.copyOf(
                    CertificateFactory.getInstance("X.509").generateCertificates(new ByteArrayInputStream(read(file))));
            if (all.isEmpty()) {
                throw new PostroomException(file + " contains no certificate: give a PEM file with one or more");
            }
            return all;
        } catch (CertificateException e) {
            throw new PostroomException(file + " cannot be read as certificates: give a PEM file with -----BEGIN"
                    + " CERTIFICATE----- (" + e.getMessage() + ")");
        }
    }

    static PrivateKey privateKey(Path file) {
        String text = new String(read(file), StandardCharsets.ISO_8859_1);
        int begin = text.indexOf(KEY_BEGIN);
        int end = text.indexOf(KEY_END, Math.max(0, begin));
        if (begin < 0 || end < 0) {
            throw new PostroomException(file + " contains no private key in PKCS#8 without a password (" + KEY_BEGIN
                    + "): convert it with 'openssl pkcs8 -topk8 -nocrypt -in " + file + "'");
        }
        try {
            byte[] encoded = Base64.getMimeDecoder().decode(text.substring(begin + KEY_BEGIN.length(), end));
            return decoded(file, new PKCS8EncodedKeySpec(encoded));
        } catch (IllegalArgumentException e) { // its message could show a part of the key
            throw new PostroomException(file + " contains a private key that is not base64: write the file anew");
        }
    }

    private static PrivateKey decoded(Path file, PKCS8EncodedKeySpec encoded) {
        for (String type : KEY_TYPES) {
            try {
                return KeyFactory.getInstance(type).generatePrivate(encoded);
            } catch (InvalidKeySpecException e) {
                // a key of another type
            } catch (GeneralSecurityException e) {
                throw new IllegalStateException("every Java has " + type, e);
            }
        }
        throw new PostroomException(
                file + " contains a private key of an unknown kind: use one of EC, RSA, Ed25519 or Ed448");
    }

    private static byte[] read(Path file) {
        try {
            if (Files.size(file) > LONGEST) {
                throw new PostroomException(
                        file + " is larger than any PEM file (" + Files.size(file) + " bytes): name the right file");
            }
            return Files.readAllBytes(file);
        } catch (IOException e) {
            throw new PostroomException(file + " cannot be read: check that it is there and that this process may read"
                    + " it (" + e + ")");
        }
    }

    /** Trusts these, or with null whom the JVM trusts. */
    static TrustManager[] trust(@Nullable List<Certificate> authorities) {
        try {
            TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            factory.init(authorities == null ? null : store(authorities));
            return factory.getTrustManagers();
        } catch (GeneralSecurityException e) {
            throw new PostroomException("the authorities cannot be used: " + e.getMessage());
        }
    }

    static KeyManager[] keys(List<Certificate> chain, PrivateKey key) {
        try {
            KeyStore store = store(List.of());
            store.setKeyEntry("postroom", key, NO_PASSWORD, chain.toArray(Certificate[]::new));
            KeyManagerFactory factory = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
            factory.init(store, NO_PASSWORD);
            return factory.getKeyManagers();
        } catch (GeneralSecurityException e) {
            throw new PostroomException("certificate and private-key do not fit together: " + e.getMessage());
        }
    }

    private static KeyStore store(List<Certificate> trusted) throws GeneralSecurityException {
        KeyStore store = KeyStore.getInstance("PKCS12");
        try {
            store.load(null, null);
        } catch (IOException e) {
            throw new IllegalStateException("an empty store is read from nowhere", e);
        }
        for (Certificate certificate : trusted) {
            store.setCertificateEntry("authority-" + store.size(), certificate);
        }
        return store;
    }
}
