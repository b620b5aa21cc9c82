package dev.postroom.testbed;

import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/** A certificate that an {@link Authority} has made, with its key: a server's or a client's. */
public record Identity(X509Certificate certificate, PrivateKey key, X509Certificate authority) {
    private static final char[] PASSWORD = {};

    /** Writes both, each in one step: a server that watches the files never sees half of one. */
    public void write(Path certificateFile, Path keyFile) {
        Pem.write(certificateFile, Pem.of(certificate));
        Pem.write(keyFile, Pem.of(key));
    }

    /** Writes both into one file, as Kafka wants them. */
    public Path write(Path file) {
        return Pem.write(file, Pem.of(key) + Pem.of(certificate));
    }

    /** Writes the key in binary, the only form that PostgreSQL's driver takes. */
    public Path writeEncodedKey(Path file) {
        return Pem.write(file, key.getEncoded());
    }

    /** Shows this certificate, and trusts whom the same authority vouches for. */
    public SSLContext context() {
        return context(authority, this);
    }

    static SSLContext context(X509Certificate trusted, @Nullable Identity own) {
        try {
            KeyStore authorities = empty();
            authorities.setCertificateEntry("authority", trusted);
            TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            trust.init(authorities);
            KeyStore keys = empty();
            if (own != null) {
                keys.setKeyEntry("own", own.key(), PASSWORD, new Certificate[] {own.certificate()});
            }
            KeyManagerFactory shown = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
            shown.init(keys, PASSWORD);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(shown.getKeyManagers(), trust.getTrustManagers(), null);
            return context;
        } catch (GeneralSecurityException | IOException e) {
            throw new TestbedException("no TLS with this certificate", e);
        }
    }

    private static KeyStore empty() throws GeneralSecurityException, IOException {
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        return store;
    }
}
